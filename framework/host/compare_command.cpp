#include "compare/comparison.hpp"
#include "compare/formats.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "host/commands.hpp"
#include "host/results_folder.hpp"
#include "host/terminal.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace senteval::host {
namespace {

struct Options {
    std::string store = "results";
    std::string format = "table";
    compare::Options compare;
};

void print_comparison(const Options& options)
{
    const compare::Comparison comparison =
        compare::compare(load_results(options.store), options.compare);
    if (options.format == "json")
        fmt::print("{}\n", compare::to_json(comparison).dump(2));
    else if (options.format == "csv")
        fmt::print("{}", compare::to_csv(comparison));
    else if (options.format == "latex")
        fmt::print("{}", compare::to_latex(comparison));
    else if (options.format == "markdown")
        fmt::print("{}", compare::to_markdown(comparison));
    else
        fmt::print("{}", compare::to_terminal(comparison, has_style(Stream::out)));
}

} // namespace

void add_compare_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<Options>();
    options->compare.resampling.threads = core::available_threads();
    CLI::App* command =
        app.add_subcommand("compare", "Which encoder is really better? Intervals and paired tests");
    command->add_option("store", options->store, "Result store of 'senteval run'")
        ->capture_default_str();
    command
        ->add_option("--baseline", options->compare.baseline,
                     "Compare with this encoder instead of the best of each task")
        ->type_name("LABEL");
    command
        ->add_option("--metric", options->compare.metric, "Instead of each task's headline metric")
        ->type_name("PATH");
    command->add_option("--resamples", options->compare.resampling.resamples, "Of the bootstrap")
        ->check(CLI::Range(100, 10'000'000))
        ->capture_default_str();
    command->add_option("--format", options->format, "table, markdown, csv, latex or json")
        ->check(CLI::IsMember({"table", "markdown", "csv", "latex", "json"}))
        ->capture_default_str();
    command->callback([options, &exit_code] {
        print_comparison(*options);
        exit_code = 0;
    });
}

} // namespace senteval::host
