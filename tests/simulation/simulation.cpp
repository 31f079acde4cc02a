// simulation.cpp -- how often comparisons of equal encoders find a difference, and of different ones, on real seeds.
//
//     simulation show STORE [METRIC]       every pair of the store, as verdict_reference.py prints it
//     simulation levels DRAWS STORE...     stores of one encoder each, with many seeds
//     simulation one-seed DRAWS            made-up encoders under a classifier that draws nothing
#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "compare/scoring.hpp"
#include "learn/classifier.hpp"
#include "learn/design_matrix.hpp"
#include "learn/folds.hpp"
#include "results/store.hpp"
#include "stats/counter_stream.hpp"
#include "stats/interval.hpp"
#include "stats/multiple.hpp"
#include "stats/variance.hpp"

#include <armadillo>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <exception>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace senteval::test {
namespace {

compare::Results load(const std::string& folder)
{
    std::vector<std::string> problems;
    return compare::Results(results::Store(folder).load_all(problems));
}

void show(const std::string& folder, const std::string& metric)
{
    const compare::Results results = load(folder);
    compare::Options options;
    options.metric = metric;
    options.all_pairs = true;
    const compare::Comparison comparison = compare::compare(results, options);
    for (const compare::TaskComparison& task : comparison.tasks) {
        fmt::print("{}: {}\n", task.task, task.metric.path);
        for (const compare::Pair& pair : task.pairs) {
            const compare::Difference& difference = pair.difference;
            fmt::print("  {} - {}: {:+.4f}  se {:.4f}  df {:.1f}  p {:.4f}  adjusted {:.4f}\n",
                       comparison.rows[pair.first], comparison.rows[pair.second], difference.value,
                       difference.standard_error, difference.freedom, difference.p,
                       difference.p_adjusted);
        }
    }
}

/// One encoder on one task under many seeds: scores, and products of influences.
struct Many {
    std::vector<stats::Fit> fits;
    stats::Sources sources;
};

using Random = stats::CounterStream;

std::size_t below(Random& random, std::size_t n)
{
    return static_cast<std::size_t>(random.uniform() * static_cast<double>(n));
}

/// A random order of 0 ... n - 1.
std::vector<std::size_t> shuffled(Random& random, std::size_t n)
{
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = n; i > 1; --i)
        std::swap(order[i - 1], order[below(random, i)]);
    return order;
}

stats::Fits taken(const Many& many, std::span<const std::size_t> places)
{
    stats::Fits fits;
    for (const std::size_t at : places)
        fits.seeds.push_back(many.fits[at]);
    return fits;
}

/// So many at random.
stats::Fits some_of(const Many& many, Random& random, std::size_t seeds)
{
    const std::vector<std::size_t> order = shuffled(random, many.fits.size());
    return taken(many, std::span(order).first(seeds));
}

double mean_of(const stats::Fits& fits)
{
    double sum = 0;
    for (const stats::Fit& fit : fits.seeds)
        sum += fit.value / static_cast<double>(fits.seeds.size());
    return sum;
}

/// Adjusted p-value of the pair among the rows.
double p_of(const stats::Variances& variances,
            std::span<const stats::Fits> rows,
            std::size_t a,
            std::size_t b)
{
    const stats::Variance variance = variances.of_difference(a, b);
    if (!(variance.total() > 0))
        return 1;
    const double t = std::abs(mean_of(rows[a]) - mean_of(rows[b])) / variance.standard_error();
    return rows.size() > 2 ? stats::studentised_range(rows.size())
                                 .beyond(t * std::numbers::sqrt2, variance.freedom)
                           : stats::t_p_value(t, variance.freedom);
}

