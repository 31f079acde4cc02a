#include "several_seeds.hpp"

#include "draws.hpp"
#include "nulls.hpp"

#include "compare/scoring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace senteval::test {
namespace {

/// Of the value of each item, under one fit.
stats::Fit mean_of(std::size_t seed, std::vector<double> values, double answer)
{
    const auto n = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values)
        mean += value / n;
    for (double& value : values)
        value = (value - mean) / n;
    return {seed, mean, std::move(values), answer};
}

double long_tailed(stats::CounterStream& random)
{
    double squares = 0;
    for (int i = 0; i < 3; ++i)
        squares += std::pow(random.normal(), 2) / 3;
    return random.normal() / std::sqrt(squares) / std::sqrt(3.0);
}

struct MadeUp {
    std::size_t items = 0;
    std::size_t seeds = 0;
    std::function<double(stats::CounterStream&)> own; ///< of an item to an encoder
    std::function<double(double error)> value;        ///< of an item
    bool is_share = false;
    double stretch = 0;  ///< of an encoder's own errors, by its seeds
    double common = 0.5; ///< of encoders
    double each = 0.2;   ///< of each seed and item
};

/// An item's error has a part that is common to encoders, one that is the encoder's own, one along a direction that each seed
/// goes differently far, and one that is different each time.
double rejections(const MadeUp& made, std::size_t draws)
{
    std::size_t rejected = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        stats::CounterStream random(seed, draw);
        const auto drawn = [&](auto of) {
            std::vector<double> values(made.items);
            for (double& value : values)
                value = of(random);
            return values;
        };
        const auto normal = [](stats::CounterStream& from) { return from.normal(); };
        const auto common = drawn(normal);
        std::vector<stats::Scored> rows(2);
        for (stats::Scored& row : rows) {
            const auto own = drawn(made.own);
            const auto direction = made.stretch > 0 ? own : drawn(normal);
            for (std::size_t fit = 0; fit < made.seeds; ++fit) {
                const double luck = (made.stretch > 0 ? made.stretch : 0.05) * random.normal();
                std::vector<double> values(made.items);
                for (std::size_t item = 0; item < made.items; ++item)
                    values[item] = made.value(made.common * common[item] + own[item] +
                                              luck * direction[item] + made.each * random.normal());
                const double answer = made.is_share ? 1 / static_cast<double>(made.items) : 0;
                row.fits.push_back(mean_of(fit, std::move(values), answer));
            }
        }
        rejected += p_of({rows, {}, made.is_share}) <= level ? 1U : 0U;
    }
    return static_cast<double>(rejected) / static_cast<double>(draws);
}

} // namespace

double
long_tailed_rejections(std::size_t items, std::size_t seeds, double stretch, std::size_t draws)
{
    return rejections({items, seeds,
                       [](stats::CounterStream& random) { return 0.7 * long_tailed(random); },
                       [](double error) { return error * error; }, false, stretch,
                       stretch > 0 ? 0.2 : 0.5, stretch > 0 ? 0.03 : 0.2},
                      draws);
}

double
few_errors_rejections(std::size_t items, std::size_t seeds, double accuracy, std::size_t draws)
{
    const double deviation = std::sqrt(0.5 * 0.5 + 0.5 * 0.5 + 0.2 * 0.2 + 0.05 * 0.05);
    const double limit = deviation * stats::t_quantile(2 * (1 - accuracy), 1e6);
    return rejections({items, seeds,
                       [](stats::CounterStream& random) { return 0.5 * random.normal(); },
                       [limit](double error) { return error < limit ? 1.0 : 0.0; }, true},
                      draws);
}

double swapped_seeds_rejections(const compare::Runs& first,
                                const compare::Runs& second,
                                const task::Metric& metric,
                                std::size_t items,
                                std::size_t seeds,
                                std::size_t draws)
{
    const std::size_t all = first.front()->items.outcomes.rows.size();
    std::size_t rejected = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        stats::CounterStream random(seed, draw);
        const auto chosen = sample(random, all, items == 0 ? all : items);
        const std::array runs{sample(random, first.size(), seeds),
                              sample(random, second.size(), seeds)};
        std::vector<bool> is_swapped;
        for (std::size_t item = 0; item < chosen.size(); ++item)
            is_swapped.push_back(random.uniform() < 0.5);
        std::vector<stats::Scored> rows(2);
        stats::Sources sources;
        for (std::size_t fit = 0; fit < seeds; ++fit) {
            std::array parts{part_of(first[runs[0][fit]]->items, chosen),
                             part_of(second[runs[1][fit]]->items, chosen)};
            for (std::size_t item = 0; item < chosen.size(); ++item)
                if (is_swapped[item])
                    std::swap(parts[0].outcomes.rows[item].prediction,
                              parts[1].outcomes.rows[item].prediction);
            for (std::size_t side = 0; side < 2; ++side)
                if (auto scored = compare::fit_of(parts[side], metric, {})) {
                    scored->seed = fit;
                    rows[side].fits.push_back(std::move(*scored));
                }
            sources = compare::sources_of(parts[0], metric);
        }
        if (std::ranges::none_of(rows, [](const stats::Scored& row) { return row.fits.empty(); }))
            rejected += p_of({rows, sources, compare::is_share(metric)}) <= level ? 1U : 0U;
    }
    return static_cast<double>(rejected) / static_cast<double>(draws);
}

} // namespace senteval::test
