// results_folder.hpp -- a result store for the commands that read it.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "report/errors.hpp"
#include "results/store.hpp"
#include "task/task.hpp"

#include <CLI/App.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace senteval::host {

/// Selection of the results that a command reads.
struct ResultsOptions {
    std::vector<std::string> stores = {"results"};
    std::vector<std::string> tasks;    ///< names, groups or patterns; empty: all
    std::vector<std::string> encoders; ///< names or patterns; empty: all
    bool parts = false;                ///< each part of a task is a task
};

void add_results_options(CLI::App& command, ResultsOptions& options);
void add_parts_option(CLI::App& command, ResultsOptions& options);

/// The words, and the names of the tasks that a run would take them for: groups and other spellings.
std::vector<std::string> tasks_named(const std::vector<std::string>& words);

/// Throws base::UsageError where there is no such folder.
results::Store existing_store(const std::filesystem::path& given);

/// The results of the stores, tasks in catalogue order. With `tasks`, a store that is no path but a task
/// counts as one of these: `--tasks CR TREC` is two tasks. Says on standard error which files it could
/// not use, and makes `exit_code` exit_failed then. Throws base::UsageError where there is no store, no
/// result in one, or none that is asked for.
compare::Results load_results(ResultsOptions options, int& exit_code);

/// Its group, and whether its data is published.
compare::KnownTask known_task(const task::Info& task);

/// --errors N and --data DIR: the sentences that encoders got most wrong.
struct ErrorsOptions {
    std::size_t count = 0; ///< per encoder and task; 0: not asked for
    std::string data;
};

void add_errors_options(CLI::App& command, ErrorsOptions& options);

/// Says on standard error which tasks it could not look at.
std::vector<report::WorstErrors> worst_errors(const compare::Results& results,
                                              const compare::Comparison& comparison,
                                              const ErrorsOptions& options,
                                              int& exit_code);

} // namespace senteval::host
