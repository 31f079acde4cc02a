#include "base/error.hpp"
#include "measures/named_statistic.hpp"
#include "stats/correlation.hpp"
#include "stats/statistic.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

double observed(std::string_view name,
                const std::vector<double>& gold,
                const std::vector<double>& predicted)
{
    const auto* statistic = measures::find_statistic(name);
    REQUIRE(statistic != nullptr);
    return statistic->of(gold, predicted).value;
}

} // namespace

TEST_CASE("a statistic is found by its name and made of gold and predicted values")
{
    const std::vector<double> gold = {0, 1, 1, 2};
    const std::vector<double> predicted = {0, 1, 2, 3};
    CHECK(observed("accuracy", gold, predicted) == 0.5);
    CHECK(observed("f1", gold, predicted) == doctest::Approx(2.0 / 3)); // one hit; gold 2, said 1
    CHECK(observed("macro f1", gold, predicted) == doctest::Approx((1 + 2.0 / 3) / 4));
    CHECK(observed("squared error", gold, predicted) == 0.5);
    CHECK(observed("mean", gold, predicted) == 1.5);
    CHECK(observed("pearson", gold, predicted) ==
          doctest::Approx(stats::pearson(gold, predicted).r));
    CHECK(observed("spearman", gold, predicted) ==
          doctest::Approx(stats::spearman(gold, predicted).r));
    const std::vector<double> ranks = {1, 5, 6, 11};
    CHECK(observed("recall@1", gold, ranks) == 0.25);
    CHECK(observed("recall@5", gold, ranks) == 0.5);
    CHECK(observed("recall@10", gold, ranks) == 0.75);
    CHECK(observed("recall@1", gold, {1.5, 2, 3, 4}) == 0.25); // half an item comes before it
    CHECK(observed("median rank", gold, ranks) == 5);          // between 5 and 6
    CHECK(observed("median rank", {1, 1, 1}, {9, 2, 4}) == 4);
    CHECK(measures::find_statistic("") == nullptr);
    CHECK(measures::find_statistic("guess") == nullptr);
}

TEST_CASE("lists of different lengths are refused")
{
    const std::vector<double> two = {0, 1};
    const std::vector<double> one = {0};
    for (const char* name : {"accuracy", "f1", "pearson", "spearman", "mean"})
        CHECK_THROWS_AS((void)measures::find_statistic(name)->of(two, one), base::Error);
}

TEST_CASE("quantiles are interpolated as NumPy does by default")
{
    const std::array<double, 5> values = {16, 1, 8, 2, 4};
    CHECK(stats::quantile(values, 0.0) == 1);
    CHECK(stats::quantile(values, 0.1) == doctest::Approx(1.4));
    CHECK(stats::quantile(values, 0.5) == 4);
    CHECK(stats::quantile(values, 0.9) == doctest::Approx(12.8));
    CHECK(stats::quantile(values, 1.0) == 16);
}

TEST_CASE("a quantile of nothing is not a number, and probabilities are checked")
{
    CHECK(std::isnan(stats::quantile({}, 0.5)));
    CHECK_THROWS_AS(stats::quantile(std::array<double, 1>{1}, 1.1), base::Error);
    CHECK_THROWS_AS(stats::quantile(std::array<double, 1>{1}, std::nan("")), base::Error);
}

TEST_CASE("a summary has the standard deviation with n - 1")
{
    const auto summary = stats::summarise(std::array<double, 4>{2, 4, 4, 6});
    CHECK(summary.n == 4);
    CHECK(summary.mean == 4);
    CHECK(summary.sd == doctest::Approx(std::sqrt(8.0 / 3.0)));
    CHECK(summary.min == 2);
    CHECK(summary.max == 6);
    CHECK(std::isnan(stats::summarise(std::array<double, 1>{2}).sd));
    CHECK(std::isnan(stats::summarise({}).mean));
}
