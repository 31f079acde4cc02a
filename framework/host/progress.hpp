// progress.hpp -- what a run shows while it runs: a bar on a terminal, plain lines elsewhere.
#pragma once

#include "run/evaluate.hpp"

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {

enum class Verbosity { quiet, normal, verbose };

/// Writes to standard error, one line per finished cell. Collects the cells and the failures.
class RunProgress final : public run::Observer {
public:
    RunProgress(std::size_t cells, Verbosity verbosity);
    ~RunProgress() override;
    RunProgress(const RunProgress&) = delete;
    RunProgress& operator=(const RunProgress&) = delete;
    RunProgress(RunProgress&&) = delete;
    RunProgress& operator=(RunProgress&&) = delete;

    void started(const std::string& encoder, const std::string& task, std::size_t cells) override;
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

    /// The cell at work failed, in the phase it is in. From any thread.
    void failed_at_work(const std::string& why);

private:
    void report(const run::Cell& cell, std::string_view remark);
    void print(std::string_view text);
    void draw(std::string_view phase, double share_of_cell);
    void erase();
    [[nodiscard]] std::string at_work() const;

    std::size_t cells_;
    Verbosity verbosity_;
    bool bar_;
    bool drawn_ = false;
    std::size_t done_ = 0;
    std::size_t done_after_task_ = 0; ///< the task at hand
    std::string encoder_;             ///< of the cell at work, as its task and phase
    std::string task_;
    std::string phase_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point last_drawn_;
    std::vector<core::Json> documents_;
    std::vector<run::Failure> failures_;
    mutable std::mutex mutex_;
};

} // namespace senteval::host
