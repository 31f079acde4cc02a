#include "host/results_folder.hpp"

#include "compare/errors.hpp"
#include "core/error.hpp"
#include "host/output.hpp"
#include "tasks/catalog.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

namespace senteval::host {

compare::Results load_results(const std::filesystem::path& store)
{
    if (!std::filesystem::is_directory(store))
        throw core::UsageError(
            "there is no result store '{}': 'senteval run' makes one (--output DIR)",
            store.string());
    std::vector<std::string> problems;
    auto cells = run::Store(store).load_all(problems);
    for (const std::string& problem : problems)
        note("senteval: {}\n", problem);
    if (cells.empty())
        throw core::UsageError("the store '{}' has no results", store.string());
    compare::Results results(std::move(cells));
    std::vector<std::string> names;
    for (const auto& task : tasks::catalog())
        names.push_back(task->info().name);
    results.order_tasks(names);
    return results;
}

void add_errors_options(CLI::App& command, ErrorsOptions& options)
{
    CLI::Option* data =
        command.add_option("--data", options.data, "Folder of the datasets, for --errors")
            ->type_name("DIR")
            ->check(CLI::ExistingDirectory);
    command
        .add_option("--errors", options.count,
                    "Show the N worst errors of each encoder and task, with their sentences")
        ->type_name("N")
        ->expected(0, 1)
        ->default_str("20")
        ->check(CLI::Range(1, 1'000'000))
        ->needs(data);
}

std::vector<report::WorstErrors> worst_errors(const compare::Results& results,
                                              const compare::Comparison& comparison,
                                              const ErrorsOptions& options)
{
    std::vector<std::string> problems;
    auto errors = compare::worst_errors(results, comparison, tasks::catalog(), options.data,
                                        options.count, problems);
    for (const std::string& problem : problems)
        note("senteval: {}\n", problem);
    return errors;
}

} // namespace senteval::host
