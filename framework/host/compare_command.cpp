#include "compare/comparison.hpp"
#include "compare/errors.hpp"
#include "compare/formats.hpp"
#include "compare/slices.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "host/commands.hpp"
#include "host/option_text.hpp"
#include "host/output.hpp"
#include "host/results_folder.hpp"
#include "host/terminal.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

struct Options {
    ResultsOptions results;
    std::string format = "table";
    std::string family = "task";
    std::string population = "widest";
    compare::Options compare;
    bool slices = false;
    ErrorsOptions errors;
};

/// A variable of a script that is not set is a mistake, not the default.
std::string is_given(const std::string& value)
{
    return value.empty() ? "the value is empty" : "";
}

/// Slices and errors are for reading and for programs; tables have no place for them.
void check_format(const Options& options)
{
    if ((options.slices || options.errors.count > 0) && options.format != "table" &&
        options.format != "json")
        throw core::UsageError("--slices and --errors have no {} form: take --format table or json",
                               options.format);
}

void read_choices(Options& options)
{
    const std::map<std::string, compare::Family> families = {{"table", compare::Family::table},
                                                             {"task", compare::Family::task},
                                                             {"none", compare::Family::none}};
    const std::map<std::string, stats::Population> populations = {
        {"items", stats::Population::items},
        {"seeds", stats::Population::seeds},
        {"training", stats::Population::training}};
    options.compare.family = families.at(options.family);
    if (const auto at = populations.find(options.population); at != populations.end())
        options.compare.population = at->second;
    if (options.compare.false_discovery_rate && options.compare.family == compare::Family::none)
        throw core::UsageError("--fdr is a rate over a family: take --family task or table");
}

void print_for_reading(const compare::Comparison& comparison,
                       const std::vector<report::Slices>& slices,
                       const std::vector<report::WorstErrors>& errors)
{
    const report::TerminalStyle style = table_style();
    emit("{}{}{}", compare::to_terminal(comparison, style),
         compare::slices_to_terminal(slices, style.width),
         compare::errors_to_terminal(errors, style.width));
}

void print_comparison(const Options& options, int& exit_code)
{
    check_format(options);
    const compare::Results results = load_results(options.results, exit_code);
    const compare::Comparison comparison = compare::compare(results, options.compare);
    std::vector<report::Slices> slices;
    if (options.slices)
        slices = compare::slices_of(results, comparison, options.compare.resampling);
    std::vector<report::WorstErrors> errors;
    if (options.errors.count > 0)
        errors = worst_errors(results, comparison, options.errors, exit_code);
    if (options.format == "json") {
        core::Json json = compare::to_json(comparison);
        if (options.slices)
            json["slices"] = compare::slices_to_json(slices);
        if (options.errors.count > 0)
            json["errors"] = compare::errors_to_json(errors);
        emit_json(json);
    } else if (options.format == "csv")
        emit_data(compare::to_csv(comparison));
    else if (options.format == "latex")
        emit("{}", compare::to_latex(comparison));
    else if (options.format == "markdown")
        emit("{}", compare::to_markdown(comparison));
    else
        print_for_reading(comparison, slices, errors);
}

} // namespace

void add_compare_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<Options>();
    options->compare.resampling.threads = core::available_threads();
    CLI::App* command =
        app.add_subcommand("compare", "Which encoder is really better? Intervals and paired tests");
    add_results_options(*command, options->results);
    command
        ->add_option("--baseline", options->compare.baseline,
                     "Compare with this encoder instead of the best of each task")
        ->check(is_given)
        ->type_name("LABEL");
    command
        ->add_option("--metric", options->compare.metric, "Instead of each task's headline metric")
        ->check(is_given)
        ->type_name("PATH");
    command
        ->add_option("--family", options->family,
                     "Comparisons whose errors are counted together: those of each task, of the "
                     "whole table, or none")
        ->check(CLI::IsMember({"task", "table", "none"}))
        ->capture_default_str();
    command->add_flag("--fdr", options->compare.false_discovery_rate,
                      "Control the share of false verdicts in place of the chance of any");
    command->add_flag("--all-pairs", options->compare.all_pairs,
                      "Compare every two rows of a task; those that share a letter cannot be told "
                      "apart (CSV and JSON have the difference of each pair)");
    CLI::Option* across = command->add_flag(
        "--across-tasks", options->compare.across_tasks,
        "Is one better over the tasks? Friedman's test, Wilcoxon's, replicability");
    command
        ->add_option("--margin", options->compare.margin,
                     "Mark what differs from the reference by less than so many points (1 % of "
                     "an accuracy, 0.01 of a correlation)")
        ->check(CLI::Range(0.001, 1e6))
        ->check(a_number())
        ->type_name("POINTS");
    command
        ->add_option("--rope", options->compare.rope,
                     "Points that do not matter, for --across-tasks")
        ->needs(across)
        ->check(CLI::Range(0.001, 1e6))
        ->check(a_number())
        ->type_name("POINTS")
        ->capture_default_str();
    command
        ->add_option(
            "--population", options->population,
            "What the verdicts speak of: items (these classifiers on new items), seeds (the "
            "encoders under new seeds as well), training (under new training sets as "
            "well), or widest, that the results allow")
        ->check(CLI::IsMember({"widest", "items", "seeds", "training"}))
        ->capture_default_str();
    command
        ->add_option("--resamples", options->compare.resampling.resamples, "Of the max-T procedure")
        ->check(CLI::Range(100, 10'000'000))
        ->capture_default_str();
    command->add_flag("--slices", options->slices,
                      "Also by length, unknown words, overlap and gold class of the test items");
    add_errors_options(*command, options->errors);
    command->add_option("--format", options->format, "table, markdown, csv, latex or json")
        ->check(CLI::IsMember({"table", "markdown", "csv", "latex", "json"}))
        ->capture_default_str();
    command->callback([options, &exit_code] {
        read_choices(*options);
        exit_code = 0;
        print_comparison(*options, exit_code);
    });
}

} // namespace senteval::host
