#include "compare/prospect.hpp"

#include "compare/scoring.hpp"
#include "stats/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace senteval::compare {

std::optional<SeedMeasurement>
measure(const Results& results, std::size_t task, const task::Metric& metric)
{
    std::vector<stats::Scored> rows;
    std::vector<std::string> kinds;
    const run::Cell* first = nullptr;
    for (const Row& row : results.rows()) {
        stats::Scored scored;
        for (const run::Cell* cell : row.tasks[task])
            if (auto fit = fit_of(*cell, metric, {}))
                scored.fits.push_back(std::move(*fit));
        if (scored.fits.empty() ||
            (first != nullptr &&
             scored.fits.front().influence.size() != rows.front().fits.front().influence.size()))
            continue;
        first = first == nullptr ? row.tasks[task].front() : first;
        rows.push_back(std::move(scored));
        kinds.push_back(kind_of(row.tasks[task].front()->document.at("encoder")));
    }
    if (first == nullptr)
        return std::nullopt;
    const stats::Crossed crossed(rows, sources_of(first->items, metric), 0);
    const auto& settings = first->document.at("protocol").at("settings");
    SeedMeasurement measured{results.tasks()[task], metric.path,
                             settings.contains("classifier")
                                 ? settings.at("classifier").value("classifier", "")
                                 : std::string()};
    measured.headline = metric.path == results.metrics(task).front().path;
    measured.unit = metric.unit;
    measured.digits = metric.digits;
    measured.trained = is_trained(*first);
    measured.settings = training_settings(settings);
    measured.items = rows.front().fits.front().influence.size();
    for (std::size_t a = 0; a < rows.size(); ++a) {
        if (const auto by_seed = crossed.by_seed(a))
            measured.encoders.push_back({kinds[a], crossed.value(a), *by_seed});
        for (std::size_t b = a + 1; b < rows.size(); ++b)
            measured.item_deviations.push_back(crossed.item_deviation(a, b));
    }
    return measured;
}

Prospect::Prospect(const SeedMeasurement& measured)
    : item_deviation(stats::quantile(measured.item_deviations, 0.5))
{
    if (!measured.encoders.empty()) {
        by_seed = measured.typical();
        seeds_known = true;
    }
    const SeedMeasurement* known =
        seed_table().find(measured.task, measured.metric, measured.settings, measured.items);
    auto here = measured.variances();
    if (known != nullptr && here == known->variances())
        here.clear(); // it is the table's own
    if (const auto expected = seed_table().expected(known, here))
        of_one = *expected;
    if (known == nullptr)
        return;
    if (!seeds_known)
        by_seed = known->typical();
    seeds_known = true;
    from_table = true;
}

double Prospect::detectable(double items, std::size_t seeds, const stats::Power& power) const
{
    const double of_items = item_deviation * item_deviation / items;
    if (seeds == 1) { // as Crossed
        const stats::UncertainVariance variance{of_items, items - 1, 2 * of_one.beside_items,
                                                2 * of_one.total, of_one.freedom};
        const stats::Student student = variance.nearest();
        return stats::detectable_difference(student.standard_error, student.freedom, power);
    }
    // Of several seeds the runs will tell the variance themselves.
    const auto count = static_cast<double>(seeds);
    const double of_seeds = 2 * by_seed.beside_items / count;
    const double all = of_items + of_seeds;
    const double freedom = 2 * (count - 1);
    const double squares = of_items * of_items / (items + 1) + of_seeds * of_seeds / (freedom + 2);
    return stats::detectable_difference(std::sqrt(all), std::max(1.0, all * all / squares - 2),
                                        power);
}

std::optional<double>
Prospect::items_for(double difference, std::size_t seeds, const stats::Power& power) const
{
    double high = 10;
    constexpr double most = 1e9;
    while (detectable(high, seeds, power) > difference)
        if ((high *= 2) > most)
            return std::nullopt;
    double low = high / 2;
    while (high - low > 1) {
        const double middle = (low + high) / 2;
        (detectable(middle, seeds, power) > difference ? low : high) = middle;
    }
    return std::ceil(high);
}

std::optional<std::size_t>
Prospect::seeds_for(double difference, double items, const stats::Power& power) const
{
    constexpr std::size_t most = 1000;
    for (std::size_t seeds = 1; seeds <= most; ++seeds)
        if (detectable(items, seeds, power) <= difference)
            return seeds;
    return std::nullopt;
}

} // namespace senteval::compare
