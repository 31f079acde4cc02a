#include "compare/prospect.hpp"

#include "compare/same_scores.hpp"
#include "compare/scoring.hpp"
#include "core/error.hpp"
#include "stats/quantile.hpp"
#include "stats/variance_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace senteval::compare {
namespace {

/// Where many seeds show that few scores lie far from the rest, the variance that pairs of one seed each are judged
/// by, so that they are told apart no more often than those of other encoders: the variance proper does not say
/// how far those few go.
stats::SeedVariance with_far_scores(stats::SeedVariance by_seed,
                                    const std::vector<stats::Fit>& fits)
{
    constexpr std::size_t many = 30;
    constexpr double far = 1.5; // normal scores of 30 seeds hardly ever give as much
    if (fits.size() < many)
        return by_seed;
    const double by_pairs = stats::variance_by_pairs(fits);
    if (by_pairs > far * by_seed.total) {
        by_seed.beside_items += by_pairs - by_seed.total;
        by_seed.total = by_pairs;
    }
    return by_seed;
}

/// Of means over the seeds that are there, by pair; and the degrees of freedom of each.
void measure_training(std::span<const stats::Scored> rows,
                      const stats::Sources& sources,
                      SeedMeasurement& measured)
{
    std::size_t halves = std::numeric_limits<std::size_t>::max();
    for (const stats::Scored& row : rows)
        halves = std::min(halves, row.resampled.size());
    if (halves < stats::fewest_halves)
        return;
    std::vector<stats::Scored> resampled(rows.begin(), rows.end());
    for (stats::Scored& row : resampled)
        if (row.fits.size() == 1) // what seeds add is told elsewhere
            row.by_seed = stats::SeedVariance{0, 0, std::numeric_limits<double>::infinity()};
    const stats::Crossed with(resampled, sources, false);
    const stats::Crossed without(resampled, sources, false, stats::Population::seeds);
    const auto square = [](double x) { return x * x; };
    for (std::size_t a = 0; a < rows.size(); ++a)
        for (std::size_t b = a + 1; b < rows.size(); ++b)
            measured.by_training.push_back(
                std::max(0.0, square(with.of_difference(a, b).standard_error) -
                                  square(without.of_difference(a, b).standard_error)));
    measured.training_freedom = static_cast<double>(halves) / 2; // as Crossed
}

} // namespace

std::vector<const Row*> rows_alike(const Results& results, std::size_t task)
{
    using Key = std::pair<std::string, std::size_t>;
    std::vector<std::pair<Key, std::vector<const Row*>>> kinds;
    for (const Row& row : results.rows()) {
        if (row.tasks[task].empty())
            continue;
        const run::Cell& cell = *row.tasks[task].front();
        if (is_imported(cell))
            continue;
        const Key key = {training_settings(cell.document.at("protocol").at("settings")),
                         cell.items.outcomes.rows.size()};
        auto at = std::ranges::find(kinds, key, &decltype(kinds)::value_type::first);
        if (at == kinds.end())
            at = kinds.insert(kinds.end(), {key, {}});
        at->second.push_back(&row);
    }
    const auto most =
        std::ranges::max_element(kinds, {}, [](const auto& kind) { return kind.second.size(); });
    return most == kinds.end() ? std::vector<const Row*>() : most->second;
}

std::optional<SeedMeasurement>
measure(const Results& results, std::size_t task, const task::Metric& metric)
{
    std::vector<stats::Scored> rows;
    std::vector<std::string> kinds;
    std::vector<double> norms;
    std::vector<const Runs*> runs;
    const run::Cell* first = nullptr;
    for (const Row* alike : rows_alike(results, task)) {
        const Row& row = *alike;
        stats::Scored scored = scored_of(row, task, metric, {});
        if (scored.fits.empty() ||
            (first != nullptr &&
             scored.fits.front().influence.size() != rows.front().fits.front().influence.size()))
            continue;
        first = first == nullptr ? row.tasks[task].front() : first;
        rows.push_back(std::move(scored));
        runs.push_back(&row.tasks[task]);
        norms.push_back(norm_of(*row.tasks[task].front()));
        kinds.push_back(kind_of(row.tasks[task].front()->document.at("encoder")));
    }
    if (first == nullptr)
        return std::nullopt;
    const std::size_t count = score_of(*runs.front(), metric).items;
    if (const auto want = want_of_items(first->items, metric, count); !want.empty())
        throw core::UsageError("{}: {}", results.tasks()[task], want);
    const stats::Sources sources = sources_of(first->items, metric);
    const stats::Crossed crossed(rows, sources, false);
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
    // The spread of the mean influences holds a part of what items and seeds do together.
    const auto with_seeds = [&](std::size_t row) {
        const auto by_seed = crossed.by_seed(row);
        return by_seed ? (by_seed->total - by_seed->beside_items) / (by_seed->freedom + 1) : 0.0;
    };
    const auto items = static_cast<double>(measured.items);
    for (std::size_t a = 0; a < rows.size(); ++a) {
        if (const auto by_seed = crossed.by_seed(a))
            measured.encoders.push_back(
                {kinds[a], crossed.value(a), with_far_scores(*by_seed, rows[a].fits), norms[a]});
        for (std::size_t b = a + 1; b < rows.size(); ++b) {
            if (have_same_scores(*runs[a], *runs[b], metric))
                continue; // which says nothing of two encoders
            const double all = std::pow(crossed.item_deviation(a, b), 2);
            const double of_seeds = items * (with_seeds(a) + with_seeds(b));
            measured.item_deviations.push_back(std::sqrt(std::max(0.1 * all, all - of_seeds)));
        }
    }
    measure_training(rows, sources, measured);
    return measured;
}

