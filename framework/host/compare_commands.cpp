#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "compare/comparison.hpp"
#include "compare/cost.hpp"
#include "compare/gate.hpp"
#include "compare/slices.hpp"
#include "host/commands.hpp"
#include "host/help.hpp"
#include "host/output.hpp"
#include "host/results_folder.hpp"
#include "report/errors.hpp"
#include "report/formats.hpp"
#include "report/html.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

struct Options {
    ResultsOptions results;
    compare::Options compare;
    std::string format = "table";
    std::string table; ///< of papers; empty: all tasks
    bool details = false;
    std::vector<std::string> details_of; ///< tasks
    bool plain = false;
    bool slices = false;
    bool cost = false;
    bool stack = false;
    bool gate = false;
    std::string junit; ///< a file
    ErrorsOptions errors;
};

/// A variable of a script that is not set is a mistake, not the default.
std::string is_given(const std::string& value)
{
    return value.empty() ? "the value is empty" : "";
}

/// Slices and errors are for reading and for programs; other formats have no place for them. What would change nothing
/// is refused.
void check_format(const Options& options)
{
    const bool is_paper = !options.table.empty();
    if (is_paper && (options.details || options.slices || options.cost || options.errors.count > 0))
        throw base::UsageError(
            "--table cannot be combined with --details, --slices, --cost or --errors");
    if (options.details && options.details_of.empty() && options.format != "table")
        throw base::UsageError(
            "--details need the format table: leave out --details or --format {}", options.format);
    if (options.plain && !is_paper && options.format != "markdown" && options.format != "latex")
        throw base::UsageError("--plain needs --table, --format markdown or --format latex");
    if ((options.slices || options.cost || options.stack || options.errors.count > 0) &&
        options.format != "table" && options.format != "json")
        throw base::UsageError(
            "--slices, --cost, --stack and --errors have no {} form: take --format table or "
            "json",
            options.format);
}

report::Print print_of(const Options& options)
{
    return options.plain ? report::Print::plain : report::Print::full;
}

/// A table as papers print it.
void print_paper(Options options, int& exit_code)
{
    const report::PaperTable& table = report::paper_table(options.table);
    if (options.compare.metric.empty())
        options.compare.metric = table.metric;
    compare::Results results = load_results(options.results, exit_code);
    std::vector<std::string> tasks;
    std::ranges::copy_if(table.tasks, std::back_inserter(tasks), [&](const std::string& task) {
        return std::ranges::find(results.tasks(), task) != results.tasks().end();
    });
    if (tasks.empty())
        throw base::UsageError("--table {}: the results have none of {}", table.name,
                               fmt::join(table.tasks, ", "));
    results.keep_tasks(tasks);
    const auto printed =
        report::as_printed(compare::compare_best_first(results, options.compare), table);
    if (options.format == "json")
        emit_json(report::to_json(printed));
    else if (options.format == "csv")
        emit_data(report::paper_to_csv(printed));
    else if (options.format == "latex")
        emit("{}", report::to_latex(printed, options.table, print_of(options)));
    else if (options.format == "markdown")
        emit("{}", report::to_markdown(printed, print_of(options)));
    else
        emit("{}", report::paper_to_terminal(printed, table_style(), print_of(options)));
}

void print_for_reading(const Options& options,
                       const compare::Comparison& comparison,
                       const std::vector<compare::Losses>& losses,
                       const std::optional<compare::Costs>& costs,
                       const std::vector<compare::Slices>& slices,
                       const std::vector<report::WorstErrors>& errors)
{
    const report::TerminalStyle style = table_style();
    emit("{}{}", report::to_terminal(comparison, style),
         report::losses_to_terminal(losses, comparison, style));
    if (options.details)
        emit("\n{}", report::details_to_terminal(comparison, style));
    if (costs)
        emit("\n{}", report::costs_to_terminal(*costs, comparison, style));
    emit("{}{}", report::slices_to_terminal(slices, style),
         report::errors_to_terminal(errors, style.width));
}

/// The steps of searches alone.
void print_stack(const Options& options, int& exit_code)
{
    ResultsOptions chosen = options.results;
    chosen.parts = true; // rankings are those of parts
    const compare::Results results = load_results(chosen, exit_code);
    const auto stacks = compare::stacks_of(results, options.compare.metric, options.compare.margin);
    if (stacks.empty())
        throw base::UsageError(
            "--stack: no row is fused, reranked or cut: senteval run --fuse, --rerank, --chunks");
    if (options.format == "json")
        emit_json(report::stacks_to_json(stacks));
    else
        emit("{}", report::stacks_to_terminal(stacks, table_style()));
}

