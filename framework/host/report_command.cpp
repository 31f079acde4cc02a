#include "compare/assemble.hpp"
#include "compare/errors.hpp"
#include "core/counted.hpp"
#include "core/parallel.hpp"
#include "host/commands.hpp"
#include "host/output.hpp"
#include "host/output_file.hpp"
#include "host/results_folder.hpp"
#include "report/html.hpp"
#include "tasks/catalog.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

struct ReportOptions {
    ResultsOptions results;
    std::string output = "report.html";
    ErrorsOptions errors;
    compare::AssembleOptions assemble;
};

void write_report(ReportOptions& options, int& exit_code)
{
    const OutputFile output("--output", options.output);
    output.check_writable();
    const task::Tasks tasks = tasks::catalog();
    for (const auto& task : tasks)
        options.assemble.groups[task->info().name] = task->info().groups.front();
    const compare::Results results = load_results(options.results, exit_code);
    compare::Options comparing;
    comparing.resampling = options.assemble.resampling;
    comparing.across_tasks = true;
    const auto comparison = compare::compare(results, comparing);
    auto document = compare::assemble(results, comparison, options.assemble);
    if (options.errors.count > 0)
        document.errors = worst_errors(results, comparison, options.errors, exit_code);
    output.write(report::to_html(document));
    if (options.output != "-")
        note("{}: {}, {}\n", options.output, core::counted(document.encoders.size(), "encoder"),
             core::counted(document.tasks.size(), "task"));
}

} // namespace

void add_report_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<ReportOptions>();
    options->assemble.program = "senteval " SENTEVAL_PROGRAM_VERSION;
    options->assemble.resampling.threads = core::available_threads();
    CLI::App* command = app.add_subcommand(
        "report", "Draw a store's results as one HTML file that needs no network");
    add_results_options(*command, options->results);
    command->add_option("-o,--output", options->output, "The HTML file (- for standard output)")
        ->type_name("FILE")
        ->capture_default_str();
    command->add_option("--title", options->assemble.title, "Of the page")->type_name("TEXT");
    add_errors_options(*command, options->errors);
    command
        ->add_option("--resamples", options->assemble.resampling.resamples,
                     "Of the max-T procedure")
        ->check(CLI::Range(100, 10'000'000))
        ->capture_default_str();
    command->callback([options, &exit_code] {
        exit_code = 0;
        write_report(*options, exit_code);
    });
}

} // namespace senteval::host
