#include "nulls.hpp"

#include "draws.hpp"

#include "compare/same_scores.hpp"
#include "compare/scoring.hpp"
#include "compare/seed_table.hpp"
#include "compare/swaps.hpp"
#include "run/store.hpp"
#include "stats/correlation.hpp"
#include "stats/counter_stream.hpp"
#include "stats/max_t.hpp"
#include "stats/multiple.hpp"
#include "stats/named.hpp"
#include "stats/power.hpp"
#include "stats/quantile.hpp"
#include "stats/signs.hpp"
#include "stats/williams.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace senteval::test {
namespace {

/// Their fits are numbered alike, as those of one run are.
std::vector<stats::Scored>
groups_of(const Seeds& seeds, std::size_t groups, std::size_t each, stats::CounterStream& random)
{
    const auto chosen = sample(random, seeds.fits.size(), groups * each);
    std::vector<stats::Scored> rows(groups);
    for (std::size_t at = 0; at < chosen.size(); ++at) {
        auto& fits = rows[at / each].fits;
        fits.push_back(seeds.fits[chosen[at]]);
        fits.back().seed = at % each;
    }
    return rows;
}

/// What is known from elsewhere, and from the rows' own fits.
void learn_from(const std::optional<stats::SeedVariance>& known,
                const Seeds& seeds,
                std::vector<stats::Scored>& rows)
{
    if (!known)
        return;
    for (stats::Scored& row : rows) {
        const auto own = stats::Crossed({&row, 1}, seeds.sources, false).by_seed(0);
        row.by_seed = own ? stats::updated(*known, *own) : known;
    }
}

} // namespace

stats::SmallestP smallest_p(const stats::Crossed& crossed, const stats::Resampling& options)
{
    auto pairs = stats::all_pairs(crossed.rows());
    return crossed.goes_by_few_seeds()
               ? stats::SmallestP(pairs.size())
               : stats::SmallestP(crossed.covariance(), crossed.rows(), std::move(pairs), options);
}

std::vector<double> to_best(const stats::Crossed& crossed, const stats::Resampling& options)
{
    std::size_t best = 0;
    for (std::size_t row = 1; row < crossed.rows(); ++row)
        if (crossed.value(row) > crossed.value(best))
            best = row;
    const auto smallest = smallest_p(crossed, options);
    std::vector<double> p_values;
    for (std::size_t row = 0; row < crossed.rows(); ++row)
        p_values.push_back(row == best ? 1.0 : smallest.adjusted(p_of(crossed, row, best)));
    return p_values;
}

std::vector<Seeds> read_seeds(const std::string& store, const std::vector<std::string>& further)
{
    std::vector<std::string> problems;
    const compare::Results results(run::Store(store).load_all(problems));
    std::vector<Seeds> all;
    for (std::size_t task = 0; task < results.tasks().size(); ++task)
        for (const task::Metric& metric : results.metrics(task)) {
            const bool is_headline = metric.path == results.metrics(task).front().path;
            if (!is_headline &&
                std::find(further.begin(), further.end(), metric.path) == further.end())
                continue;
            const compare::Runs& runs = results.rows().front().tasks[task];
            Seeds seeds{results.tasks()[task],
                        compare::kind_of(runs.front()->document.at("encoder")),
                        metric,
                        {},
                        compare::sources_of(runs.front()->items, metric),
                        compare::norm_of(*runs.front())};
            for (const run::Cell* cell : runs)
                if (auto fit = compare::fit_of(*cell, metric, {}))
                    seeds.fits.push_back(std::move(*fit));
            all.push_back(std::move(seeds));
        }
    return all;
}

double pair_rejections(const Seeds& seeds, std::optional<stats::SeedVariance> by_seed)
{
    std::size_t rejected = 0;
    std::size_t pairs = 0;
    std::vector<stats::Scored> rows(2);
    rows[0].by_seed = rows[1].by_seed = by_seed;
    for (std::size_t a = 0; a < seeds.fits.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            rows[0].fits = {seeds.fits[a]};
            rows[1].fits = {seeds.fits[b]};
            rejected +=
                p_of({rows, seeds.sources, compare::is_share(seeds.metric)}) <= level ? 1U : 0U;
            ++pairs;
        }
    return static_cast<double>(rejected) / static_cast<double>(pairs);
}

double self_rejections(const Seeds& seeds,
                       std::size_t each,
                       std::size_t draws,
                       std::optional<stats::SeedVariance> by_seed)
{
    if (each == 1)
        return pair_rejections(seeds, by_seed);
    std::size_t rejected = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        stats::CounterStream random(seed, draw);
        auto rows = groups_of(seeds, 2, each, random);
        learn_from(by_seed, seeds, rows);
        rejected += p_of({rows, seeds.sources, compare::is_share(seeds.metric)}) <= level ? 1U : 0U;
    }
    return static_cast<double>(rejected) / static_cast<double>(draws);
}