int exit_code_of(const std::vector<compare::Gate>& gates)
{
    const auto has = [&](compare::Answer answer) {
        return std::ranges::count(gates, answer, &compare::Gate::answer) > 0;
    };
    return has(compare::Answer::no) ? exit_no : has(compare::Answer::open) ? exit_open : 0;
}

/// Whether encoders may take the baseline's place, and nothing else.
void print_gate(const Options& options, int& exit_code)
{
    if (options.compare.baseline.empty() || !(options.compare.margin > 0))
        throw base::UsageError("--gate needs --baseline LABEL and --margin POINTS");
    if (options.format != "table" && options.format != "json")
        throw base::UsageError(
            "--gate has no {} form: take --format table or json, or --junit FILE", options.format);
    const OutputFile junit("--junit", options.junit);
    junit.check_writable();
    if (std::filesystem::is_regular_file(options.junit))
        std::filesystem::remove(options.junit); // an error leaves no earlier answer
    const compare::Results results = load_results(options.results, exit_code);
    const compare::Comparison comparison = compare::compare(results, options.compare);
    if (comparison.rows.size() < 2)
        throw base::UsageError("--gate: there is no encoder but '{}'", comparison.options.baseline);
    if (comparison.tasks.size() < results.tasks().size())
        throw base::Error("--gate: no encoder has a value of '{}' on some tasks: leave out "
                          "--metric, or choose by --tasks",
                          options.compare.metric);
    const auto gates = compare::gates_of(comparison);
    junit.write(report::gates_to_junit(gates, comparison));
    if (options.format == "json")
        emit_json(report::gates_to_json(gates, comparison));
    else
        emit("{}", report::gates_to_terminal(gates, comparison, table_style()));
    if (exit_code == 0)
        exit_code = exit_code_of(gates);
}

void print_comparison(const Options& options, int& exit_code)
{
    if (options.gate || !options.junit.empty()) {
        print_gate(options, exit_code);
        return;
    }
    check_format(options);
    if (options.stack) {
        print_stack(options, exit_code);
        return;
    }
    if (!options.table.empty()) {
        print_paper(options, exit_code);
        return;
    }
    compare::Results results = load_results(options.results, exit_code);
    const compare::Comparison comparison = compare::compare_best_first(results, options.compare);
    std::vector<compare::Slices> slices;
    if (options.slices)
        slices = compare::slices_of(results, comparison);
    std::optional<compare::Costs> costs;
    if (options.cost)
        costs = compare::costs_of(results, comparison);
    const std::vector<compare::Losses> losses = compare::losses_of(results, comparison);
    std::vector<report::WorstErrors> errors;
    if (options.errors.count > 0)
        errors = worst_errors(results, comparison, options.errors, exit_code);
    if (options.format == "json") {
        base::Json json = report::to_json(comparison);
        if (!losses.empty())
            json["losses"] = report::losses_to_json(losses, comparison);
        if (options.slices)
            json["slices"] = report::slices_to_json(slices);
        if (costs)
            json["cost"] = report::costs_to_json(*costs, comparison);
        if (options.errors.count > 0)
            json["errors"] = report::errors_to_json(errors);
        emit_json(json);
    } else if (options.format == "csv")
        emit_data(report::to_csv(comparison));
    else if (options.format == "latex")
        emit("{}", report::to_latex(comparison, "all", print_of(options)));
    else if (options.format == "markdown")
        emit("{}", report::to_markdown(comparison, print_of(options)));
    else
        print_for_reading(options, comparison, losses, costs, slices, errors);
}

struct ReportOptions {
    ResultsOptions results;
    std::string output = "report.html";
    std::string title;
    ErrorsOptions errors;
    compare::Options comparing;
};

void write_report(ReportOptions& options, int& exit_code)
{
    const OutputFile output("--output", options.output);
    output.check_writable();
    compare::Results results = load_results(options.results, exit_code);
    const auto comparison = compare::compare_best_first(results, options.comparing);
    report::Page page{comparison, results};
    if (!options.title.empty())
        page.title = options.title;
    page.program = "senteval " SENTEVAL_PROGRAM_VERSION;
    page.slices = compare::slices_of(results, comparison);
    if (options.errors.count > 0)
        page.errors = worst_errors(results, comparison, options.errors, exit_code);
    output.write(report::to_html(page));
    if (options.output != "-")
        note("{}: {}, {}\n", options.output, base::counted(comparison.rows.size(), "encoder"),
             base::counted(comparison.tasks.size(), "task"));
}

} // namespace