Prospect::Prospect(const SeedMeasurement& measured, bool of_table)
    : item_deviation(stats::quantile(measured.item_deviations, 0.5)),
      training_freedom(measured.training_freedom),
      of_shares(measured.unit == task::percent)
{
    if (!measured.by_training.empty())
        by_training = stats::quantile(measured.by_training, 0.5);
    if (!measured.encoders.empty()) {
        by_seed = measured.typical();
        seeds_known = true;
    }
    const SeedMeasurement* known =
        seed_table().find(measured.task, measured.metric, measured.settings, measured.items);
    const auto here = of_table ? std::vector<MeasuredEncoder>() : measured.encoders;
    std::vector<double> norms;
    norms.reserve(here.size());
    for (const MeasuredEncoder& one : here)
        norms.push_back(one.norm);
    const double norm = norms.empty() ? 0.0 : stats::quantile(norms, 0.5);
    of_one = measured.trained ? seed_table().expected(known, here, norm) : stats::SeedVariance();
    if (known != nullptr) {
        if (!seeds_known)
            by_seed = known->typical();
        seeds_known = true;
        from_table = true;
    }
    if (!seeds_known) // halves alone make no verdict
        by_training = 0;
}

double Prospect::detectable(double items, std::size_t seeds, const stats::Power& power) const
{
    // One to three seeds are judged by what is known of other encoders, more by their own: by that way of reckoning
    // they may seem to find a little less, which no plan should say.
    double largest = detectable_with(items, seeds, power);
    for (std::size_t more = seeds + 1; seeds_known && more <= enough_seeds; ++more)
        largest = std::max(largest, detectable_with(items, more, power));
    // With many seeds the training sets alone are left, of which fewer degrees of freedom tell.
    constexpr std::size_t many = 1'000'000;
    return by_training > 0 ? std::max(largest, detectable_with(items, many, power)) : largest;
}

double Prospect::detectable_with(double items, std::size_t seeds, const stats::Power& power) const
{
    stats::VarianceSum sum;
    sum.add(item_deviation * item_deviation / items, items - 1);
    sum.add(by_training, training_freedom);
    const auto of_uncertain = [&](double of_seeds, double freedom) { // as Crossed
        const stats::UncertainVariance variance{sum.total(), sum.freedom_of(sum.total()), of_seeds,
                                                of_seeds, freedom};
        const stats::Student student = variance.nearest().student;
        return stats::detectable_difference(student.standard_error, student.freedom, power);
    };
    const auto count = static_cast<double>(seeds);
    if (seeds == 1 || (seeds < enough_seeds && from_table && of_one)) {
        const stats::SeedVariance others = of_one.value_or(stats::SeedVariance());
        const auto known =
            seeds == 1 ? std::optional(others) : stats::updated(others, {by_seed, 0, count - 1});
        if (known)
            return of_uncertain(2 * known->total / count, known->freedom);
    }
    // Of several seeds the runs will tell the variance themselves.
    const double of_seeds = 2 * by_seed / count;
    const double freedom = stats::median_freedom_of_two(count - 1);
    if (seeds == 2 && of_seeds > 0)
        return of_uncertain(of_seeds, freedom);
    sum.add(of_seeds, freedom);
    return stats::detectable_difference(std::sqrt(sum.total()), sum.freedom_of(sum.total()), power);
}

std::optional<double>
Prospect::items_for(double difference, std::size_t seeds, const stats::Power& power) const
{
    // Of encoders that are alike the items hardly differ; where there is a difference, they do.
    Prospect those = *this;
    if (of_shares)
        those.item_deviation =
            std::max(item_deviation, std::sqrt(difference * std::max(0.0, 100 - difference)));
    double high = 10;
    constexpr double most = 1e9;
    while (those.detectable(high, seeds, power) > difference)
        if ((high *= 2) > most)
            return std::nullopt;
    double low = high / 2;
    while (high - low > 1) {
        const double middle = (low + high) / 2;
        (those.detectable(middle, seeds, power) > difference ? low : high) = middle;
    }
    return std::ceil(high);
}

std::optional<std::size_t>
Prospect::seeds_for(double difference, double items, const stats::Power& power) const
{
    constexpr std::size_t most = 1000;
    for (std::size_t seeds = of_one ? 1 : 2; seeds <= most; ++seeds)
        if (detectable(items, seeds, power) <= difference)
            return seeds;
    return std::nullopt;
}

} // namespace senteval::compare