/// Share of draws in which one of the rows is called worse than the best; rows of the one encoder with so many seeds.
double self(const Many& many, std::span<const std::size_t> seeds, std::size_t draws)
{
    std::size_t found = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        Random random(20261127, draw);
        const auto order = shuffled(random, many.fits.size());
        std::span<const std::size_t> rest = order;
        std::vector<stats::Fits> rows;
        for (const std::size_t count : seeds) {
            rows.push_back(taken(many, rest.first(count)));
            rest = rest.subspan(count);
        }
        const stats::Variances variances(rows, many.sources);
        std::size_t best = 0;
        for (std::size_t row = 1; row < rows.size(); ++row)
            if (mean_of(rows[row]) > mean_of(rows[best]))
                best = row;
        bool any = false;
        for (std::size_t row = 0; row < rows.size() && !any; ++row)
            any = row != best && p_of(variances, rows, row, best) < compare::level;
        found += any ? 1 : 0;
    }
    return 100 * static_cast<double>(found) / static_cast<double>(draws);
}

/// Two different encoders whose answers are exchanged item by item, which makes them equal. To the first order: scores
/// move by the influences that are exchanged, so that no metric is computed anew.
double exchanged(const Many& first, const Many& second, std::size_t seeds, std::size_t draws)
{
    std::size_t found = 0;
    const std::size_t items = first.fits.front().influence.size();
    for (std::size_t draw = 0; draw < draws; ++draw) {
        Random random(20261128, draw);
        std::vector<stats::Fits> rows = {some_of(first, random, seeds),
                                         some_of(second, random, seeds)};
        const double middle = (mean_of(rows[0]) + mean_of(rows[1])) / 2;
        for (stats::Fits& row : rows) { // as good as each other; seeds keep their deviations
            const double shift = middle - mean_of(row);
            for (stats::Fit& fit : row.seeds)
                fit.value += shift;
        }
        std::vector<bool> swap(items);
        for (std::size_t item = 0; item < items; ++item)
            swap[item] = random.uniform() < 0.5;
        for (std::size_t seed = 0; seed < seeds; ++seed) {
            stats::Fit& a = rows[0].seeds[seed];
            stats::Fit& b = rows[1].seeds[seed];
            for (std::size_t item = 0; item < items; ++item) {
                if (!swap[item])
                    continue;
                const double difference = b.influence[item] - a.influence[item];
                a.value += difference;
                b.value -= difference;
                std::swap(a.influence[item], b.influence[item]);
            }
        }
        const stats::Variances variances(rows, first.sources);
        found += p_of(variances, rows, 0, 1) < compare::level ? 1 : 0;
    }
    return 100 * static_cast<double>(found) / static_cast<double>(draws);
}

/// Found of two encoders as they are.
double power(const Many& first, const Many& second, std::size_t seeds, std::size_t draws)
{
    std::size_t found = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        Random random(20261129, draw);
        const std::vector<stats::Fits> rows = {some_of(first, random, seeds),
                                               some_of(second, random, seeds)};
        const stats::Variances variances(rows, first.sources);
        found += p_of(variances, rows, 0, 1) < compare::level ? 1 : 0;
    }
    return 100 * static_cast<double>(found) / static_cast<double>(draws);
}

void levels(std::size_t draws, std::span<const std::string> stores)
{
    std::vector<compare::Results> all;
    for (const std::string& store : stores)
        all.push_back(load(store));
    fmt::print("{:44} self 5:5 10:10 5:20 5:40 | some of 8, 20 rows of 5\n", "");
    const auto& tasks = all.front().tasks();
    for (std::size_t task = 0; task < tasks.size(); ++task) {
        std::vector<Many> encoders;
        for (std::size_t at = 0; at < all.size(); ++at) {
            const compare::Row& row = all[at].rows().front();
            const std::size_t own = compare::index_of(all[at], tasks[task]);
            const results::Metric metric = all[at].metrics(own).front();
            Many many{compare::fits_of(row, own, metric).seeds,
                      compare::sources_of(row.tasks[own].front()->items, metric)};
            encoders.push_back(std::move(many));
            const Many& here = encoders.back();
            fmt::print("{:44}",
                       fmt::format("{} {} ({} seeds)", row.label, tasks[task], here.fits.size()));
            const auto cell = [&](std::vector<std::size_t> seeds, std::size_t count) {
                const std::size_t needed = std::accumulate(seeds.begin(), seeds.end(), 0UL);
                fmt::print("  {}", needed <= here.fits.size()
                                       ? fmt::format("{:4.1f}", self(here, seeds, count))
                                       : "   -");
                std::fflush(stdout);
            };
            cell({5, 5}, draws);
            cell({10, 10}, draws);
            cell({5, 20}, draws);
            cell({5, 40}, draws);
            cell(std::vector<std::size_t>(8, 5), draws);
            cell(std::vector<std::size_t>(20, 5), draws);
            fmt::print("\n");
        }
        for (std::size_t a = 0; a < encoders.size(); ++a)
            for (std::size_t b = a + 1; b < encoders.size(); ++b)
                fmt::print("{:44} exchanged 5:5 {:.1f}  10:10 {:.1f}  found 5:5 {:.1f}  10:10 "
                           "{:.1f}\n",
                           fmt::format("{} - {} {}", stores[a], stores[b], tasks[task]),
                           exchanged(encoders[a], encoders[b], 5, draws),
                           exchanged(encoders[a], encoders[b], 10, draws),
                           power(encoders[a], encoders[b], 5, draws),
                           power(encoders[a], encoders[b], 10, draws));
        std::fflush(stdout);
    }
}

