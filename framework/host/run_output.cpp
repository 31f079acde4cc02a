#include "host/run_job.hpp"

#include "compare/comparison.hpp"
#include "host/output.hpp"
#include "host/terminal.hpp"
#include "report/formats.hpp"
#include "report/papers.hpp"
#include "task/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

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

/// Published figures to read the table by, where its data is the published set.
void print_references(const compare::Comparison& table, const std::vector<const task::Task*>& tasks)
{
    for (const compare::TaskComparison& shown : table.tasks) {
        const auto task = std::find_if(tasks.begin(), tasks.end(), [&](const task::Task* one) {
            return one->info().name == shown.task;
        });
        const bool is_published = std::any_of(
            shown.entries.begin(), shown.entries.end(), [](const compare::Entry& entry) {
                return entry.score.seeds > 0 && entry.data_warnings.empty() &&
                       entry.trained_on.empty();
            });
        if (task != tasks.end() && is_published && !(*task)->info().reference.empty())
            emit("\n{}: {}\n", shown.task, (*task)->info().reference);
    }
}

/// The headline of a task of the run.
task::Metric headline_of(const std::vector<const task::Task*>& tasks, const std::string& name)
{
    for (const task::Task* task : tasks)
        if (task->info().name == name)
            return *task::find_metric(task->info().metrics, task->info().headline);
    return {};
}

compare::Comparison
table_of(const RunProgress& progress, const run::Plan& plan, const std::string& metric = {})
{
    const auto& tasks = plan.tasks;
    std::vector<run::Cell> cells;
    for (const Json& document : progress.documents())
        cells.push_back({document, {}});
    std::vector<compare::Failure> failures;
    for (const auto& failure : progress.failures())
        failures.push_back({failure.encoder, failure.task, headline_of(tasks, failure.task)});
    std::vector<std::string> order;
    order.reserve(tasks.size());
    for (const task::Task* task : tasks)
        order.push_back(task->info().name);
    std::map<std::string, std::string> groups;
    for (const task::Task* task : tasks)
        if (!task->info().groups.empty())
            groups[task->info().name] = task->info().groups.front();
    compare::Results results(std::move(cells));
    results.group_tasks(std::move(groups));
    std::vector<std::string> rows; // an encoder, then what it is projected or normalised to
    for (const run::PlannedEncoder& encoder : plan.encoders)
        rows.insert(rows.end(), {encoder.label, encoder.label + " *"});
    results.order_rows(rows);
    return compare::tabulate(results, failures, order, metric);
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

void print_table(const RunProgress& progress, const run::Plan& plan, const std::string& format)
{
    const auto& tasks = plan.tasks;
    const compare::Comparison table = table_of(progress, plan);
    if (table.rows.empty())
        return;
    if (format == "csv") {
        emit_data(report::to_csv(table));
        return;
    }
    std::vector<std::string> names;
    names.reserve(tasks.size());
    for (const task::Task* task : tasks)
        names.push_back(task->info().name);
    const report::PaperTable* paper = report::paper_table_of(names);
    const compare::Comparison shown =
        paper == nullptr ? table
                         : report::as_printed(table_of(progress, plan, paper->metric), *paper);
    if (format == "markdown")
        emit("{}", report::to_markdown(shown));
    else if (format == "latex")
        emit("{}",
             report::to_latex(shown, paper == nullptr ? "results" : std::string(paper->name)));
    else if (paper == nullptr)
        emit("{}", report::values_to_terminal(shown, table_style()));
    else
        emit("{}", report::paper_to_terminal(shown, table_style(), report::Print::full));
    if (format == "latex")
        return; // it goes into a file
    print_references(table, tasks);
}

} // namespace senteval::host
