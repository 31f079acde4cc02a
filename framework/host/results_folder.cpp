#include "host/results_folder.hpp"

#include "core/error.hpp"
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
        fmt::print(stderr, "senteval: {}\n", problem);
    if (cells.empty())
        throw core::UsageError("the store '{}' has no results", store.string());
    compare::Results results(std::move(cells));
    std::vector<std::string> names;
    for (const auto& task : tasks::catalog())
        names.push_back(task->info().name);
    results.order_tasks(names);
    return results;
}

} // namespace senteval::host
