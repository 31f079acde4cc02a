#include "compare/columns.hpp"
#include "compare/comparison.hpp"
#include "compare/inference.hpp"
#include "compare/prospect.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/names.hpp"
#include "host/commands.hpp"
#include "host/option_text.hpp"
#include "host/output.hpp"
#include "host/results_folder.hpp"
#include "host/terminal.hpp"
#include "report/table.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

struct PlanOptions {
    std::string task;
    std::string metric;
    std::string classifier = "softmax";
    std::string results;
    std::optional<double> difference; ///< in points, where the metric has them: else as it is
    stats::Power power;
    std::size_t comparisons = 1;
};

/// What a plan is made from, and what is to be said of it.
struct Basis {
    compare::SeedMeasurement measured;
    std::vector<std::string> cautions;
};

/// Of results from a store.
std::vector<std::string> cautions_of(const compare::Results& results,
                                     const compare::SeedMeasurement& measured)
{
    std::vector<std::string> doubts;
    std::vector<std::string> taken;
    std::vector<std::string> others;
    std::size_t trained_on = 0;
    const auto alike = compare::rows_alike(results, 0);
    for (const compare::Row& row : results.rows()) {
        if (std::ranges::count(alike, &row) == 0) {
            others.push_back(row.label);
            continue;
        }
        taken.push_back(row.label);
        compare::add_distinct(compare::doubts_of(row.tasks[0]), doubts);
        trained_on = std::max(trained_on, compare::trained_on(*row.tasks[0].front()));
    }
    std::vector<std::string> cautions;
    if (!others.empty())
        cautions.push_back(fmt::format(
            "taken in, since no more are trained alike: {}; not, trained otherwise or on other "
            "items: {}",
            fmt::join(taken, ", "), fmt::join(others, ", ")));
    if (!doubts.empty())
        cautions.push_back(fmt::format("{}*: perhaps not the published data: {}",
                                       results.tasks()[0], fmt::join(doubts, "; ")));
    if (measured.trained && measured.by_training.empty() && trained_on > 0 &&
        trained_on < compare::fewest_trained_on)
        cautions.push_back(fmt::format(
            "trained on {} items: of fewer than {} 'compare' gives no verdict from any number of "
            "seeds unless the training set is resampled (run --resample-training 20), which adds "
            "to what is told here",
            trained_on, compare::fewest_trained_on));
    return cautions;
}

/// From a store of the user's own.
Basis measured_in(const PlanOptions& options, int& exit_code)
{
    ResultsOptions from;
    from.stores = {options.results};
    compare::Results results = load_results(from, exit_code);
    const auto& tasks = results.tasks();
    const auto task = std::ranges::find(tasks, core::folded(options.task),
                                        [](const std::string& name) { return core::folded(name); });
    if (task == tasks.end())
        throw core::UsageError("--task: '{}' has no results of '{}'.{} It has those of {}",
                               options.results, options.task,
                               core::did_you_mean(options.task, tasks), fmt::join(tasks, ", "));
    const std::vector<std::string> only = {*task};
    results.keep_tasks(only);
    const auto& metrics = results.metrics(0);
    const task::Metric* metric =
        options.metric.empty() ? &metrics.front() : task::find_metric(metrics, options.metric);
    if (metric == nullptr)
        throw core::UsageError("--metric: the results of {} have no '{}'", results.tasks()[0],
                               options.metric);
    const auto measured = compare::measure(results, 0, *metric);
    if (!measured || measured->item_deviations.empty())
        throw core::UsageError(
            "--results: two encoders whose results of {} differ are needed to know how much "
            "its items matter",
            results.tasks()[0]);
    return {*measured, cautions_of(results, *measured)};
}

