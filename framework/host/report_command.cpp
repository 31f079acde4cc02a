#include "core/counted.hpp"
#include "core/parallel.hpp"
#include "host/commands.hpp"
#include "host/output.hpp"
#include "host/results_folder.hpp"
#include "report/html.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace senteval::host {
namespace {

/// Rows of a division: plots and tables of more say nothing.
constexpr std::size_t most_sliced = 12;

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
    const compare::Results results = load_results(options.results, exit_code);
    const auto comparison = compare::compare(results, options.comparing);
    report::Page page{comparison, results};
    if (!options.title.empty())
        page.title = options.title;
    page.program = "senteval " SENTEVAL_PROGRAM_VERSION;
    page.slices = compare::slices_of(results, comparison, most_sliced);
    if (options.errors.count > 0)
        page.errors = worst_errors(results, comparison, options.errors, exit_code);
    output.write(report::to_html(page));
    if (options.output != "-")
        note("{}: {}, {}\n", options.output, core::counted(comparison.rows.size(), "encoder"),
             core::counted(comparison.tasks.size(), "task"));
}

} // namespace

void add_report_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<ReportOptions>();
    options->comparing.across_tasks = true;
    options->comparing.threads = core::available_threads();
    CLI::App* command = app.add_subcommand(
        "report", "Draw a store's results as one HTML file that needs no network");
    add_results_options(*command, options->results);
    command->add_option("-o,--output", options->output, "The HTML file (- for standard output)")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_option("--title", options->title, "Of the page")->type_name("TEXT");
    command
        ->add_option("--baseline", options->comparing.baseline,
                     "Compare with this row, not with the best of each task")
        ->type_name("ENCODER");
    command->add_flag("--items-only", options->comparing.items_only,
                      "About the trained classifiers at hand: seeds have no part in it");
    command
        ->add_option("--margin", options->comparing.margin,
                     "Points that do not matter: also test for equivalence")
        ->type_name("POINTS")
        ->check(CLI::PositiveNumber);
    add_errors_options(*command, options->errors);
    command->callback([options, &exit_code] {
        exit_code = 0;
        write_report(*options, exit_code);
    });
}

} // namespace senteval::host
