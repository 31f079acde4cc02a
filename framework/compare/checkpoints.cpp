#include "compare/checkpoints.hpp"

#include "compare/judge.hpp"
#include "compare/scoring.hpp"
#include "stats/counter_stream.hpp"
#include "stats/interval.hpp"

#include <cmath>
#include <iterator>
#include <numbers>
#include <utility>

namespace senteval::compare {
namespace {

/// The mean over the runs.
double
value_on(const Runs& runs, const results::Metric& metric, const std::vector<bool>& half, bool is_in)
{
    double sum = 0;
    std::size_t count = 0;
    for (const results::Cell* cell : runs) {
        const results::Items items =
            items_where(cell->items, [&](std::size_t item) { return half[item] == is_in; });
        for (const results::Metric& fit : by_fit(metric)) {
            sum += statistic_of(items, fit).value;
            ++count;
        }
    }
    return sum / static_cast<double>(count);
}

/// Each second item of a random order.
std::vector<bool> random_half(std::size_t items, std::uint64_t number)
{
    constexpr std::uint64_t seed = 1;
    stats::CounterStream random(seed, number);
    std::vector<bool> half(items);
    for (std::size_t at = 0; at < items; ++at)
        half[at] = at % 2 == 0;
    for (std::size_t left = items; left > 1; --left) {
        const std::size_t other = random.next() % left;
        const bool last = half[left - 1];
        half[left - 1] = half[other];
        half[other] = last;
    }
    return half;
}

} // namespace

double level_of_look(std::size_t look)
{
    const double number = static_cast<double>(look);
    const double spent = level * 6 / (std::numbers::pi * std::numbers::pi * number * number);
    return look < 2 ? spent : spent / (number - 1);
}

std::vector<Look> looks_of(const Results& results,
                           std::size_t task,
                           const results::Metric& metric,
                           std::span<const std::size_t> order)
{
    std::vector<Look> looks;
    std::optional<std::size_t> best; // in `looks`
    for (const std::size_t row : order) {
        Look look;
        look.row = row;
        look.value = score_of(results.rows()[row].tasks[task], metric).value;
        if (best) {
            const std::size_t before = looks[*best].row;
            const Difference found =
                judge(results, task, metric, before, {}, std::vector{before, row})
                    .entries[row]
                    .difference;
            look.best = before;
            look.difference = look.value - looks[*best].value;
            look.open = found.open;
            if (found.has_verdict()) {
                const double half =
                    found.standard_error > 0
                        ? found.standard_error *
                              stats::t_quantile(level_of_look(looks.size() + 1), found.freedom)
                        : 0;
                look.interval = {look.difference - half, look.difference + half};
            }
        }
        looks.push_back(look);
        if (!best || metric.is_better(look.value, looks[*best].value))
            best = looks.size() - 1;
    }
    return looks;
}

Flattery flattery_of(const Results& results,
                     std::size_t task,
                     const results::Metric& metric,
                     std::span<const std::size_t> rows)
{
    constexpr std::size_t halves = 100;
    const auto runs_of = [&](std::size_t row) -> const Runs& {
        return results.rows()[row].tasks[task];
    };
    std::vector<std::size_t> alike; // on the items of the first
    for (const std::size_t row : rows)
        if (have_same_items(*runs_of(rows.front()).front(), *runs_of(row).front()))
            alike.push_back(row);
    if (alike.size() < 2)
        return {};
    Flattery mean{0, 0};
    for (std::size_t number = 0; number < halves; ++number) {
        const auto half =
            random_half(runs_of(alike.front()).front()->items.outcomes.rows.size(), number);
        double best = base::nan;
        std::size_t chosen = alike.front();
        for (const std::size_t row : alike)
            if (const double value = value_on(runs_of(row), metric, half, true);
                std::isnan(best) || metric.is_better(value, best)) {
                best = value;
                chosen = row;
            }
        mean.inside += best / halves;
        mean.outside += value_on(runs_of(chosen), metric, half, false) / halves;
    }
    return mean;
}

} // namespace senteval::compare