/// Items of classes, seen by two encoders: what both see of them, and noise of their own beside it.
class Made {
public:
    Made(std::size_t items, std::size_t classes, std::array<double, 2> noise, std::uint64_t stream)
        : numbers(items)
    {
        Random of_classes(20261130, classes);
        std::vector<double> centres(classes * dimension);
        const double apart = classes == 2 ? .25 : .7;
        for (double& value : centres)
            value = apart * of_classes.normal();
        Random random(20261201, stream);
        for (arma::fmat& vectors : seen)
            vectors.set_size(dimension, items);
        for (std::size_t item = 0; item < items; ++item) {
            labels.push_back(static_cast<learn::Label>(below(random, classes)));
            for (std::size_t at = 0; at < dimension; ++at) {
                const double both = centres[labels[item] * dimension + at] + .7 * random.normal();
                for (std::size_t encoder = 0; encoder < 2; ++encoder)
                    seen[encoder](at, item) =
                        static_cast<float>(both + noise[encoder] * random.normal());
            }
        }
        std::iota(numbers.begin(), numbers.end(), 0U);
        for (const arma::fmat& vectors : seen)
            matrices.emplace_back(learn::Features::single({&vectors, numbers}));
    }
    Made(const Made&) = delete;
    Made& operator=(const Made&) = delete;
    Made(Made&&) = delete;
    Made& operator=(Made&&) = delete;
    ~Made() = default;

    /// Whether each of the rows is classified rightly.
    [[nodiscard]] std::vector<double> answers(std::size_t encoder,
                                              const learn::Model& model,
                                              std::span<const std::uint32_t> rows) const
    {
        std::vector<double> right;
        const auto predicted = model.predict(matrices[encoder], rows);
        for (std::size_t i = 0; i < rows.size(); ++i)
            right.push_back(predicted[i].label == labels[rows[i]] ? 1 : 0);
        return right;
    }

    static constexpr std::size_t dimension = 20;
    std::vector<std::uint32_t> numbers;
    std::vector<learn::Label> labels;
    std::array<arma::fmat, 2> seen;
    std::deque<learn::DesignMatrix> matrices; // which cannot be moved
};

double mean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Answers of two encoders, and how much better the first one's classifiers are on a large pool.
struct Answered {
    std::array<std::vector<double>, 2> right;
    double truth = 0;
};