void add_compare_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<Options>();
    options->compare.threads = base::available_threads();
    CLI::App* command =
        app.add_subcommand("compare", "Which encoder is really better? Intervals and paired tests");
    add_results_options(*command, options->results);
    add_parts_option(*command, options->results);
    add_option(*command, "--baseline", options->compare.baseline,
               "Compare with this encoder instead of the best of each task", "LABEL")
        ->check(is_given);
    add_option(*command, "--metric", options->compare.metric,
               "Metric in place of each task's headline metric; 'spearman' is each task's own",
               "PATH")
        ->check(is_given);
    command->add_flag("--details", options->details,
                      "Intervals, p-values and detectable differences, task by task");
    add_option(*command, "--task", options->details_of, "--details of these tasks only", "TASKS")
        ->delimiter(',');
    add_option(*command, "--table", options->table,
               "A table as papers print it: sts, transfer, probing", "sts|transfer|probing")
        ->check(CLI::IsMember({"sts", "transfer", "probing"}));
    command->add_flag("--plain", options->plain, "Values alone, without intervals and marks");
    command->add_flag("--items-only", options->compare.items_only,
                      "Judge these trained classifiers alone, without the variance of seeds");
    command->add_flag("--all-pairs", options->compare.all_pairs,
                      "Compare every two rows of a task; rows that share a letter are not "
                      "significantly different");
    command->add_flag("--across-tasks", options->compare.across_tasks,
                      "Is one better over the tasks? Friedman's test, Wilcoxon's");
    command->add_flag("--gate", options->gate,
                      "May each encoder take the baseline's place? Exit code 0: yes, it loses less "
                      "than --margin on every "
                      "task; 3: no; 4: could not tell");
    add_option(*command, "--junit", options->junit, "--gate, also as JUnit's XML into this file",
               "FILE");
    add_option(*command, "--margin", options->compare.margin,
               "Points that do not matter (1 % of an accuracy, 0.01 of a correlation): also "
               "test for equivalence",
               "POINTS")
        ->check(CLI::Range(0.001, 1e6))
        ->check(a_number());
    command->add_flag("--slices", options->slices,
                      "Also by length, unknown words, overlap and gold class of the test items");
    command->add_flag("--cost", options->cost,
                      "Also quality beside dimension, bytes, sentences per second and memory");
    command->add_flag("--stack", options->stack,
                      "Of searches alone: what each fusion and reranker adds to its parts");
    add_errors_options(*command, options->errors);
    command->add_option("--format", options->format, "table, markdown, csv, latex or json")
        ->check(CLI::IsMember({"table", "markdown", "csv", "latex", "json"}))
        ->capture_default_str();
    command->callback([options, &exit_code] {
        exit_code = 0;
        options->details = options->details || !options->details_of.empty();
        std::ranges::move(options->details_of, std::back_inserter(options->results.tasks));
        print_comparison(*options, exit_code);
    });
}

void add_report_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<ReportOptions>();
    options->comparing.threads = base::available_threads();
    CLI::App* command = app.add_subcommand(
        "report", "Draw a store's results as one HTML file that needs no network");
    add_results_options(*command, options->results);
    add_parts_option(*command, options->results);
    add_option(*command, "-o,--output", options->output, "The HTML file (- for standard output)",
               "FILE")
        ->capture_default_str();
    add_option(*command, "--title", options->title, "Title of the page", "TEXT");
    add_option(*command, "--baseline", options->comparing.baseline,
               "Compare with this row, not with the best of each task", "ENCODER");
    command->add_flag("--items-only", options->comparing.items_only,
                      "Judge these trained classifiers alone, without the variance of seeds");
    command->add_flag("--across-tasks", options->comparing.across_tasks,
                      "Is one better over the tasks? Friedman's test, Wilcoxon's");
    add_option(*command, "--margin", options->comparing.margin,
               "Points that do not matter: also test for equivalence", "POINTS")
        ->check(CLI::PositiveNumber);
    add_errors_options(*command, options->errors);
    command->callback([options, &exit_code] {
        exit_code = 0;
        write_report(*options, exit_code);
    });
}

} // namespace senteval::host
