#include "training_sets.hpp"

#include "draws.hpp"
#include "nulls.hpp"

#include "compare/results.hpp"
#include "compare/scoring.hpp"
#include "run/store.hpp"
#include "stats/statistic.hpp"

#include <array>
#include <map>
#include <numeric>
#include <utility>

namespace senteval::test {
namespace {

/// The row of the task; its halves have numbers of their own, as other training sets have other halves.
stats::Scored scored_on(const compare::Results& results, std::size_t task)
{
    constexpr std::uint64_t most_halves = 10000;
    const task::Metric& metric = results.metrics(task).front();
    const compare::Row& row = results.rows().front();
    stats::Scored scored;
    for (const run::Cell* cell : row.tasks[task]) {
        scored.fits.push_back(*compare::fit_of(*cell, metric, {}));
        scored.fits.back().seed += most_halves * (task + 1);
    }
    for (const run::Cell* cell : row.resampled[task]) {
        scored.resampled.push_back(*compare::fit_of(*cell, metric, {}));
        scored.resampled.back().seed = compare::resample_of(*cell) + most_halves * (task + 1);
    }
    return scored;
}

bool are_told_apart(const stats::Scored& first,
                    const stats::Scored& second,
                    bool is_share,
                    stats::Population population)
{
    const std::vector<stats::Scored> rows = {first, second};
    return p_of({rows, {}, is_share, population}) <= level;
}

constexpr std::size_t dimension = 10;
using Point = std::array<double, dimension + 1>; // with a 1 for the intercept

struct Labelled {
    std::vector<std::vector<Point>> encoders; ///< the same items as each of them sees them
    std::vector<double> labels;               ///< -1 or 1
};

/// Each encoder sees the label in its first coordinate, under noise of its own.
Labelled draw_items(stats::CounterStream& random, std::size_t count, std::size_t encoders)
{
    Labelled data;
    data.encoders.resize(encoders);
    for (std::size_t item = 0; item < count; ++item) {
        const double label = random.uniform() < 0.5 ? -1 : 1;
        data.labels.push_back(label);
        for (auto& points : data.encoders) {
            Point point{};
            for (double& x : point)
                x = random.normal();
            point[0] += 0.7 * label;
            point[dimension] = 1;
            points.push_back(point);
        }
    }
    return data;
}

/// Least squares on the labels, by Gaussian elimination of the normal equations.
Point fit_linear(const std::vector<Point>& points,
                 const std::vector<double>& labels,
                 const std::vector<std::size_t>& items)
{
    std::array<std::array<double, dimension + 2>, dimension + 1> equations{};
    for (std::size_t i = 0; i <= dimension; ++i)
        equations[i][i] = 1e-6;
    for (const std::size_t item : items)
        for (std::size_t i = 0; i <= dimension; ++i) {
            for (std::size_t j = 0; j <= dimension; ++j)
                equations[i][j] += points[item][i] * points[item][j];
            equations[i][dimension + 1] += points[item][i] * labels[item];
        }
    for (std::size_t i = 0; i <= dimension; ++i)
        for (std::size_t row = 0; row <= dimension; ++row) {
            if (row == i)
                continue;
            const double factor = equations[row][i] / equations[i][i];
            for (std::size_t j = i; j < dimension + 2; ++j)
                equations[row][j] -= factor * equations[i][j];
        }
    Point weights{};
    for (std::size_t i = 0; i <= dimension; ++i)
        weights[i] = equations[i][dimension + 1] / equations[i][i];
    return weights;
}

stats::Fit accuracy_of(const Point& weights,
                       const std::vector<Point>& points,
                       const std::vector<double>& labels,
                       std::uint64_t number)
{
    stats::Fit fit{number, 0, {}};
    std::vector<double> right;
    for (std::size_t item = 0; item < labels.size(); ++item) {
        const double score =
            std::inner_product(weights.begin(), weights.end(), points[item].begin(), 0.0);
        right.push_back(score * labels[item] > 0 ? 1 : 0);
    }
    const auto statistic = stats::mean_statistic(right);
    fit.value = statistic->observed();
    fit.influence = statistic->influence();
    fit.answer = 1 / static_cast<double>(labels.size());
    return fit;
}

} // namespace

double training_rejections(std::size_t size,
                           std::size_t resampled,
                           std::size_t draws,
                           std::size_t encoders)
{
    constexpr std::size_t tested = 2000;
    std::size_t rejected = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        stats::CounterStream random(seed, draw);
        const Labelled train = draw_items(random, size, encoders);
        const Labelled test = draw_items(random, tested, encoders);
        std::vector<std::vector<std::size_t>> sets;
        sets.push_back(sample(random, size, size));
        for (std::size_t pair = 0; 2 * pair < resampled; ++pair) {
            const auto order = sample(random, size, size);
            const auto middle = order.begin() + static_cast<std::ptrdiff_t>(size / 2);
            sets.emplace_back(order.begin(), middle);
            if (2 * pair + 1 < resampled)
                sets.emplace_back(middle, order.end());
        }
        std::vector<stats::Scored> rows(encoders);
        for (stats::Scored& row : rows)
            row.by_seed = stats::SeedVariance{0, 0, 100}; // least squares have no seed
        for (std::size_t side = 0; side < encoders; ++side)
            for (std::size_t set = 0; set < sets.size(); ++set) {
                const Point weights = fit_linear(train.encoders[side], train.labels, sets[set]);
                auto& fits = set == 0 ? rows[side].fits : rows[side].resampled;
                fits.push_back(accuracy_of(weights, test.encoders[side], test.labels, set));
            }
        stats::Resampling options;
        options.resamples = 2000;
        options.seed = draw;
        const auto p_values = to_best({rows, {}, true}, options);
        rejected += std::ranges::min(p_values) <= level ? 1U : 0U;
    }
    return static_cast<double>(rejected) / static_cast<double>(draws);
}

std::vector<TrainingSets> compare_training_sets(const std::string& store)
{
    std::vector<std::string> problems;
    const compare::Results results(run::Store(store).load_all(problems));
    std::map<std::string, std::vector<std::size_t>> tasks;
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        const std::string& name = results.tasks()[task];
        tasks[name.substr(0, name.rfind('-'))].push_back(task);
    }
    std::vector<TrainingSets> all;
    for (const auto& [name, members] : tasks) {
        std::vector<stats::Scored> scored;
        for (const std::size_t task : members)
            scored.push_back(scored_on(results, task));
        const task::Metric& metric = results.metrics(members.front()).front();
        const bool is_share = compare::is_share(metric);
        TrainingSets sets{name, members.size()};
        double pairs = 0;
        for (std::size_t a = 0; a < scored.size(); ++a)
            for (std::size_t b = a + 1; b < scored.size(); ++b, ++pairs) {
                using stats::Population;
                sets.by_items +=
                    are_told_apart(scored[a], scored[b], is_share, Population::items) ? 1 : 0;
                sets.by_halves +=
                    are_told_apart(scored[a], scored[b], is_share, Population::training) ? 1 : 0;
            }
        sets.by_items /= pairs;
        sets.by_halves /= pairs;
        all.push_back(std::move(sets));
    }
    return all;
}

} // namespace senteval::test
