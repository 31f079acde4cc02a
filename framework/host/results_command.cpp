#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/names.hpp"
#include "host/commands.hpp"
#include "host/output.hpp"
#include "host/progress.hpp"
#include "host/results_folder.hpp"
#include "host/terminal.hpp"
#include "report/table.hpp"
#include "run/document.hpp"
#include "run/store.hpp"

#include <CLI/App.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace senteval::host {
namespace {

using core::Json;

struct ListOptions {
    ResultsOptions which;
    bool remove = false;
};

bool is_named(const std::string& name, const std::vector<std::string>& patterns)
{
    return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
               return core::matches(name, pattern);
           });
}

std::string score_of(const Json& document)
{
    const task::Metric headline = run::headline_of(document);
    const auto value = headline.value_in(document.at("metrics"));
    return fmt::format("{} {}", headline.path, value ? headline.text(*value) : "undefined");
}

/// "1111, mlp": what tells a cell from the others of its encoder and task.
std::string settings_of(const Json& document)
{
    constexpr Varying all{.seeds = true,
                          .halves = true,
                          .classifiers = true,
                          .normalisations = true,
                          .projections = true};
    const std::string text = all.text(document);
    return text.empty() ? text : text.substr(2);
}

/// Lists the results of a store that are named, or removes them; returns how many there were.
std::size_t list(const run::Store& store, const ListOptions& options)
{
    const auto tasks = tasks_named(options.which.tasks);
    report::TextTable table = {{{"encoder"}, {"task"}, {"settings"}, {"date"}, {"score"}}};
    for (const Json& document : store.documents()) {
        const auto encoder = document.at("encoder").at("label").get<std::string>();
        const auto task = document.at("task").at("name").get<std::string>();
        if (!is_named(encoder, options.which.encoders) || !is_named(task, tasks))
            continue;
        if (options.remove)
            store.remove(document);
        table.push_back({{encoder},
                         {task},
                         {settings_of(document)},
                         {document.at("run").at("date").get<std::string>()},
                         {score_of(document)}});
    }
    std::ranges::sort(table.begin() + 1, table.end(), {}, [](const auto& row) {
        return std::tie(row[0].text, row[1].text, row[2].text);
    });
    if (table.size() > 1)
        emit("{}", report::to_terminal(table, table_style()));
    return table.size() - 1;
}

int list_results(const ListOptions& options)
{
    if (options.remove && options.which.encoders.empty() && options.which.tasks.empty())
        throw core::UsageError("--remove needs to know which results: name them by --encoders, "
                               "--tasks or both ('*' is all)");
    int exit_code = 0;
    for (const std::string& folder : options.which.stores) {
        const run::Store store = existing_store(folder);
        const std::size_t count = list(store, options);
        if (options.remove)
            emit("{} removed from '{}'\n", core::counted(count, "result"), folder);
        if (count == 0) {
            note("senteval: '{}' has no such result\n", folder);
            exit_code = exit_failed;
        }
    }
    return exit_code;
}

} // namespace

void add_results_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<ListOptions>();
    CLI::App* command = app.add_subcommand("results", "List what a result store has, or remove it");
    add_results_options(*command, options->which);
    command->add_flag("--remove", options->remove,
                      "Remove the results that --encoders and --tasks name, without asking");
    command->callback([options, &exit_code] { exit_code = list_results(*options); });
}

} // namespace senteval::host
