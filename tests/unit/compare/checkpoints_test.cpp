// Checkpoints of a training: what is new, and what the best of many flatters itself by.
#include "base/error.hpp"
#include "compare/checkpoints.hpp"
#include "compare/scoring.hpp"
#include "made_cells.hpp"
#include "stats/counter_stream.hpp"
#include "stats/interval.hpp"
#include "support/support.hpp"

#include <cmath>

using namespace senteval;

namespace {

/// A checkpoint whose items have these values, from 0 to 1.
results::Cell valued(const std::string& encoder, const std::vector<double>& values)
{
    test::MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"name", encoder}};
    cell.settings = {{"protocol", "search"}};
    cell.headline = "ndcg_at_10";
    cell.described = {{"ndcg_at_10", "nDCG@10", results::percent, 2, true, {"mean", ""}}};
    cell.items.outcomes.kind = "value";
    cell.items.outcomes.groups = {""};
    double sum = 0;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        cell.items.outcomes.rows.push_back({i, 0, 1, values[i], values[i]});
        cell.items.traits.push_back({1, 0, 0, 0});
        sum += values[i];
    }
    cell.metrics = {{"ndcg_at_10", 100 * sum / static_cast<double>(values.size())}};
    return test::made(cell);
}

/// A training whose checkpoints are all equally good: each item has a part that all share and one of the checkpoint's own.
std::vector<results::Cell>
training(std::size_t checkpoints, std::size_t items, double shared, std::uint64_t number)
{
    std::vector<results::Cell> cells;
    std::vector<double> common(items);
    stats::CounterStream draw(number, 0);
    for (double& one : common)
        one = draw.normal();
    for (std::size_t at = 0; at < checkpoints; ++at) {
        stats::CounterStream own(number, at + 1);
        std::vector<double> values(items);
        for (std::size_t i = 0; i < items; ++i)
            values[i] =
                .5 + .05 * (std::sqrt(shared) * common[i] + std::sqrt(1 - shared) * own.normal());
        cells.push_back(valued(fmt::format("{}", at), values));
        cells.back().result.run.date = fmt::format("2026-01-01T00:00:{:02}Z", at);
    }
    return cells;
}

std::vector<std::size_t> all_rows(const compare::Results& results)
{
    std::vector<std::size_t> rows(results.rows().size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        rows[row] = row;
    return rows;
}

} // namespace

TEST_CASE("the levels of all comparisons of all looks sum to 5 %")
{
    double sum = compare::level_of_look(1);
    for (std::size_t look = 2; look < 200'000; ++look)
        sum += static_cast<double>(look - 1) * compare::level_of_look(look);
    CHECK(sum == doctest::Approx(.05).epsilon(1e-4));
    CHECK(compare::level_of_look(3) == doctest::Approx(.05 * 6 / (9.8696044 * 9) / 2));
}

TEST_CASE("each checkpoint is compared with the best before it")
{
    const std::size_t items = 100;
    std::vector<double> low(items), high(items), mixed(items);
    for (std::size_t i = 0; i < items; ++i) {
        low[i] = .3 + .001 * double(i % 7);
        high[i] = low[i] + .2 + .001 * double(i % 3);
        mixed[i] = low[i] + (i % 2 == 0 ? .25 : 0);
    }
    std::vector<results::Cell> cells = {valued("1", low), valued("2", high), valued("3", mixed)};
    for (std::size_t at = 0; at < cells.size(); ++at)
        cells[at].result.run.date = "2026-01-0" + std::to_string(at + 1) + "T00:00:00Z";
    const compare::Results results(std::move(cells));
    const auto& metric = results.metrics(0).front();
    const auto looks = compare::looks_of(results, 0, metric, all_rows(results));
    REQUIRE(looks.size() == 3);
    CHECK_FALSE(looks[0].best.has_value());
    CHECK(looks[1].best == 0U);
    CHECK(looks[1].interval.low > 0);
    CHECK(looks[2].best == 1U);
    CHECK(looks[2].difference == doctest::Approx(looks[2].value - looks[1].value));
    CHECK(looks[2].interval.high < 0);
    double squares = 0;
    double mean = 0;
    for (std::size_t i = 0; i < items; ++i)
        mean += (mixed[i] - high[i]) / double(items);
    for (std::size_t i = 0; i < items; ++i)
        squares += std::pow(mixed[i] - high[i] - mean, 2);
    const double error = 100 * std::sqrt(squares / double(items - 1) / double(items));
    CHECK(looks[2].interval.high - looks[2].difference ==
          doctest::Approx(error * stats::t_quantile(compare::level_of_look(3), double(items - 1)))
              .epsilon(1e-3));
}

TEST_CASE("few items give a value and no interval")
{
    const compare::Results results({valued("1", {.1, .2}), valued("2", {.3, .1})});
    const auto looks = compare::looks_of(results, 0, results.metrics(0).front(), all_rows(results));
    CHECK(looks[1].open == compare::Open::few_items);
    CHECK(std::isnan(looks[1].interval.low));
    CHECK_FALSE(std::isnan(looks[1].difference));
}

TEST_CASE("of equally good checkpoints hardly ever one is called better or worse")
{
    int wrong = 0;
    constexpr int trainings = 100;
    for (int number = 0; number < trainings; ++number) {
        const compare::Results results(training(10, 60, .5, static_cast<std::uint64_t>(number)));
        const auto looks =
            compare::looks_of(results, 0, results.metrics(0).front(), all_rows(results));
        REQUIRE(looks.size() == 10);
        wrong += std::ranges::any_of(looks, [](const compare::Look& look) {
            return look.interval.low > 0 || look.interval.high < 0;
        });
    }
    CHECK(wrong <= 11);
}

TEST_CASE("halves tell by how much the best of equally good checkpoints flatters itself")
{
    double inside = 0;
    double outside = 0;
    constexpr int trainings = 20;
    for (int number = 0; number < trainings; ++number) {
        const compare::Results results(
            training(20, 100, 0, 1000 + static_cast<std::uint64_t>(number)));
        const auto found =
            compare::flattery_of(results, 0, results.metrics(0).front(), all_rows(results));
        inside += found.inside / trainings;
        outside += found.outside / trainings;
    }
    const double error = 5 / std::sqrt(100.0); // of one checkpoint on all items, in points
    CHECK(std::abs(outside - 50) < .2 * error);
    // the largest of 20 normal values is 1.867 standard deviations above their mean
    CHECK(inside - 50 == doctest::Approx(1.867 * error * std::sqrt(2.0)).epsilon(.1));
    const compare::Results one({valued("1", {.1, .2})});
    CHECK(std::isnan(compare::flattery_of(one, 0, one.metrics(0).front(), all_rows(one)).inside));
}
