#include "base/error.hpp"
#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "compare/scoring.hpp"
#include "host/commands.hpp"
#include "host/help.hpp"
#include "host/output.hpp"
#include "host/results_folder.hpp"
#include "stats/interval.hpp"
#include "stats/variance.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

struct PlanOptions {
    std::string store;
    std::string task;
    std::string metric;
    double difference = 1; ///< in points, where the metric has them: else as it is
    stats::Power power;
};

/// Variance of a difference of two encoders, the mean over the pairs of the store.
struct Basis {
    double items = 0; ///< times the number of items
    double seeds = 0; ///< times the number of seeds of each
    std::size_t pairs = 0;
    std::size_t count = 0; ///< test items
    bool trained = false;
};

/// Variances of the pairs with the same items; of a trained task both rows need several seeds.
Basis basis_of(const compare::Results& results, const results::Metric& metric)
{
    std::vector<const compare::Row*> rows;
    std::vector<stats::Fits> fits;
    Basis basis;
    for (const compare::Row& row : results.rows()) {
        const compare::Runs& runs = row.tasks[0];
        if (runs.empty() || (!rows.empty() && !compare::have_same_items(
                                                  *rows.front()->tasks[0].front(), *runs.front())))
            continue;
        stats::Fits own = compare::fits_of(row, 0, metric);
        own.halves.clear();
        const results::Result& first = runs.front()->result;
        const bool draws = first.protocol.seed() && !first.protocol.deterministic;
        if (own.seeds.empty() || (draws && own.seeds.size() < 2))
            continue;
        basis.trained = basis.trained || draws;
        rows.push_back(&row);
        fits.push_back(std::move(own));
    }
    if (rows.size() < 2)
        throw base::UsageError("{} needs results of two encoders on the same items, each under "
                               "several seeds where something is trained (run --seeds 5)",
                               results.tasks()[0]);
    const stats::Sources sources =
        compare::sources_of(rows.front()->tasks[0].front()->items, metric);
    const stats::Variances variances(fits, sources);
    basis.count = variances.items();
    for (std::size_t a = 0; a < rows.size(); ++a)
        for (std::size_t b = a + 1; b < rows.size(); ++b) {
            const stats::Variance variance = variances.of_difference(a, b);
            const auto seeds = static_cast<double>(fits[a].seeds.size() + fits[b].seeds.size()) / 2;
            basis.items += variance.items * static_cast<double>(basis.count);
            basis.seeds += variance.seeds * seeds;
            ++basis.pairs;
        }
    basis.items /= static_cast<double>(basis.pairs);
    basis.seeds /= static_cast<double>(basis.pairs);
    return basis;
}

/// Detectable difference with so many items and seeds of each: V = items n / n' + seeds S / S'.
double detectable(const Basis& basis, double items, double seeds, stats::Power power)
{
    const double by_items = basis.items / items;
    const double by_seeds = basis.seeds / seeds;
    const double total = by_items + by_seeds;
    double squares = by_items * by_items / (items - 1);
    if (basis.trained && seeds > 1)
        squares += by_seeds * by_seeds / (2 * (seeds - 1));
    return stats::detectable_difference(std::sqrt(total), total * total / squares, power);
}

/// The fewest items, by bisection; "none" where seeds alone are too much.
std::string items_for(const Basis& basis, double difference, double seeds, stats::Power power)
{
    double low = static_cast<double>(compare::fewest_items);
    double high = 1e8;
    if (detectable(basis, high, seeds, power) > difference)
        return "none";
    while (high - low > 0.5) {
        const double middle = (low + high) / 2;
        (detectable(basis, middle, seeds, power) > difference ? low : high) = middle;
    }
    return fmt::format("{:.0f}", std::ceil(high));
}

void print_plan(const PlanOptions& options, int& exit_code)
{
    ResultsOptions from;
    from.stores = {options.store};
    from.tasks = {options.task};
    const compare::Results results = load_results(from, exit_code);
    if (results.tasks().size() != 1)
        throw base::UsageError("--task: one task, not {}", fmt::join(results.tasks(), ", "));
    const auto& metrics = results.metrics(0);
    const results::Metric* metric =
        options.metric.empty() ? &metrics.front() : results::find_metric(metrics, options.metric);
    if (metric == nullptr)
        throw base::UsageError("--metric: the results of {} have no '{}'", results.tasks()[0],
                               options.metric);
    const Basis basis = basis_of(results, *metric);
    const double difference = options.difference * compare::points(*metric).value_or(1.0);
    emit("{} {}: difference of two encoders found with power {:.3g} % at level {:.3g}, from {} "
         "pairs in {}\n\n",
         results.tasks()[0], metric->path, 100 * options.power.power, options.power.alpha,
         basis.pairs, options.store);
    emit("{:>10}  {:>22}  {:>22}\n", "seeds each", fmt::format("with {} items", basis.count),
         fmt::format("items for {}", metric->text(difference)));
    for (const double seeds : {5.0, 10.0, 20.0, 50.0}) {
        const double found =
            detectable(basis, static_cast<double>(basis.count), seeds, options.power);
        emit("{:>10}  {:>22}  {:>22}\n",
             basis.trained ? fmt::format("{:.0f}", seeds) : std::string("-"), metric->text(found),
             items_for(basis, difference, seeds, options.power));
        if (!basis.trained)
            break;
    }
}

} // namespace

void add_plan_test_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<PlanOptions>();
    CLI::App* command = app.add_subcommand(
        "plan-test", "How many items and seeds it takes to find a difference between two encoders");
    add_option(*command, "store", options->store, "Results to estimate the variances from", "STORE")
        ->required();
    add_option(*command, "--task", options->task, "The task", "TASK")->required();
    add_option(*command, "--difference", options->difference,
               "Difference to find, in points (1 % of an accuracy, 0.01 of a correlation); for a "
               "metric without points, such as mse, in its own unit",
               "POINTS")
        ->check(CLI::Range(0.001, 1e6))
        ->check(a_number())
        ->capture_default_str();
    add_option(*command, "--metric", options->metric,
               "Metric in place of the task's headline metric", "PATH");
    command->add_option("--power", options->power.power, "Probability of finding it")
        ->check(CLI::Range(0.1, 0.999))
        ->check(a_number())
        ->capture_default_str();
    command->callback([options, &exit_code] {
        exit_code = 0;
        print_plan(*options, exit_code);
    });
}

} // namespace senteval::host