/// From the table that is built in; of a task without the metric its first.
compare::SeedMeasurement measured_before(const PlanOptions& options)
{
    std::vector<std::string> tasks;
    std::vector<std::string> metrics; // of the task
    for (const auto& one : compare::seed_table().measurements) {
        if (one.item_deviations.empty())
            continue; // measured with one encoder: nothing is known of differences
        if (one.task == options.task &&
            (one.classifier.empty() || one.classifier == options.classifier) &&
            (options.metric.empty() ? one.headline : one.metric == options.metric))
            return one;
        if (std::find(tasks.begin(), tasks.end(), one.task) == tasks.end())
            tasks.push_back(one.task);
        if (one.task == options.task &&
            std::find(metrics.begin(), metrics.end(), one.metric) == metrics.end())
            metrics.push_back(one.metric);
    }
    if (!metrics.empty())
        throw core::UsageError("of {} the built-in table knows {}, with the classifier 'softmax': "
                               "for others give --results with the results of two encoders",
                               options.task, fmt::join(metrics, ", "));
    throw core::UsageError(
        "--task: the built-in table has no '{}' with this metric and classifier.{} It "
        "has {}; for another task give --results with the results of "
        "two encoders",
        options.task, core::did_you_mean(options.task, tasks), fmt::join(tasks, ", "));
}

/// What the differences are of, and where what is known of seeds comes from.
std::string population_of(const compare::SeedMeasurement& measured,
                          const compare::Prospect& prospect,
                          bool of_results)
{
    if (!measured.trained)
        return "about these encoders on new items";
    const bool is_resampled = !measured.by_training.empty();
    if (!prospect.seeds_known)
        return "about these trained classifiers on new items: every result on the whole training "
               "part has one seed, and how much seeds matter is not known, so that 'compare' gives "
               "no verdict; measure it with several seeds ('run --seeds 5')";
    const std::string middle =
        measured.has_few_seeds() ? "the mean of the encoders" : "the encoder in the middle";
    std::string text =
        is_resampled ? "about these encoders under new seeds and new training sets, on new items; "
                       "of one "
                     : "about these encoders under new seeds, on this training set, on new items "
                       "(other training sets are not part of it); of one ";
    if (!prospect.of_one)
        return text +
               "seed each 'compare' gives no verdict by this metric; of several the seeds are "
               "taken "
               "to matter as in " +
               middle;
    text += prospect.from_table ? "to three seeds each " : "seed each ";
    text += "the seeds are taken to matter as 'compare' takes it: as in an encoder that was not "
            "measured, by how far those differ that were, in ";
    text += !of_results           ? "the built-in table"
            : prospect.from_table ? "the built-in table and the results"
                                  : "the results";
    return text + "; of more as in " + middle;
}

/// ": 2 encoders of 2 seeds each or more, which is little to know of seeds"; empty where none has several.
std::string seeds_in_words(const compare::SeedMeasurement& measured)
{
    constexpr double enough = 20; // degrees of freedom of all together: a variance within a third
    if (measured.encoders.empty())
        return "";
    double least = measured.encoders.front().by_seed.freedom;
    double all = 0;
    for (const compare::MeasuredEncoder& one : measured.encoders) {
        least = std::min(least, one.by_seed.freedom);
        all += one.by_seed.freedom;
    }
    return fmt::format(": {} with {:.0f} seeds or more{}",
                       core::counted(measured.encoders.size(), "encoder"), least + 1,
                       all < enough ? ", so few that how much seeds matter is a guess" : "");
}

/// As a value of the metric.
double difference_of(const PlanOptions& options, const task::Metric& metric)
{
    const auto point = compare::points(metric);
    if (!point && !options.difference)
        throw core::UsageError(
            "--metric {}: it has no points, in which a difference of 1 would be usual; "
            "give the one to be found, as it is: --difference",
            metric.path);
    const double difference = options.difference.value_or(1.0) * point.value_or(1.0);
    const double most = compare::largest_difference(metric);
    if (difference > most)
        throw core::UsageError("--difference: two values of {} differ by {} at most", metric.path,
                               metric.text(most));
    return difference;
}

/// The difference to be found with the metric's digits, where they show it.
std::string text_of(double difference, int digits)
{
    const std::string usual = fmt::format("{:.{}f}", difference, digits);
    const bool is_shown = std::abs(std::stod(usual) - difference) <= 0.005 * difference;
    return is_shown ? usual : fmt::format("{:.3g}", difference);
}

template <typename... Args>
void print_line(fmt::format_string<Args...> format, Args&&... args)
{
    emit("{}\n", wrapped_for_reading(fmt::format(format, std::forward<Args>(args)...), 0));
}

