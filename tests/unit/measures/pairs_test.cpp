#include "base/error.hpp"
#include "measures/pairs.hpp"
#include "support/support.hpp"

using namespace senteval;
using doctest::Approx;
using measures::Cuts;
using List = std::vector<double>;

namespace {

struct Counts {
    double hits = 0, taken = 0, right = 0;
};

/// Of the rule "positive from this score on".
Counts under(double threshold, const List& gold, const List& scores)
{
    Counts counts;
    for (std::size_t i = 0; i < gold.size(); ++i) {
        const double said = scores[i] >= threshold ? 1 : 0;
        counts.hits += said * gold[i];
        counts.taken += said;
        counts.right += said == gold[i] ? 1 : 0;
    }
    return counts;
}

double f1_of(const Counts& counts, double positives)
{
    return counts.hits > 0 ? 2 * counts.hits / (counts.taken + positives) : 0;
}

} // namespace

TEST_CASE("MTEB's cuts by its own figures")
{
    const List scores = {.9, .8, .8, .8, .7, .7, .5, .5, .2, .1};
    struct Expected {
        List gold;
        double accuracy, f1, precision, recall, ap;
        List scores;
    };
    for (const auto& e :
         {Expected{{1, 0, 1, 1, 0, 1, 0, 0, 1, 0}, .7, 8.0 / 11, 2.0 / 3, .8, 67.0 / 90, scores},
          Expected{{0, 1, 0, 0, 1, 0, 1, 1, 0, 1}, .5, 8.0 / 13, .5, .8, 5.0 / 12, scores},
          Expected{{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, .9, 18.0 / 19, 1, .9, 1, scores},
          Expected{{0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, .8, 0, 0, 0, .1, scores},
          // Of equal scores the first is right, and then the last: no cut parts them.
          Expected{{1, 0, 0}, 2.0 / 3, 2.0 / 3, .5, 1, .5, {1, 1, .2}},
          Expected{{0, 1, 1, 0}, .75, .8, 2.0 / 3, 1, 7.0 / 12, {1, 1, .5, .2}}}) {
        const auto m = measures::pair_measures(e.gold, e.scores, Cuts::mteb);
        CHECK(m.accuracy == Approx(e.accuracy).epsilon(1e-14));
        CHECK(m.f1 == Approx(e.f1).epsilon(1e-14));
        CHECK(m.precision == Approx(e.precision).epsilon(1e-14));
        CHECK(m.recall == Approx(e.recall).epsilon(1e-14));
        CHECK(m.average_precision == Approx(e.ap).epsilon(1e-14));
    }
}

TEST_CASE("a constant score cannot tell pairs apart")
{
    const List gold = {1, 0};
    const List same = {.5, .5};
    const auto ours = measures::pair_measures(gold, same);
    CHECK(ours.accuracy == 0.5);
    CHECK(ours.accuracy_threshold == std::numeric_limits<double>::infinity());
    CHECK(ours.f1 == Approx(2.0 / 3));
    CHECK(ours.f1_threshold == 0.5);
    CHECK(ours.average_precision == 0.5);
    CHECK(measures::pair_measures(gold, same, Cuts::mteb).accuracy == 0); // there is no cut
}

TEST_CASE("both end cuts are tried, and no positive gives 0")
{
    const List scores = {3, 2, 1};
    CHECK(measures::pair_measures(List{1, 1, 1}, scores).accuracy == 1);
    CHECK(measures::pair_measures(List{1, 1, 1}, scores).accuracy_threshold == 1);
    const auto none = measures::pair_measures(List{0, 0, 0}, scores);
    CHECK(none.accuracy == 1);
    CHECK(none.f1 == 0);
    CHECK(none.average_precision == 0);
    CHECK(measures::pair_measures(List{1}, List{1}, Cuts::mteb).accuracy == 0); // no cut
}

TEST_CASE("pairs that cannot be measured are refused")
{
    CHECK_THROWS_AS(measures::pair_measures(List{}, List{}), base::Error);
    CHECK_THROWS_AS(measures::pair_measures(List{1}, List{1, 2}), base::Error);
    CHECK_THROWS_AS(measures::pair_measures(List{2}, List{1}), base::Error);
    CHECK_THROWS_AS(measures::pair_measures(List{1}, List{std::nan("")}), base::Error);
}

TEST_CASE("on random pairs with ties every threshold is tried")
{
    std::mt19937 draw(3);
    for (int round = 0; round < 300; ++round) {
        List gold;
        List scores;
        for (std::size_t i = 0; i < 1 + draw() % 20; ++i) {
            gold.push_back(draw() % 2 == 0 ? 1 : 0);
            scores.push_back(static_cast<double>(draw() % (round % 2 == 0 ? 5 : 1000)) / 7);
        }
        std::set<double, std::greater<>> thresholds(scores.begin(), scores.end());
        double positives = 0;
        for (const double one : gold)
            positives += one;
        double ap = 0;
        double before = 0;
        double accuracy = under(INFINITY, gold, scores).right;
        double f1 = 0;
        for (const double threshold : thresholds) {
            const Counts counts = under(threshold, gold, scores);
            if (positives > 0)
                ap += (counts.hits - before) / positives * counts.hits / counts.taken;
            before = counts.hits;
            accuracy = std::max(accuracy, counts.right);
            f1 = std::max(f1, f1_of(counts, positives));
        }
        const auto n = static_cast<double>(gold.size());
        const auto ours = measures::pair_measures(gold, scores);
        CHECK(ours.average_precision == Approx(ap).epsilon(1e-12));
        CHECK(ours.accuracy == Approx(accuracy / n).epsilon(1e-12));
        CHECK(ours.f1 == Approx(f1).epsilon(1e-12));
        // The thresholds give what is said of them.
        CHECK(under(ours.accuracy_threshold, gold, scores).right == Approx(accuracy));
        const Counts at = under(ours.f1_threshold, gold, scores);
        CHECK(f1_of(at, positives) == Approx(f1).epsilon(1e-12));
        CHECK(ours.precision == Approx(at.taken > 0 ? at.hits / at.taken : 0));
        CHECK(ours.recall == Approx(positives > 0 ? at.hits / positives : 0));
        // MTEB's cuts are ours without the ends.
        const auto mteb = measures::pair_measures(gold, scores, Cuts::mteb);
        if (std::isfinite(ours.accuracy_threshold) &&
            ours.accuracy_threshold != *thresholds.rbegin())
            CHECK(mteb.accuracy == ours.accuracy);
        if (ours.f1_threshold != *thresholds.rbegin())
            CHECK(mteb.f1 == ours.f1);
    }
}
