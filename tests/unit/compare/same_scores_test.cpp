// What is told of results that differ by rounding alone, and of those whose difference does not vary.
#include "compare/comparison.hpp"
#include "compare/formats.hpp"
#include "compare/same_scores.hpp"
#include "compare/scoring.hpp"
#include "compare/verdict.hpp"
#include "core/error.hpp"
#include "made_cells.hpp"
#include "report/order.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;
using compare::Verdict;

namespace {

constexpr std::size_t item_count = 300;

std::vector<task::Metric> all_metrics()
{
    auto metrics = test::usual_metrics();
    metrics.push_back({"f1", "F1", task::percent, 2, true, {"f1", ""}});
    metrics.push_back({"mean", "mean", "points", 2, true, {"mean", ""}});
    metrics.push_back({"median", "median rank", "rank", 1, false, {"median rank", ""}});
    metrics.push_back({"r1", "recall at 1", task::percent, 1, true, {"recall@1", ""}});
    return metrics;
}

const task::Metric& metric_called(const std::vector<task::Metric>& metrics, const std::string& path)
{
    return *task::find_metric(metrics, path);
}

/// An untrained result by the metric, of what is predicted for each item; the value is that of the predictions.
run::Cell predicting(const std::string& encoder,
                     const std::string& path,
                     const std::function<double(std::size_t item)>& prediction,
                     const std::string& task = "Own")
{
    test::MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"name", encoder}};
    cell.settings = {{"protocol", "similarity"}};
    cell.task = task;
    cell.headline = path;
    cell.described = all_metrics();
    const bool of_classes = path == "acc" || path == "f1";
    std::vector<std::pair<double, double>> outcomes;
    std::vector<std::uint32_t> groups;
    for (std::size_t i = 0; i < item_count; ++i) {
        outcomes.emplace_back(of_classes ? i % 2 : i % 6, prediction(i));
        groups.push_back(i < item_count / 3 ? 0 : 1);
    }
    cell.items = test::pair_items(outcomes, groups);
    const task::Metric& metric = metric_called(cell.described, path);
    cell.metrics = {{path, compare::statistic_of(cell.items, metric)->observed() * metric.scale()}};
    return test::made(cell);
}

compare::Comparison tested_together(std::vector<run::Cell> cells, compare::Options options = {})
{
    options.resampling.resamples = 200;
    return compare::compare(compare::Results(std::move(cells)), options);
}

compare::Entry other_than_reference(const compare::Comparison& comparison)
{
    const auto& entries = comparison.tasks.at(0).entries;
    return entries[0].verdict == Verdict::reference ? entries[1] : entries[0];
}

double cosine(std::size_t item)
{
    return 0.1 * static_cast<double>(item % 6) + 0.5 * std::sin(static_cast<double>(item));
}

/// As far off as a float is cosine_rounded.
double cosine_rounded(std::size_t item)
{
    return cosine(item) + 1e-8 * std::sin(static_cast<double>(7 * item) + 1);
}

double answer(std::size_t item)
{
    return item % 7 == 0 ? 0 : static_cast<double>(item % 2);
}

double rank_of_item(std::size_t item)
{
    return static_cast<double>(1 + item % 5);
}

} // namespace

TEST_CASE("results that differ by rounding alone have the same scores, by every metric")
{
    for (const char* path : {"pearson", "spearman", "mse", "all.pearson.wmean", "mean"}) {
        CAPTURE(path);
        const auto comparison = tested_together(
            {predicting("plain", path, cosine), predicting("unit", path, cosine_rounded),
             predicting("far", path, [](std::size_t item) { return -cosine(item); })});
        const auto& entries = comparison.tasks.at(0).entries;
        const auto& other = entries[0].verdict == Verdict::reference ? entries[1] : entries[0];
        CHECK(other.difference.same_scores);
        CHECK(other.verdict == Verdict::tied);
        CHECK(other.difference.p_value == 1);
        CHECK(other.p_adjusted == 1);
        CHECK(other.difference.interval.low <= 0);
        CHECK(other.difference.interval.high >= 0);
        CHECK(std::isnan(other.difference.detectable));
        CHECK_FALSE(entries[2].difference.same_scores);
        for (const std::string& text :
             {compare::to_terminal(comparison, {}), compare::to_markdown(comparison),
              compare::to_latex(comparison), compare::to_json(comparison).dump()}) {
            CAPTURE(text);
            CHECK(text.find("have the same scores") != std::string::npos);
        }
    }
    for (const char* path : {"acc", "f1", "r1", "median"}) {
        CAPTURE(path);
        const auto prediction =
            std::string(path) == "acc" || std::string(path) == "f1" ? answer : rank_of_item;
        const auto comparison = tested_together(
            {predicting("plain", path, prediction), predicting("unit", path, prediction)});
        CHECK(other_than_reference(comparison).difference.same_scores);
        CHECK(other_than_reference(comparison).p_adjusted == 1);
    }
}

