// progress.hpp -- what the program shows while it works: a bar on a terminal, plain lines elsewhere.
#pragma once

#include "run/evaluate.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {

/// "2 min 05 s"
std::string duration(double seconds);

/// A progress bar on standard error; lines alone where that is no terminal with style. Not thread-safe.
class ProgressBar {
public:
    explicit ProgressBar(bool wanted = true);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ProgressBar(ProgressBar&&) = delete;
    ProgressBar& operator=(ProgressBar&&) = delete;

    [[nodiscard]] bool is_shown() const noexcept { return is_shown_; }

    /// Seconds since it was made.
    [[nodiscard]] double elapsed() const;

    /// Whether to draw now: ten times a second at most, since a terminal over a slow line must not slow the work.
    [[nodiscard]] bool is_due() const;

    /// `share` of the bar is filled, from 0 to 1; behind it stand `text` and, where `seconds_left` is above
    /// 0 and the work is no longer young, the time left.
    void draw(double share, std::string text, double seconds_left);

    /// A line of its own, in place of the bar (and of what the terminal shows of a Ctrl-C).
    void line(std::string_view text);

    /// Makes room for a line that somebody else writes.
    void erase();

    /// Makes room for good: only lines are shown from now on.
    void put_away();

private:
    bool is_shown_;
    bool is_drawn_ = false;
    bool is_put_away_ = false;
    double last_drawn_ = -1;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

enum class Verbosity { quiet, normal, verbose };

/// The settings in which the cells of a run differ besides encoder and task: their lines name these.
struct Varying {
    bool seeds = false;
    bool halves = false; ///< of training parts
    bool classifiers = false;
    bool normalisations = false;
    bool projections = false;

    /// ", seed 2, half 3 of the training part, mlp, l2, @50 random": these settings of a result, or nothing.
    [[nodiscard]] std::string text(const results::Protocol& protocol) const;
};

Varying varying(const std::vector<task::Settings>& settings);

/// Writes to standard error: one line for each cell that is finished and, where all is told, one for each encoder
/// and task that begins, so that a crash has a culprit. Collects cells and failures.
class RunProgress final : public run::Observer {
public:
    /// `cells`: of the run; 0: not known, since several processes share it.
    RunProgress(std::size_t cells, Varying varying, Verbosity verbosity);
    void started(const std::string& encoder, const std::string& task, std::size_t cells) override;
    void computing(const results::Result& record) override;
    void progress(std::string_view phase, std::size_t done, std::size_t total) override;
    void finished(const results::Cell& cell) override;
    void kept(const results::Cell& cell) override;
    void skipped(const std::string& why) override;
    void warned_of_data(const std::string& task, const std::vector<std::string>& warnings) override;
    void warned(const std::string& what) override;
    void failed(const run::Failure& failure) override;

    /// A line of its own, above the bar. From any thread.
    void line(std::string_view text);

    // Callable from any thread, also while the run goes on.
    [[nodiscard]] std::vector<results::Result> records() const;
    [[nodiscard]] std::vector<run::Failure> failures() const;
    [[nodiscard]] std::size_t kept_cells() const;

    /// Adds the results of another process of the run.
    void add(results::Result result);
    void add(run::Failure failure);
    void add_kept(std::size_t cells);

    /// Says that Ctrl-C was received, and draws no bar any more. From any thread.
    void stopping();

    /// The run is over: others write lines now. From any thread.
    void end();

private:
    void report(const results::Cell& cell, std::string_view remark);
    void say(std::string_view text);
    [[nodiscard]] std::string position(std::size_t cell) const;
    void draw(const std::string& phase);

    const Varying varying_;
    const Verbosity verbosity_;
    mutable std::mutex mutex_;
    ProgressBar bar_;

    std::size_t cells_ = 0;
    std::size_t done_ = 0;
    std::size_t kept_ = 0; ///< of these
    double end_ = 0; ///< when the run is expected to end, in seconds since it began; 0: not known
    std::string at_work_; ///< encoder and task
    std::string setting_; ///< what tells the cell at work from the others of these
    std::vector<results::Result> records_;
    std::vector<run::Failure> failures_;
    std::set<std::string> told_;               ///< warnings and causes of failures
    std::map<std::string, std::size_t> alike_; ///< failures whose cause was told before, by encoder
};

} // namespace senteval::host
