#include "base/error.hpp"
#include "measures/named_statistic.hpp"
#include "stats/statistic.hpp"
#include "stats/variance.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

using Rows = std::vector<std::vector<double>>;

stats::Fits fits_of(const std::string& metric,
                    const std::vector<double>& gold,
                    const Rows& predictions,
                    double scale)
{
    stats::Fits fits;
    for (const auto& predicted : predictions) {
        stats::Statistic one = measures::find_statistic(metric)->of(gold, predicted);
        for (double& value : one.influence)
            value *= scale;
        fits.seeds.push_back({0, one.value * scale, one.influence});
    }
    return fits;
}

struct Expected {
    std::string metric;
    bool shared;
    double variance;
    double freedom;
    double items_only;
};

void check(const std::vector<double>& gold,
           const Rows& a,
           const Rows& b,
           double scale,
           const Expected& expected)
{
    const stats::Sources sources =
        expected.shared ? stats::Sources{{0, 0, 1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 5, 12, 13}}
                        : stats::Sources{};
    const std::vector<stats::Fits> rows = {fits_of(expected.metric, gold, a, scale),
                                           fits_of(expected.metric, gold, b, scale)};
    const stats::Variances variances(rows, sources);
    const stats::Variance variance = variances.of_difference(0, 1);
    CHECK(variance.total() == doctest::Approx(expected.variance).epsilon(1e-9));
    CHECK(variance.freedom == doctest::Approx(expected.freedom).epsilon(1e-9));
    const stats::Variance by_items = variances.of_difference(0, 1, true);
    CHECK(by_items.total() == doctest::Approx(expected.items_only).epsilon(1e-9));
    CHECK(by_items.freedom == 7);
}

} // namespace

// Values of an independent program in Python, of the same formula.
TEST_CASE("variances of differences of shares, three seeds against two")
{
    const std::vector<double> gold = {1, 0, 1, 1, 0, 0, 1, 0};
    const Rows a = {{1, 0, 1, 0, 0, 0, 1, 0}, {1, 0, 0, 1, 0, 1, 1, 0}, {1, 1, 1, 1, 0, 0, 1, 0}};
    const Rows b = {{0, 0, 1, 0, 1, 0, 1, 0}, {1, 0, 0, 0, 0, 1, 0, 0}};
    check(gold, a, b, 100,
          {"accuracy", false, 56.423611111111114, 1.8988764044943824, 138.26884920634916});
    check(gold, a, b, 100,
          {"accuracy", true, 56.423611111111114, 1.8988764044943824, 80.29513888888889});
    check(gold, a, b, 100,
          {"f1", false, 159.37753702303968, 1.2549165924451067, 99.17844172304936});
}

TEST_CASE("variances of differences of correlations and errors, two seeds each")
{
    const std::vector<double> gold = {1, 2, 3, 3.5, 4, 5, 2.5, 0.5};
    const Rows a = {{1.2, 1.9, 2.5, 3.9, 4.2, 4.4, 2.0, 1.0},
                    {.7, 2.4, 3.3, 3.1, 3.6, 5.2, 2.9, .1}};
    const Rows b = {{2.2, 1.1, 3.5, 2.9, 3.2, 4.9, 1.0, 2.0},
                    {1.7, 2.9, 2.3, 4.1, 2.6, 4.2, 3.9, .6}};
    check(gold, a, b, 1,
          {"pearson", true, 0.0005581056061704351, 1.189316517325213, 0.005018613671030686});
    check(gold, a, b, 1,
          {"spearman", false, 0.014709677963923376, 7.267954295030554, 0.026119383232314143});
    check(gold, a, b, 1,
          {"squared error", false, 0.016416015625, 4.877171039163861, 0.04590262276785713});
}

TEST_CASE("of one share of independent items the variance is p (1 - p) / n")
{
    const std::vector<double> gold(10, 1);
    const std::vector<stats::Fits> rows = {
        fits_of("accuracy", gold, {{1, 1, 1, 1, 1, 1, 1, 0, 0, 0}}, 1)};
    const stats::Variances variances(rows, {});
    CHECK(variances.of_score(0, true).total() == doctest::Approx(0.7 * 0.3 / 10));
    CHECK(variances.of_score(0, false).total() == doctest::Approx(0.7 * 0.3 / 9));
    CHECK(variances.of_score(0, false).freedom == 9);
}

TEST_CASE("fits that are equal have no variance, and other items are refused")
{
    const std::vector<double> gold = {1, 0, 1};
    const std::vector<stats::Fits> same = {fits_of("accuracy", gold, {{1, 1, 1}}, 1),
                                           fits_of("accuracy", gold, {{1, 1, 1}}, 1)};
    CHECK(stats::Variances(same, {}).of_difference(0, 1).total() == 0);
    const std::vector<stats::Fits> other = {fits_of("accuracy", gold, {{1, 1, 1}}, 1),
                                            fits_of("accuracy", {1, 0}, {{1, 1}}, 1)};
    CHECK_THROWS_AS(stats::Variances(other, {}), base::Error);
}

TEST_CASE("ten halves and more of the training set add a third term")
{
    stats::Fits row{{{0, 0.5, {0.1, -0.1}}, {0, 0.5, {0.1, -0.1}}}, {}};
    stats::Fits other = row;
    // Differences 1, -1, 1, -1, ...: P = 1, V = 10/9, so that 2 P - V = 8/9.
    for (std::uint64_t half = 1; half <= 10; ++half) {
        row.halves.push_back({half, half % 2 == 1 ? 1.0 : -1.0, {}});
        other.halves.push_back({half, 0, {}});
    }
    const std::vector<stats::Fits> rows = {row, other};
    const stats::Variance variance = stats::Variances(rows, {}).of_difference(0, 1);
    CHECK(variance.training == doctest::Approx(8.0 / 9));
    CHECK(variance.freedom == doctest::Approx(4));
    stats::Fits few = row;
    few.halves.pop_back();
    const std::vector<stats::Fits> without = {few, other};
    CHECK(stats::Variances(without, {}).of_difference(0, 1).training == 0);
}

TEST_CASE("statistics that are not defined, or not smooth, say so")
{
    CHECK(std::isnan(
        stats::pearson_statistic(std::vector<double>{1, 1, 1}, std::vector<double>{1, 2, 3})
            .value));
    CHECK(stats::median_rank_statistic(std::vector<double>{1, 2, 5}).influence.empty());
}