/// Learns from so many items; tests on as many others, or in ten folds.
Answered
answered(std::size_t items, bool in_folds, std::size_t classes, const Made& drawn, const Made* pool)
{
    learn::Settings settings;
    settings.classifier = "logreg-newton";
    const auto classifier = learn::make_classifier(settings);
    const std::vector<double> strength = {1};
    const auto half = std::span(drawn.numbers).first(items);
    std::vector<learn::Fold> folds = {{{half.begin(), half.end()}, {}}};
    if (in_folds)
        folds = learn::stratified_folds(std::span(drawn.labels).first(items), 10, 1111);
    else
        folds[0].test.assign(drawn.numbers.begin() + std::ssize(half), drawn.numbers.end());
    Answered found;
    std::size_t first = 0; // of the pool: a part for each fold
    for (const learn::Fold& fold : folds) {
        const std::size_t share = pool == nullptr ? 0 : pool->numbers.size() / folds.size();
        for (std::size_t encoder = 0; encoder < 2; ++encoder) {
            const learn::Examples train{&drawn.matrices[encoder], drawn.labels, fold.train};
            const auto fits = classifier->fit({train, {}, classes, strength, 1111, {}});
            const learn::Model& model = *fits.front().model;
            const auto right = drawn.answers(encoder, model, fold.test);
            found.right[encoder].insert(found.right[encoder].end(), right.begin(), right.end());
            if (pool != nullptr)
                found.truth += (encoder == 0 ? 1 : -1) *
                               mean(pool->answers(encoder, model,
                                                  std::span(pool->numbers).subspan(first, share))) /
                               static_cast<double>(folds.size());
        }
        first += share;
    }
    return found;
}

/// Whether the test calls the difference of the answers another one than `truth`.
bool is_found(const std::array<std::vector<double>, 2>& right, double truth)
{
    std::vector<stats::Fits> rows;
    for (const std::vector<double>& answers : right) {
        stats::Fit fit{0, mean(answers), answers};
        for (double& influence : fit.influence)
            influence = (influence - fit.value) / static_cast<double>(answers.size());
        rows.push_back({{std::move(fit)}, {}});
    }
    const stats::Sources none;
    const stats::Variance variance = stats::Variances(rows, none).of_difference(0, 1);
    const double difference = mean_of(rows[0]) - mean_of(rows[1]) - truth;
    return variance.total() > 0 && stats::t_p_value(difference / variance.standard_error(),
                                                    variance.freedom) < compare::level;
}

/// Encoders of different worth, their answers exchanged item by item; and equal ones, given the training set and over
/// new ones.
void one_seed(std::size_t draws)
{
    constexpr std::size_t large = 30000;
    const std::array equal{.6, .6};
    for (const std::size_t classes : {2U, 12U})
        for (const bool in_folds : {false, true})
            for (const std::size_t items : {300U, 1000U}) {
                const Made pool(large, classes, equal, std::uint64_t{1} << 40U);
                std::array<double, 4> found{}; // exchanged, given the set, over sets; accuracy
                for (std::size_t draw = 0; draw < draws; ++draw) {
                    const std::size_t all = in_folds ? items : 2 * items;
                    const Made twins(all, classes, equal, draw);
                    const Answered own = answered(items, in_folds, classes, twins, &pool);
                    found[1] += is_found(own.right, own.truth) ? 1 : 0;
                    found[2] += is_found(own.right, 0) ? 1 : 0;
                    found[3] += mean(own.right[0]);
                    const Made others(all, classes, {.3, 1.2}, draw);
                    Answered two = answered(items, in_folds, classes, others, nullptr);
                    Random random(20261202, draw);
                    for (std::size_t item = 0; item < items; ++item)
                        if (random.uniform() < .5)
                            std::swap(two.right[0][item], two.right[1][item]);
                    found[0] += is_found(two.right, 0) ? 1 : 0;
                }
                for (double& value : found)
                    value *= 100 / static_cast<double>(draws);
                fmt::print("{:2} classes, {:4} items, {:9}  exchanged {:.1f}  given the training "
                           "set {:.1f}  over new ones {:.1f}  (accuracy {:.0f})\n",
                           classes, items, in_folds ? "ten folds" : "test part", found[0], found[1],
                           found[2], found[3]);
                std::fflush(stdout);
            }
}

} // namespace
} // namespace senteval::test

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    try {
        if (words.size() > 1 && words[0] == "show")
            senteval::test::show(words[1], words.size() > 2 ? words[2] : "");
        else if (words.size() > 2 && words[0] == "levels")
            senteval::test::levels(std::stoul(words[1]), std::span(words).subspan(2));
        else if (words.size() == 2 && words[0] == "one-seed")
            senteval::test::one_seed(std::stoul(words[1]));
        else
            return 2;
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
        return 1;
    }
    return 0;
}