TEST_CASE(
    "rows of which every seed predicts the same have the same scores, however many seeds they have")
{
    for (const char* path : {"acc", "f1"}) {
        CAPTURE(path);
        std::vector<run::Cell> cells;
        for (const auto& [encoder, seeds] : {std::pair("a", 3), {"b", 4}})
            for (int seed = 1; seed <= seeds; ++seed) {
                cells.push_back(predicting(encoder, path, [](std::size_t) { return 1.0; }));
                cells.back().document["protocol"]["settings"]["seed"] = seed;
            }
        const auto other = other_than_reference(tested_together(std::move(cells)));
        CHECK(other.difference.same_scores);
        CHECK(other.difference.p_value == 1);
    }
}

TEST_CASE("where hardly an answer differs F1 is no surer than accuracy")
{
    for (const char* path : {"acc", "f1"}) {
        CAPTURE(path);
        const auto but_one = [](std::size_t item) { return item == 17 ? 0.0 : 1.0; };
        const auto other = other_than_reference(
            tested_together({predicting("a", path, [](std::size_t) { return 1.0; }),
                             predicting("b", path, but_one)}));
        CHECK(other.difference.interval.low < -0.6); // one of 300 more on either side: 2 / 300^2
        CHECK(other.difference.interval.high > 0.3);
    }
}

TEST_CASE(
    "results that differ in one item by more than rounding are tested, and told by what it says")
{
    for (const char* path : {"pearson", "spearman", "mse", "all.pearson.wmean", "mean"}) {
        CAPTURE(path);
        const auto moved = [](std::size_t item) { return cosine(item) + (item == 17 ? 1e-5 : 0); };
        const auto other = other_than_reference(
            tested_together({predicting("a", path, cosine), predicting("b", path, moved)}));
        CHECK_FALSE(other.difference.same_scores);
        CHECK(other.verdict == Verdict::tied);
        CHECK(other.difference.p_value > 0.2);
    }
}

TEST_CASE(
    "what correlates the same on another scale is not told apart by how doubles are cosine_rounded")
{
    const auto scaled = [](std::size_t item) { return 3 * cosine(item) + 1.7; };
    for (const char* path : {"pearson", "spearman", "all.pearson.wmean"}) {
        CAPTURE(path);
        const auto other = other_than_reference(
            tested_together({predicting("a", path, cosine), predicting("b", path, scaled)}));
        CHECK(other.verdict == Verdict::tied);
        CHECK(other.difference.p_value > 0.2);
    }
    const auto gold = [](std::size_t item) { return static_cast<double>(item % 6); };
    const auto thirds = [](std::size_t item) { return static_cast<double>(item % 6) / 3 + 0.1; };
    const auto perfect = other_than_reference(
        tested_together({predicting("a", "pearson", gold), predicting("b", "pearson", thirds)}));
    CHECK(perfect.verdict == Verdict::tied);
    CHECK(perfect.difference.p_value == 1);
}

