// progress.hpp -- what a run shows while it runs: a bar on a terminal, plain lines elsewhere.
#pragma once

#include "host/estimate.hpp"
#include "host/progress_bar.hpp"
#include "run/evaluate.hpp"

#include <cstddef>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {

enum class Verbosity { quiet, normal, verbose };

/// What the cells of a run differ in besides encoder and task: what their lines must name.
struct Varying {
    bool seeds = false;
    bool halves = false; ///< of training parts
    bool classifiers = false;
    bool normalisations = false;
    bool projections = false;

    /// ", seed 2, half 3 of the training part, mlp, l2, @50 random": these settings of a result, or nothing.
    [[nodiscard]] std::string text(const core::Json& document) const;
};

Varying varying(const std::vector<task::Settings>& settings);

/// How large pieces of work are by the files of their tasks below the configuration's data folder.
std::vector<UnitSize> sizes_of(const std::vector<run::Unit>& units,
                               const std::vector<const task::Task*>& tasks,
                               const run::Config& config);

/// Writes to standard error: one line for each cell that is finished and, without a terminal, one for
/// each encoder and task that begins, so that a crash has a culprit. Collects cells and failures.
class RunProgress final : public run::Observer {
public:
    /// `processes`: that work at the same time, each at a piece of its own.
    RunProgress(const std::vector<UnitSize>& units,
                Varying varying,
                Verbosity verbosity,
                std::size_t processes = 1);
    void started(const std::string& encoder, const std::string& task, std::size_t cells) override;
    void computing(const core::Json& document) override;
    void progress(std::string_view phase, std::size_t done, std::size_t total) override;
    void finished(const run::Cell& cell) override;
    void kept(const run::Cell& cell) override;
    void skipped(const std::string& why) override;
    void doubted(const std::string& task, const std::vector<std::string>& doubts) override;
    void warned(const std::string& what) override;
    void failed(const run::Failure& failure) override;

    /// A line of its own, above the bar. From any thread.
    void line(std::string_view text);

    // From any thread, also while the run goes on.
    [[nodiscard]] std::vector<core::Json> documents() const;
    [[nodiscard]] std::vector<run::Failure> failures() const;

    /// Ctrl-C was heard: says so, and draws no bar any more. From any thread.
    void stopping();

    /// The run is over: others write lines now. From any thread.
    void end();

private:
    /// Of the encoder and task at work.
    struct AtWork {
        std::string encoder;
        std::string task;
        std::size_t cells = 0; ///< that have not come yet
        std::string cell = {}; ///< what tells the one at work from the others
    };

    void report(const run::Cell& cell, std::string_view remark);
    void tell_cost();
    [[nodiscard]] double share_of_cells() const;
    [[nodiscard]] std::optional<TimeLeft> time_left() const;
    [[nodiscard]] std::string left_text() const;
    void draw(std::string_view phase, double share_of_phase);

    const Varying varying_;
    const Verbosity verbosity_;
    mutable std::mutex mutex_;
    ProgressBar bar_;

    std::size_t cells_ = 0;
    std::size_t done_ = 0;
    AtWork at_work_;
    std::optional<Estimate> estimate_; ///< where pieces are done one after the other
    bool cost_is_told_ = false;
    double shown_ = 0; ///< of the bar: it never goes back
    std::vector<core::Json> documents_;
    std::vector<run::Failure> failures_;
    std::set<std::string> names_; ///< of encoders and tasks that have begun
    std::set<std::string> told_;  ///< doubts, and warnings without their numbers
};

} // namespace senteval::host