double unseen_rejections(std::size_t encoders, double freedom, std::size_t draws)
{
    constexpr double seeds = 30;
    std::size_t rejected = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        stats::CounterStream random(seed, draw);
        const auto mean_square = [&](double count) {
            double sum = 0;
            for (double one = 0; one < count; ++one)
                sum += std::pow(random.normal(), 2) / count;
            return sum;
        };
        std::vector<compare::MeasuredEncoder> others;
        for (std::size_t one = 0; one < encoders; ++one) {
            const double variance = mean_square(seeds - 1) / mean_square(freedom);
            others.push_back({{}, 0, {variance, variance, seeds - 1}});
        }
        const double deviation = 1 / std::sqrt(mean_square(freedom));
        std::vector<stats::Scored> rows(2);
        for (stats::Scored& row : rows) {
            std::vector<double> items(200);
            for (double& value : items)
                value = 0.01 * random.normal() / std::sqrt(200.0);
            row.fits.push_back({draw, deviation * random.normal(), std::move(items)});
            row.by_seed = compare::SeedTable().expected(nullptr, others, 0);
        }
        rejected += p_of({rows, {}, false}) <= level ? 1U : 0U;
    }
    return static_cast<double>(rejected) / static_cast<double>(draws);
}

double family_rejections(const Seeds& seeds,
                         std::size_t groups,
                         std::size_t each,
                         std::size_t draws,
                         std::optional<stats::SeedVariance> by_seed)
{
    std::size_t rejected = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        stats::CounterStream random(seed, draw);
        auto rows = groups_of(seeds, groups, each, random);
        learn_from(by_seed, seeds, rows);
        stats::Resampling options;
        options.resamples = 2000;
        options.seed = draw;
        const auto p_values =
            to_best({rows, seeds.sources, compare::is_share(seeds.metric)}, options);
        rejected += *std::min_element(p_values.begin(), p_values.end()) <= level ? 1U : 0U;
    }
    return static_cast<double>(rejected) / static_cast<double>(draws);
}

run::Items part_of(const run::Items& all, const std::vector<std::size_t>& chosen)
{
    run::Items part = all;
    part.outcomes.rows.clear();
    part.outcomes.further.clear();
    part.traits.clear();
    for (const std::size_t item : chosen) {
        part.outcomes.rows.push_back(all.outcomes.rows[item]);
        part.traits.push_back(all.traits[item]);
    }
    return part;
}

SwapNull swap_rejections(const run::Cell& first,
                         const run::Cell& second,
                         const task::Metric& metric,
                         std::size_t items,
                         std::size_t draws)
{
    SwapNull result;
    result.williams = std::numeric_limits<double>::quiet_NaN();
    const bool is_pearson = stats::find_statistic(metric.source.statistic)->is_pearson;
    std::size_t rejected = 0;
    std::size_t by_williams = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        stats::CounterStream random(seed, draw);
        std::array<run::Cell, 2> swapped{first, second};
        auto& a = swapped[0].items;
        auto& b = swapped[1].items;
        const std::size_t all = a.outcomes.rows.size();
        if (items > 0) {
            const auto chosen = sample(random, all, items);
            for (run::Items* part : {&a, &b})
                *part = part_of(*part, chosen);
        }
        for (std::size_t item = 0; item < a.outcomes.rows.size(); ++item)
            if (random.uniform() < 0.5)
                std::swap(a.outcomes.rows[item].prediction, b.outcomes.rows[item].prediction);
        std::size_t items_in = 0;
        for (const compare::Sample& part : compare::samples_of(a, metric.source))
            items_in += part.gold.size();
        std::vector<stats::Scored> rows(2);
        for (std::size_t side = 0; side < 2; ++side) {
            auto fit = compare::fit_of(swapped[side].items, metric, {});
            if (!fit)
                return result;
            rows[side].fits.push_back(std::move(*fit));
        }
        const stats::Crossed crossed(rows, compare::sources_of(a, metric),
                                     compare::is_share(metric));
        const auto signs = compare::swap_contributions(compare::Runs{&swapped[0]},
                                                       compare::Runs{&swapped[1]}, metric);
        const auto p_value = [&] {
            if (!signs.empty())
                return stats::sign_flip_p_value(signs);
            if (compare::statistic_of(a, metric)->is_smooth())
                return p_of(crossed);
            return compare::swap_null({&swapped[0]}, {&swapped[1]}, metric,
                                      crossed.beside_items(0, 1), seed)
                .p_value(crossed.value(0) - crossed.value(1));
        };
        rejected += std::max(p_value(), compare::least_p(items_in)) <= level ? 1U : 0U;
        if (is_pearson) {
            const auto one = compare::samples_of(a, metric.source).front();
            const auto other = compare::samples_of(b, metric.source).front();
            const double by_formula =
                stats::williams(stats::pearson(one.predicted, one.gold).r,
                                stats::pearson(other.predicted, one.gold).r,
                                stats::pearson(one.predicted, other.predicted).r, one.gold.size())
                    .p_value;
            by_williams += by_formula <= level ? 1U : 0U;
        }
    }
    result.rejections = static_cast<double>(rejected) / static_cast<double>(draws);
    if (is_pearson)
        result.williams = static_cast<double>(by_williams) / static_cast<double>(draws);
    return result;
}