TEST_CASE("no p is 0 where the items of a difference do not vary: it is that of so many items")
{
    const double least = std::exp2(-static_cast<double>(item_count));
    const auto gold = [](std::size_t item) { return static_cast<double>(item % 6); };
    const auto negative = [](std::size_t item) { return -static_cast<double>(item % 6); };
    const auto opposite = other_than_reference(
        tested_together({predicting("a", "pearson", gold), predicting("b", "pearson", negative)}));
    CHECK(opposite.verdict == Verdict::worse);
    CHECK(opposite.difference.p_value == least);
    const auto more = [](std::size_t item) { return cosine(item) + 1; };
    const auto constant = other_than_reference(
        tested_together({predicting("a", "mean", cosine), predicting("b", "mean", more)}));
    CHECK(constant.verdict == Verdict::worse);
    CHECK(constant.difference.p_value >= least);
    CHECK(constant.difference.interval.high < 0);
    compare::Options near;
    near.margin = 2;
    const auto within = other_than_reference(tested_together(
        {predicting("a", "pearson", cosine), predicting("b", "pearson", cosine_rounded)}, near));
    CHECK(within.p_equivalent == doctest::Approx(std::pow(0.98, item_count)));
    // No swaps make a difference of this size; still no resample is rarer than one of them.
    const auto rank = [](std::size_t i) { return static_cast<double>(i % 20); };
    const auto ranks = other_than_reference(
        tested_together({predicting("a", "median", rank),
                         predicting("b", "median", [&](std::size_t i) { return rank(i) + 15; })}));
    CHECK(ranks.difference.p_value == doctest::Approx(1.0 / 201));
    CHECK(ranks.difference.interval.low > 0);
    CHECK(compare::least_p(100'000) == std::numeric_limits<double>::min());
    CHECK(compare::least_p(2) == 0.25);
}

TEST_CASE("what differs by rounding shares its rank over the tasks")
{
    std::vector<run::Cell> cells;
    for (int task = 0; task < 8; ++task) {
        const std::string name = fmt::format("T{}", task);
        cells.push_back(predicting("plain", "mean", cosine, name));
        cells.push_back(predicting("unit", "mean", cosine_rounded, name));
    }
    compare::Options options;
    options.across_tasks = true;
    const auto comparison = tested_together(std::move(cells), options);
    REQUIRE(comparison.across.has_value());
    CHECK(comparison.across->mean_ranks == std::vector<double>{1.5, 1.5});
    CHECK(comparison.across->pairs.at(0).p_value == 1);
    report::Document document; // which ranks no other way
    document.ranks = compare::rank_diagram(comparison);
    for (const char* name : {"plain", "unit"})
        document.encoders.push_back({name, "", "", 1});
    for (const std::string& task : document.ranks.tasks)
        document.tasks.emplace_back().name = task;
    CHECK(report::mean_ranks(document, 0, 8) == std::vector<double>{1.5, 1.5});
}

TEST_CASE("two labels of one encoder are one row, and a note says so")
{
    auto again = predicting("plain", "mean", cosine, "Further");
    again.document["encoder"]["label"] = "other";
    again.document["run"]["date"] = "2026-02-01T12:00:00Z";
    const auto comparison = tested_together({predicting("plain", "mean", cosine), again});
    CHECK(comparison.rows == std::vector<std::string>{"other"});
    for (const std::string& text :
         {compare::to_terminal(comparison, {}), compare::to_markdown(comparison),
          compare::to_latex(comparison), compare::to_json(comparison).dump()})
        CHECK(text.find("one encoder") != std::string::npos);
    compare::Options options;
    options.baseline = "plain"; // which is called otherwise here
    const auto with_baseline =
        tested_together({predicting("plain", "mean", cosine), again,
                         predicting("worse", "mean", [](std::size_t item) { return item % 3; })},
                        options);
    CHECK(with_baseline.baseline == "other");
}

TEST_CASE("a baseline that several rows are called by is refused with these")
{
    const auto worse = predicting("worse", "mean", [](std::size_t item) { return item % 3; });
    auto first = predicting("plain", "mean", cosine);
    auto second = predicting("plain", "mean", [](std::size_t item) { return cosine(item) + 1; });
    second.document["encoder"]["fingerprint"] = "another";
    second.document["run"]["date"] = "2026-02-01T12:00:00Z";
    compare::Options options;
    options.baseline = "plain";
    CHECK_THROWS_WITH_AS((void)tested_together({first, second, worse}, options),
                         doctest::Contains("several rows are called 'plain': plain ("),
                         core::UsageError);
    options.baseline = "plane";
    CHECK_THROWS_WITH_AS((void)tested_together({first, worse}, options),
                         doctest::Contains("there is no row 'plane'. Did you mean 'plain'?"),
                         core::UsageError);
}

TEST_CASE(
    "two builds of one encoder's library are two rows, and a note says that nothing else differs")
{
    const auto built = [](const char* library, const char* label, double more) {
        auto cell =
            predicting(label, "mean", [&](std::size_t item) { return cosine(item) + more; });
        cell.document["encoder"]["parameters"] = {{"vectors", std::string("/lies/in/") + label}};
        cell.document["encoder"]["files"] = {{"library", library}, {"vectors", "abc"}};
        return cell;
    };
    const auto note = [](const compare::Comparison& comparison) {
        return compare::to_json(comparison).dump().find("one encoder by name") != std::string::npos;
    };
    CHECK(note(tested_together({built("1", "a", 0), built("2", "b", 0.1)})));
    auto changed = built("2", "b", 0.1);
    changed.document["encoder"]["files"]["vectors"] = "other";
    CHECK_FALSE(note(tested_together({built("1", "a", 0), changed})));
}
