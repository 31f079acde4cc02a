#include "base/error.hpp"
#include "measures/clusters.hpp"
#include "support/support.hpp"

using namespace senteval;
using doctest::Approx;
using Labels = std::vector<std::uint32_t>;
using Weights = std::vector<double>;

namespace {

measures::ClusterMeasures measured(const Labels& gold, const Labels& found)
{
    return measures::cluster_measures(measures::Contingency(gold, found));
}

/// V-measure of weighted items, from conditional entropies: 1 - H(class | cluster) / H(class), and so on.
double weighted_v(const Labels& gold, const Labels& found, const Weights& weights)
{
    const double n = std::accumulate(weights.begin(), weights.end(), 0.0);
    const auto weight_of = [&](std::size_t i, bool by_gold, bool by_found) {
        double sum = 0;
        for (std::size_t j = 0; j < gold.size(); ++j)
            if ((!by_gold || gold[j] == gold[i]) && (!by_found || found[j] == found[i]))
                sum += weights[j];
        return sum;
    };
    double classes = 0;
    double clusters = 0;
    double classes_left = 0;
    double clusters_left = 0;
    for (std::size_t i = 0; i < gold.size(); ++i) {
        const double g = weight_of(i, true, false);
        const double f = weight_of(i, false, true);
        const double both = weight_of(i, true, true);
        classes -= weights[i] / n * std::log(g / n);
        clusters -= weights[i] / n * std::log(f / n);
        classes_left -= weights[i] / n * std::log(both / f);
        clusters_left -= weights[i] / n * std::log(both / g);
    }
    const double h = classes > 0 ? 1 - classes_left / classes : 1;
    const double c = clusters > 0 ? 1 - clusters_left / clusters : 1;
    return h + c > 0 ? 2 * h * c / (h + c) : 0;
}

Labels random_labels(std::mt19937& draw, std::size_t n, unsigned classes)
{
    Labels labels(n);
    for (std::uint32_t& label : labels)
        label = static_cast<std::uint32_t>(draw() % classes * 7);
    return labels;
}

/// Information and Rand's pairs by walking over items and pairs.
struct Walked {
    double information = 0, classes = 0, clusters = 0; ///< entropies
    double together = 0, gold_pairs = 0, found_pairs = 0;
};

Walked walked(const Labels& gold, const Labels& found)
{
    Walked w;
    const auto n = static_cast<double>(gold.size());
    for (std::size_t i = 0; i < gold.size(); ++i) {
        double g = 0;
        double f = 0;
        double both = 0;
        for (std::size_t j = 0; j < gold.size(); ++j) {
            const bool same_gold = gold[i] == gold[j];
            const bool same_found = found[i] == found[j];
            g += same_gold ? 1 : 0;
            f += same_found ? 1 : 0;
            both += same_gold && same_found ? 1 : 0;
        }
        w.information += std::log(n * both / (g * f)) / n;
        w.classes -= std::log(g / n) / n;
        w.clusters -= std::log(f / n) / n;
        w.gold_pairs += (g - 1) / 2;
        w.found_pairs += (f - 1) / 2;
        w.together += (both - 1) / 2;
    }
    return w;
}

} // namespace

TEST_CASE("clusters by scikit-learn's figures")
{
    const auto m = measured({0, 0, 1, 1, 2, 2, 2}, {0, 0, 1, 2, 2, 2, 2});
    CHECK(m.v_measure.value == Approx(0.7447395504214402).epsilon(1e-14));
    CHECK(m.adjusted_mutual_information == Approx(0.5760777773323419).epsilon(1e-13));
    Labels gold;
    Labels found;
    for (std::uint32_t i = 0; i < 50; ++i) {
        gold.push_back(i % 5);
        found.push_back(i * i % 7);
    }
    const auto chance = measured(gold, found);
    CHECK(chance.v_measure.value == Approx(0.02534582641966631).epsilon(1e-13));
    CHECK(chance.adjusted_mutual_information == Approx(-0.07621192728184126).epsilon(1e-13));
}

