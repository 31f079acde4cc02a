// run_job.hpp -- a run that was checked, the computing of it, whole or a share, and what it writes.
#pragma once

#include "base/json.hpp"
#include "host/progress.hpp"
#include "host/run_arguments.hpp"
#include "run/evaluate.hpp"
#include "run/plan.hpp"
#include "run/work.hpp"
#include "task/task.hpp"

#include <filesystem>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {

/// A process's share of a run, and where it reports.
struct RunShare {
    run::NextUnit next;
    const results::Store& store;
    std::filesystem::path cache; ///< of embeddings; empty: none
    run::Observer& observer;
    std::function<void(std::string_view)> line; ///< shows what encoders log; from any thread
    unsigned threads = 0;                       ///< 0: as the configuration has it
};

class RunJob {
public:
    /// Checks all that can be checked before anything is computed. `arguments` must outlive the job.
    /// Throws base::UsageError.
    RunJob(const RunArguments& arguments, std::stop_token stop);

    [[nodiscard]] const run::Config& config() const { return config_; }
    [[nodiscard]] const run::Plan& plan() const { return plan_; }
    [[nodiscard]] const std::vector<run::Unit>& units() const { return units_; }
    [[nodiscard]] const std::stop_token& stop() const { return stop_; }

    /// Measures the cost of each encoder on this computer that the store does not have; `line` shows progress.
    void measure_costs(const results::Store& store,
                       const std::function<void(std::string_view)>& line) const;

    /// Returns whether it was stopped.
    [[nodiscard]] bool compute(const RunShare& share) const;

    /// What is made of the rankings of searches, when all else is there. Returns whether it was stopped.
    [[nodiscard]] bool compute_stack(const RunShare& share,
                                     std::span<const results::Result> records) const;

    /// Its rows, if all goes well.
    [[nodiscard]] std::size_t cells_of_stack() const;

private:
    [[nodiscard]] run::EvaluateOptions options_of(const RunShare& share) const;
    [[nodiscard]] bool has_stack() const
    {
        return !plan_.fusions.empty() || !plan_.rerankers.empty();
    }

    const RunArguments& arguments_;
    run::Config config_;
    task::Tasks catalog_;
    run::Plan plan_;
    std::vector<run::Unit> units_;
    std::stop_token stop_;
};

/// The whole run as one document: {"results": [...], "failures": [...]}.
base::Json run_json(const RunProgress& progress, const results::Store& store);

/// The table on standard output, as "table", "markdown" or "csv", with published figures below it.
void print_table(const RunProgress& progress, const run::Plan& plan, const std::string& format);

/// `--dry-run`: prints which cells there are, what is stored of them, and what is missing. Computes nothing, and
/// writes nothing but the document of --json. Returns the exit code: that of the run, as far as it can be told.
/// Throws base::UsageError.
int dry_run(const RunArguments& arguments, std::stop_token stop);

} // namespace senteval::host
