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
        if (const auto by_seed = crossed.by_seed(a)) {
            measured.seeds = std::max(measured.seeds, by_seed->freedom + 1);
            measured.by_seed.push_back(by_seed->total);
            measured.beside_items.push_back(by_seed->beside_items);
        }
        for (std::size_t b = a + 1; b < rows.size(); ++b)
            measured.item_deviations.push_back(crossed.item_deviation(a, b));
    }
    return measured;
}

Prospect::Prospect(const SeedMeasurement& measured)
    : item_deviation(stats::quantile(measured.item_deviations, 0.5))
{
    if (!measured.by_seed.empty()) {
        std::vector<stats::SeedVariance> variances;
        for (std::size_t i = 0; i < measured.by_seed.size(); ++i)
            variances.push_back(
                {measured.by_seed[i], measured.beside_items[i], measured.seeds - 1});
        by_seed = measured.typical();
        of_one = expected_of(variances);
        seeds_known = true;
    }
    const SeedMeasurement* known =
        seed_table().find(measured.task, measured.metric, measured.settings, measured.items);
    if (known == nullptr)
        return;
    if (!seeds_known)
        by_seed = known->typical();
    seeds_known = true;
    from_table = true;
    if (const auto expected = seed_table().expected(*known); expected.total > of_one.total)
        of_one = expected;
}

double Prospect::detectable(double items, std::size_t seeds, const stats::Power& power) const
{
    const auto count = static_cast<double>(seeds);
    const stats::SeedVariance& of_seed = seeds > 1 ? by_seed : of_one;
    const double of_items = item_deviation * item_deviation / items;
    const double of_seeds = 2 * of_seed.beside_items / count;
    // As Crossed: of one seed each the difference varies at least by what two fits do.
    const double all = std::max(of_items + of_seeds, seeds > 1 ? 0.0 : 2 * of_seed.total);
    // Of several seeds the runs will tell the variance themselves.
    const double freedom = seeds > 1 ? 2 * (count - 1) : std::max(1.0, 2 * of_seed.freedom);
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