void print_plan(const PlanOptions& options, int& exit_code)
{
    const Basis basis = options.results.empty() ? Basis{measured_before(options), {}}
                                                : measured_in(options, exit_code);
    const compare::SeedMeasurement& measured = basis.measured;
    const compare::Prospect prospect(measured, options.results.empty());
    const task::Metric metric{measured.metric, "", measured.unit, measured.digits};
    const int digits = metric.digits;
    const double difference = difference_of(options, metric);
    const std::string wanted = text_of(difference, digits);
    const double most = compare::largest_difference(metric);
    stats::Power power = options.power;
    power.alpha /= static_cast<double>(options.comparisons);
    const auto items = static_cast<double>(measured.items);
    print_line("{} {}, two encoders, power {:.3g} % at level {:.3g}", measured.task,
               measured.metric, 100 * power.power, power.alpha);
    print_line("measured with {}",
               options.results.empty()
                   ? compare::seed_table().basis(measured)
                   : fmt::format("the results in {}{}", options.results, seeds_in_words(measured)));
    print_line("{}", population_of(measured, prospect, !options.results.empty()));
    for (const std::string& caution : basis.cautions)
        print_line("{}", caution);
    const char* const others = measured.by_training.empty() ? "seeds"
                               : prospect.seeds_known       ? "seeds and training sets"
                                                            : "training sets";
    report::TextTable table = {{{"seeds each"},
                                {fmt::format("difference found with {} items", measured.items)},
                                {fmt::format("items for a difference of {}", wanted)}}};
    for (const std::size_t seeds : {1, 3, 5, 10, 20, 50}) {
        if (seeds == 1 && prospect.seeds_known && !prospect.of_one) {
            table.push_back({{"1"}, {"no verdict"}, {"no verdict"}});
            continue;
        }
        const auto needed = prospect.items_for(difference, seeds, power);
        const double found = prospect.detectable(items, seeds, power);
        table.push_back({{std::to_string(seeds)},
                         {found > most ? "none" : metric.text(found)},
                         {needed ? fmt::format("{:.0f}", *needed)
                                 : fmt::format("none: {} matter more", others)}});
        if (!prospect.seeds_known)
            break; // nothing is trained, or nothing known of it
    }
    emit("\n{}\n", report::to_terminal(table, table_style()));
    if (measured.trained && !prospect.seeds_known)
        return;
    const auto seeds = prospect.seeds_for(difference, items, power);
    if (seeds)
        print_line("A difference of {} is found with {} each.", wanted,
                   core::counted(*seeds, "seed"));
    else
        print_line("No number of seeds finds a difference of {} with {} items: with all of "
                   "them the items {} leave {:.{}f}.",
                   wanted, measured.items,
                   measured.by_training.empty() ? "alone" : "and the training sets",
                   prospect.detectable(items, 1000, power), digits);
}

} // namespace

void add_plan_test_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<PlanOptions>();
    CLI::App* command = app.add_subcommand(
        "plan-test", "How many items and seeds it takes to find a difference between two encoders");
    command->add_option("--task", options->task, "The task")->required()->type_name("TASK");
    command
        ->add_option("--difference", options->difference,
                     "To be found, in points (1 % of an accuracy, 0.01 of a correlation); of a "
                     "metric without "
                     "points, such as mse, as it is [1 point]")
        ->check(CLI::Range(0.001, 1e6))
        ->check(a_number())
        ->type_name("POINTS");
    command->add_option("--metric", options->metric, "Instead of accuracy or Pearson's r")
        ->type_name("PATH");
    command->add_option("--classifier", options->classifier, "Of the built-in table")
        ->capture_default_str();
    command
        ->add_option("--results", options->results,
                     "A store to measure items and seeds by, instead of the built-in table")
        ->type_name("DIR");
    command->add_option("--power", options->power.power, "Probability of finding it")
        ->check(CLI::Range(0.1, 0.999))
        ->check(a_number())
        ->capture_default_str();
    command
        ->add_option("--comparisons", options->comparisons,
                     "Comparisons of which this is one: each is judged at 5 % over their number")
        ->check(CLI::Range(1, 100'000))
        ->capture_default_str();
    command->callback([options, &exit_code] {
        exit_code = 0;
        print_plan(*options, exit_code);
    });
}

} // namespace senteval::host
