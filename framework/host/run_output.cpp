#include "host/run_output.hpp"

#include "host/output.hpp"
#include "host/terminal.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace senteval::host {
namespace {

using core::Json;

Json result_entry(const Json& document)
{
    Json entry = {{"encoder", document.at("encoder").at("label")},
                  {"task", document.at("task").at("name")},
                  {"metrics", document.at("metrics")},
                  {"seconds", document.at("run").at("seconds")}};
    entry["document"] = document;
    return entry;
}

/// Published figures to read the table by.
void print_references(const report::Table& table, const std::vector<const task::Task*>& tasks)
{
    for (const task::Task* task : tasks) {
        const auto& shown = table.tasks();
        const task::Info& info = task->info();
        if (!info.reference.empty() &&
            std::find(shown.begin(), shown.end(), info.name) != shown.end())
            emit("\n{}: {}\n", info.name, info.reference);
    }
}

} // namespace

core::Json run_json(const RunProgress& progress)
{
    Json results = Json::array();
    for (const Json& document : progress.documents())
        results.push_back(result_entry(document));
    Json failures = Json::array();
    for (const auto& failure : progress.failures())
        failures.push_back(
            {{"encoder", failure.encoder}, {"task", failure.task}, {"error", failure.why}});
    return {{"results", results}, {"failures", failures}};
}

void print_table(const RunProgress& progress,
                 const std::vector<const task::Task*>& tasks,
                 const std::string& format)
{
    report::Table table;
    for (const Json& document : progress.documents())
        table.add(document);
    for (const auto& failure : progress.failures())
        table.add_failure(failure.encoder, failure.task);
    if (table.encoders().empty())
        return;
    if (format == "csv") {
        emit("{}", report::to_csv(table));
        return;
    }
    if (format == "markdown")
        emit("{}", report::to_markdown(table));
    else
        emit("{}", report::to_terminal(table, {has_style(Stream::out), width(Stream::out)}));
    print_references(table, tasks);
}

} // namespace senteval::host