FamilyNull family(std::size_t rows,
                  double shift,
                  std::size_t items,
                  std::size_t seeds,
                  std::size_t draws,
                  double by_seed)
{
    FamilyNull result;
    const double each = 1.0 / static_cast<double>(draws);
    const auto n = static_cast<double>(items);
    // Items count alike for all; what an encoder makes of each item, and the seeds, are its own.
    const double error = std::sqrt(2 * (1 / n + (0.25 + by_seed) / static_cast<double>(seeds) / n));
    for (std::size_t draw = 0; draw < draws; ++draw) {
        stats::CounterStream random(seed, draw);
        std::vector<double> difficulty(items);
        for (double& value : difficulty)
            value = random.normal();
        std::vector<stats::Scored> scored(rows);
        for (std::size_t row = 0; row < rows; ++row) {
            std::vector<double> own(items);
            for (double& value : own)
                value = random.normal();
            for (std::size_t fit = 0; fit < seeds; ++fit) {
                std::vector<double> values(items);
                const double luck = std::sqrt(by_seed / n) * random.normal();
                for (std::size_t item = 0; item < items; ++item)
                    values[item] = difficulty[item] + own[item] + 0.5 * random.normal() + luck -
                                   (row + 1 == rows ? shift * error : 0.0);
                const auto statistic = stats::mean_statistic(values);
                scored[row].fits.push_back({fit, statistic->observed(), statistic->influence()});
            }
        }
        const stats::Crossed crossed(scored, {}, false);
        stats::Resampling options;
        options.resamples = 2000;
        options.seed = draw;
        const auto p_values = to_best(crossed, options);
        const std::size_t equal = shift == 0 ? rows : rows - 1;
        const auto least = std::min_element(p_values.begin(),
                                            p_values.begin() + static_cast<std::ptrdiff_t>(equal));
        result.false_verdicts += *least <= level ? each : 0.0;
        result.found += p_values.back() <= level ? each : 0.0;

        std::vector<double> pairs;
        std::vector<std::size_t> against_last;
        for (const stats::Pair& pair : stats::all_pairs(rows)) {
            if (pair.second + 1 == rows)
                against_last.push_back(pairs.size());
            pairs.push_back(p_of(crossed, pair.first, pair.second));
        }
        const auto holm = stats::holm(pairs);
        const auto is_worse = [&](std::size_t at) { return holm[at] <= level; };
        result.found_by_holm +=
            std::any_of(against_last.begin(), against_last.end(), is_worse) ? each : 0.0;
        std::size_t best = 0; // of the others
        for (std::size_t row = 1; row + 1 < rows; ++row)
            if (crossed.value(row) > crossed.value(best))
                best = row;
        result.found_by_holm_from_best += is_worse(against_last[best]) ? each : 0.0;
    }
    return result;
}

double power_at_detectable(
    std::size_t items, std::size_t seeds, double by_seed, std::size_t draws, double at)
{
    double detectable = 0;
    std::size_t found = 0;
    for (int pass = 0; pass < 2; ++pass) { // first the median of what is printed, then the power
        std::vector<double> printed;
        found = 0;
        for (std::size_t draw = 0; draw < draws; ++draw) {
            stats::CounterStream random(seed + static_cast<std::uint64_t>(pass), draw);
            std::vector<stats::Scored> rows(2);
            for (std::size_t row = 0; row < 2; ++row) {
                std::vector<double> own(items);
                for (double& value : own)
                    value = random.normal() + (row == 0 ? detectable : 0.0);
                for (std::size_t fit = 0; fit < seeds; ++fit) {
                    std::vector<double> values(items);
                    const double luck = std::sqrt(by_seed) * random.normal();
                    for (std::size_t item = 0; item < items; ++item)
                        values[item] = own[item] + 0.5 * random.normal() + luck;
                    const auto statistic = stats::mean_statistic(values);
                    rows[row].fits.push_back({fit, statistic->observed(), statistic->influence()});
                }
            }
            const stats::Crossed crossed(rows, {}, false);
            const stats::Spread spread = crossed.of_difference(0, 1);
            printed.push_back(spread.detectable(at));
            found += p_of(crossed) <= at ? 1U : 0U;
        }
        detectable = stats::quantile(printed, 0.5);
    }
    return static_cast<double>(found) / static_cast<double>(draws);
}

} // namespace senteval::test
