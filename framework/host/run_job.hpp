// run_job.hpp -- a run that was checked, and the computing of it, whole or a share.
#pragma once

#include "host/run_arguments.hpp"
#include "run/evaluate.hpp"
#include "run/plan.hpp"
#include "run/work.hpp"
#include "task/task.hpp"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {

/// What a process computes of a run, and where it tells of it.
struct RunShare {
    run::NextUnit next;
    const run::CellStore& store;
    std::filesystem::path cache; ///< of embeddings; empty: none
    run::Observer& observer;
    std::function<void(std::string_view)> line; ///< shows what encoders log; from any thread
    unsigned threads = 0;                       ///< 0: as the configuration has it
};

class RunJob {
public:
    /// Checks all that can be checked before anything is computed. `arguments` must outlive the job.
    /// Throws core::UsageError.
    RunJob(const RunArguments& arguments, std::stop_token stop);

    [[nodiscard]] const run::Config& config() const { return config_; }
    [[nodiscard]] const run::Plan& plan() const { return plan_; }
    [[nodiscard]] const std::vector<run::Unit>& units() const { return units_; }
    [[nodiscard]] const std::stop_token& stop() const { return stop_; }

    /// Returns whether it was stopped.
    [[nodiscard]] bool compute(const RunShare& share) const;

private:
    const RunArguments& arguments_;
    run::Config config_;
    task::Tasks catalog_;
    run::Plan plan_;
    std::vector<run::Unit> units_;
    std::stop_token stop_;
};

/// That so few resampled training sets count for nothing; empty where there are enough, or none.
std::string warning_of_halves(const run::Config& config);

} // namespace senteval::host