TEST_CASE("one class, one cluster, single items")
{
    const auto split = measured({0, 0, 0, 0}, {0, 1, 2, 3});
    CHECK(split.homogeneity == 1);
    for (const double zero : {split.completeness, split.v_measure.value, split.adjusted_rand,
                              split.adjusted_mutual_information})
        CHECK(zero == 0);
    const auto merged = measured({0, 1, 2}, {0, 0, 0});
    CHECK(merged.homogeneity == 0);
    CHECK(merged.completeness == 1);
    CHECK(merged.adjusted_mutual_information == 0);
    for (const Labels& labels : {Labels{5, 5, 5}, Labels{9, 4, 7}, Labels{1, 2, 1, 2}, Labels{3}}) {
        Labels renamed = labels;
        for (std::uint32_t& label : renamed)
            label = 4000000000U - label;
        const auto same = measured(labels, renamed);
        CHECK(same.v_measure.value == Approx(1).epsilon(1e-15));
        CHECK(same.adjusted_rand == 1);
        CHECK(same.adjusted_mutual_information == 1);
        for (const double influence : same.v_measure.influence)
            CHECK(std::abs(influence) < 1e-15);
    }
    CHECK_THROWS_AS(measured({0}, {0, 1}), base::Error);
    CHECK_THROWS_AS(measured({}, {}), base::Error);
}

TEST_CASE("the adjusted measures are 0 on average over all orders of the labels")
{
    const Labels gold = {0, 0, 0, 1, 1, 2};
    Labels found = {0, 0, 1, 1, 1, 2};
    std::vector<std::size_t> order(gold.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    double rand = 0;
    double information = 0;
    do {
        Labels permuted;
        for (const std::size_t i : order)
            permuted.push_back(found[i]);
        const auto m = measured(gold, permuted);
        rand += m.adjusted_rand;
        // An equal partition is 1 by definition, and by the formula.
        information += m.adjusted_mutual_information;
    } while (std::next_permutation(order.begin(), order.end()));
    CHECK(std::abs(rand / 720) < 1e-14);
    CHECK(std::abs(information / 720) < 1e-14);
}

TEST_CASE("random clusters: the measures walked out, influences by numerical derivatives")
{
    std::mt19937 draw(5);
    for (int round = 0; round < 20; ++round) {
        const std::size_t n = 20 + draw() % 60;
        const Labels gold = random_labels(draw, n, 2 + round % 6);
        Labels found = random_labels(draw, n, 2 + round % 4);
        for (std::size_t i = 0; i < n; ++i) // some agreement
            found[i] = draw() % 3 == 0 ? found[i] : gold[i];
        const auto m = measured(gold, found);
        const Walked w = walked(gold, found);
        const auto count = static_cast<double>(n);
        const double chance = w.gold_pairs * w.found_pairs / (count * (count - 1) / 2);
        CHECK(m.adjusted_rand ==
              Approx((w.together - chance) / ((w.gold_pairs + w.found_pairs) / 2 - chance))
                  .epsilon(1e-12));
        CHECK(m.homogeneity == Approx(w.information / w.classes).epsilon(1e-12));
        CHECK(m.completeness == Approx(w.information / w.clusters).epsilon(1e-12));
        CHECK(m.v_measure.value == Approx(weighted_v(gold, found, Weights(n, 1))).epsilon(1e-12));
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            constexpr double step = 1e-4;
            Weights more(n, 1);
            Weights less(n, 1);
            more[i] += step;
            less[i] -= step;
            const double slope =
                (weighted_v(gold, found, more) - weighted_v(gold, found, less)) / (2 * step);
            CHECK(std::abs(m.v_measure.influence[i] - slope) < 1e-8);
            sum += m.v_measure.influence[i];
        }
        CHECK(std::abs(sum) < 1e-13);
    }
}

TEST_CASE("the influences give the jackknife's standard error of V")
{
    std::mt19937 draw(8);
    const std::size_t n = 600;
    const Labels gold = random_labels(draw, n, 6);
    Labels found = random_labels(draw, n, 6);
    for (std::size_t i = 0; i < n; ++i)
        found[i] = draw() % 3 == 0 ? found[i] : gold[i];
    const auto m = measured(gold, found);
    double influences = 0;
    double left_out = 0;
    for (std::size_t i = 0; i < n; ++i) {
        Labels fewer_gold = gold;
        Labels fewer_found = found;
        fewer_gold.erase(fewer_gold.begin() + static_cast<std::ptrdiff_t>(i));
        fewer_found.erase(fewer_found.begin() + static_cast<std::ptrdiff_t>(i));
        const double change = m.v_measure.value - measured(fewer_gold, fewer_found).v_measure.value;
        influences += m.v_measure.influence[i] * m.v_measure.influence[i];
        left_out += change * change;
    }
    CHECK(std::sqrt(influences) == Approx(std::sqrt(left_out)).epsilon(0.02));
}
