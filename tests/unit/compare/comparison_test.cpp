#include "compare/comparison.hpp"
#include "compare/formats.hpp"
#include "compare/verdict.hpp"
#include "core/error.hpp"
#include "made_cells.hpp"
#include "stats/correlation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;
using compare::Verdict;

namespace {

using Pairs = std::vector<std::pair<double, double>>;

/// Scores near 1 ... 20, each off by `error`, one way and the other.
Pairs predicted(double error)
{
    Pairs pairs;
    for (int i = 0; i < 20; ++i)
        pairs.emplace_back(i, i + (i % 2 == 0 ? error : -error) * (1 + 0.01 * i));
    return pairs;
}

test::MadeCell scored(const std::string& encoder, const std::string& headline, const Pairs& pairs)
{
    test::MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"name", encoder}};
    cell.task = "Own";
    cell.settings = {{"protocol", "similarity"}};
    cell.headline = headline;
    cell.items = test::pair_items(pairs, std::vector<std::uint32_t>(pairs.size(), 0));
    std::vector<double> gold;
    std::vector<double> prediction;
    double error = 0;
    for (const auto& [g, p] : pairs) {
        gold.push_back(g);
        prediction.push_back(p);
        error += (g - p) * (g - p) / static_cast<double>(pairs.size());
    }
    cell.metrics = {{"pearson", stats::pearson(prediction, gold).r},
                    {"pearson_p", 1e-9},
                    {"spearman", stats::spearman(prediction, gold).r},
                    {"mse", error}};
    return cell;
}

compare::Comparison compared(std::vector<run::Cell> cells,
                             const std::string& metric = "",
                             const std::string& baseline = "")
{
    compare::Options options;
    options.metric = metric;
    options.baseline = baseline;
    options.resampling.resamples = 500;
    return compare::compare(compare::Results(std::move(cells)), options);
}

std::vector<run::Cell> good_and_bad(const std::string& headline = "pearson")
{
    return {test::made(scored("bad", headline, predicted(3))),
            test::made(scored("good", headline, predicted(0.5)))};
}

std::string error_of(const std::string& metric)
{
    try {
        (void)compared(good_and_bad(), metric);
    } catch (const core::UsageError& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("where lower is better, the lowest is the best, and it is tested")
{
    for (const auto& comparison :
         {compared(good_and_bad(), "mse"), compared(good_and_bad("mse"))}) {
        const auto& task = comparison.tasks.at(0);
        CHECK(task.metric.path == "mse");
        CHECK_FALSE(task.entries[0].is_best);
        CHECK(task.entries[1].is_best);
        CHECK(task.entries[1].verdict == Verdict::reference);
        CHECK(task.entries[0].verdict == Verdict::worse);
        CHECK(task.entries[0].difference.value > 0);
        CHECK(task.entries[0].p_adjusted < 0.01);
        CHECK(task.population == "these encoders on new items");
        const auto& interval = task.entries[0].score.interval;
        CHECK(interval.low < task.entries[0].score.value);
        CHECK(interval.high > task.entries[0].score.value);
        // The best comes first.
        const std::string text = compare::to_terminal(comparison, {});
        CHECK(text.find("= good") < text.find("  bad"));
    }
    CHECK(compared(good_and_bad(), "MSE").tasks[0].metric.path == "mse"); // as people write it
    const auto against_bad = compared(good_and_bad(), "mse", "bad");
    CHECK(against_bad.tasks[0].entries[1].verdict == Verdict::better);
    CHECK(against_bad.tasks[0].entries[0].verdict == Verdict::reference);
}

TEST_CASE("a metric of other predictions is tested on those")
{
    // By their own predictions "first" is better, by the others "second".
    auto first = scored("first", "pearson", predicted(0.5));
    auto second = scored("second", "pearson", predicted(4));
    const auto add_other = [](test::MadeCell& cell, const Pairs& pairs, double value) {
        std::vector<double> predictions;
        for (const auto& pair : pairs)
            predictions.push_back(pair.second);
        cell.items.outcomes.further = {{"other", predictions}};
        cell.metrics["other"]["pearson"] = value;
    };
    add_other(first, predicted(4), second.metrics["pearson"]);
    add_other(second, predicted(0.5), first.metrics["pearson"]);
    const auto comparison = compared({test::made(first), test::made(second)}, "other.pearson");
    const auto& entries = comparison.tasks.at(0).entries;
    CHECK(entries[1].is_best);
    CHECK(entries[0].verdict == Verdict::worse);
    CHECK(entries[0].difference.williams < 0.05); // for information
    for (const auto& entry : entries) {
        CHECK(entry.score.interval.low <= entry.score.value);
        CHECK(entry.score.interval.high >= entry.score.value);
    }
    CHECK(entries[1].score.interval.low > entries[0].score.value);
}

TEST_CASE("a subset whose name has a dot is a metric like others, of its own items")
{
    const auto in_parts = [](const std::string& encoder, double error) {
        auto cell = scored(encoder, "pearson", predicted(error));
        for (std::size_t i = 0; i < 20; ++i)
            cell.items.outcomes.rows[i].group = i < 8 ? 0 : 1;
        cell.items.outcomes.groups = {"part0", "part1"};
        cell.metrics["surprise.OnWN"]["pearson"] = 1 - error / 10;
        return test::made(cell);
    };
    const auto comparison =
        compared({in_parts("a", 0.5), in_parts("b", 2)}, "surprise.OnWN.pearson");
    const auto& entries = comparison.tasks.at(0).entries;
    CHECK(entries[0].score.value == 0.95);
    CHECK(entries[0].score.items == 12);
    CHECK(entries[1].difference.williams > 0);
}

TEST_CASE("what is no metric to compare by is refused with those that are")
{
    const std::string p_value = error_of("pearson_p");
    CHECK(p_value.find(
              "cannot be compared by 'pearson_p'. Did you mean 'pearson'? The tables show ") !=
          std::string::npos);
    CHECK(p_value.find("'senteval tasks --json' lists the metrics") != std::string::npos);
    CHECK_FALSE(error_of("nothing").empty());
}

TEST_CASE("rows that cannot be tested say so in every format, and why")
{
    auto other_items = scored("other", "pearson", predicted(0.6));
    other_items.items.outcomes.rows[3].gold = 100;
    auto without = scored("without", "pearson", predicted(0.7));
    without.items = {};
    auto cells = good_and_bad();
    cells.push_back(test::made(other_items));
    cells.push_back(test::made(without));
    const auto comparison = compared(cells);
    const auto& entries = comparison.tasks.at(0).entries;
    CHECK(entries[2].verdict == Verdict::not_comparable);
    CHECK(entries[2].difference.not_comparable == "other test items");
    CHECK(entries[3].difference.not_comparable == "no test items");
    CHECK(std::isnan(entries[2].difference.p_value));

    const std::string text = compare::to_terminal(comparison, {});
    CHECK(text.find("? other") != std::string::npos);
    CHECK(text.find("not comparable: other test items") != std::string::npos);
    CHECK(text.find("? cannot be compared") != std::string::npos);
    CHECK(compare::to_markdown(comparison).find("| other | ") != std::string::npos);
    CHECK(compare::to_markdown(comparison).find("] ? |") != std::string::npos);
    CHECK(compare::to_latex(comparison).find(" ?} \\\\") != std::string::npos);
    CHECK(compare::to_csv(comparison).find("not comparable") != std::string::npos);
    CHECK(compare::to_json(comparison).dump().find("no test items") != std::string::npos);
}

TEST_CASE("items that are as few as one tell nothing of how far a score may be off")
{
    const auto made_of = [](const Pairs& good, const Pairs& bad, std::uint32_t hubs) {
        std::vector<run::Cell> cells;
        for (const auto& [name, pairs] : {std::pair("good", good), {"bad", bad}}) {
            auto cell = scored(name, "pearson", pairs);
            for (std::uint32_t i = 0; i < cell.items.traits.size() && hubs > 0; ++i) {
                cell.items.traits[i].source_first = i % hubs;
                cell.items.traits[i].source_second = hubs + i;
            }
            cells.push_back(test::made(cell));
        }
        return compared(std::move(cells)).tasks.at(0).entries;
    };
    const auto hub = made_of(predicted(0.5), predicted(3), 1);
    CHECK(hub[1].difference.not_comparable == "nearly all test items share a sentence");
    CHECK(std::isnan(hub[0].score.interval.low));
    CHECK(std::isnan(hub[1].score.interval.low));
    const auto hubs = made_of(predicted(0.5), predicted(3), 5);
    CHECK(hubs[1].difference.not_comparable.empty());
    CHECK_FALSE(std::isnan(hubs[1].score.interval.low));
    const auto first = [](const Pairs& all) { return Pairs(all.begin(), all.begin() + 3); };
    const auto three = made_of(first(predicted(0.5)), first(predicted(3)), 0);
    CHECK(three[1].difference.not_comparable == "fewer than 4 test items");
}

TEST_CASE("results of other folds are called so")
{
    std::vector<run::Cell> cells;
    for (const int kfold : {5, 10}) {
        auto cell = scored("glove", "pearson", predicted(kfold));
        cell.settings["kfold"] = kfold;
        if (kfold == 5)
            std::swap(cell.items.outcomes.rows[0], cell.items.outcomes.rows[1]);
        cells.push_back(test::made(cell));
    }
    const auto entries = compared(std::move(cells)).tasks.at(0).entries;
    CHECK(entries[0].difference.not_comparable + entries[1].difference.not_comparable ==
          "other folds (kfold 10 and 5)");
}

TEST_CASE("a metric that is no function of the items is shown, and not tested")
{
    auto cells = std::vector<run::Cell>();
    for (const auto& [name, value] : {std::pair("a", 70.0), std::pair("b", 80.0)}) {
        test::MadeCell cell;
        cell.encoder = name;
        cell.parameters = {{"name", name}};
        cell.metrics = {{"acc", 50.0}, {"devacc", value}};
        cell.items = test::class_items({{0, 0}, {1, 0}}, {1, 1});
        cells.push_back(test::made(cell));
    }
    const auto comparison = compared(cells, "devacc");
    const auto& entries = comparison.tasks.at(0).entries;
    CHECK(entries[1].is_best);
    CHECK(entries[0].verdict == Verdict::not_comparable);
    CHECK(entries[0].difference.not_comparable == "no function of the test items");
    CHECK(std::isnan(entries[0].score.interval.low));
}

TEST_CASE("rows that lack the one task of a unit are named, and tasks without the metric asked for")
{
    std::vector<run::Cell> cells = {test::untrained("a", "B", 40, 20)};
    cells.front().document["run"]["warnings"] = {"B was cut short"};
    for (const std::string encoder : {"a", "b"}) {
        test::MadeCell cell = scored(encoder, "pearson", predicted(encoder == "a" ? 1 : 2));
        cell.task = "A";
        cells.push_back(test::made(cell));
    }
    const auto has = [](const compare::Comparison& comparison, const std::string& note) {
        return std::ranges::find(comparison.warnings, note) != comparison.warnings.end();
    };
    CHECK(has(compared(cells), "B: there is no result of b."));
    CHECK_FALSE(has(compared(cells), "A: there is no result of b."));
    CHECK(has(compared(cells), "a warned: B was cut short."));
    const auto by_pearson = compared(cells, "pearson");
    CHECK(has(by_pearson, "Left out: B, where no encoder has a value of 'pearson'."));
    CHECK_FALSE(has(by_pearson, "a warned: B was cut short.")); // B is not shown
}

TEST_CASE("a row that lacks a damaged result says so")
{
    std::vector<run::Cell> cells = {test::untrained("a", "A", 40, 20),
                                    test::untrained("b", "A", 40, 30)};
    const auto fingerprint =
        cells.back().document.at("encoder").at("fingerprint").get<std::string>();
    compare::Results results(std::move(cells));
    const std::vector<run::LostCell> lost = {{fingerprint.substr(0, 12), "A"},
                                             {"0123456789ab", "B"}};
    results.add_lost(lost);
    const auto comparison = compare::compare(results, {});
    CHECK_FALSE(comparison.tasks[0].entries[0].failed);
    CHECK(comparison.tasks[0].entries[1].failed);
    CHECK(compare::to_terminal(comparison, {}).find("75.00!") != std::string::npos);
    const auto said = [&](const std::string& begin) {
        return std::ranges::any_of(comparison.warnings, [&](const std::string& warning) {
            return warning.starts_with(begin);
        });
    };
    CHECK(said("Results of b on A are damaged"));
    CHECK(said("Results of 0123456789ab on B are damaged")); // all that is known of the encoder
}

TEST_CASE("over seeds correlations are compared by their means")
{
    const auto with_seed = [](test::MadeCell cell, int seed) {
        cell.settings["seed"] = seed;
        return test::made(cell);
    };
    const auto comparison = compared({with_seed(scored("a", "pearson", predicted(0.5)), 1),
                                      with_seed(scored("a", "pearson", predicted(2)), 2),
                                      with_seed(scored("b", "pearson", predicted(3)), 1),
                                      with_seed(scored("b", "pearson", predicted(4)), 2)});
    const auto& difference = comparison.tasks.at(0).entries[1].difference;
    CHECK(difference.population == stats::Population::seeds);
    CHECK(std::isnan(difference.williams));
    CHECK(difference.interval.low < difference.value);
    CHECK(difference.interval.high > difference.value);
}

TEST_CASE("two rows of the same value are both the best")
{
    std::vector<run::Cell> cells;
    for (const auto& [encoder, wrong] : {std::pair("a", 0), {"b", 100}, {"c", 250}}) {
        test::MadeCell cell = test::trained(encoder, 0, 1);
        cell.settings = {{"protocol", "similarity"}};
        std::vector<std::pair<int, int>> outcomes(300, {1, 1});
        for (int item = wrong; item < wrong + (encoder == std::string("c") ? 50 : 40); ++item)
            outcomes[static_cast<std::size_t>(item)].second = 0;
        cell.items = test::class_items(outcomes, std::vector<std::uint32_t>(300, 1));
        cell.metrics = {{"acc", encoder == std::string("c") ? 250 / 3.0 : 260 / 3.0}};
        cells.push_back(test::made(cell));
    }
    const auto entries = compared(std::move(cells)).tasks.at(0).entries;
    CHECK(entries[0].is_best);
    CHECK(entries[1].is_best);
    CHECK_FALSE(entries[2].is_best);
}

TEST_CASE("where the best can be compared with none, the others are still compared")
{
    auto other_items = scored("elsewhere", "pearson", predicted(0.1));
    other_items.items.outcomes.rows[3].gold = 100;
    auto cells = good_and_bad();
    cells.push_back(test::made(other_items));
    const auto comparison = compared(cells);
    const auto& entries = comparison.tasks.at(0).entries;
    CHECK(entries[2].is_best);
    CHECK_FALSE(entries[2].among_best);
    CHECK(entries[2].verdict == Verdict::not_comparable);
    CHECK(entries[1].verdict == Verdict::reference);
    CHECK(entries[0].verdict == Verdict::worse);
    CHECK(compare::verdict_sentences(comparison) ==
          std::vector<std::string>{
              "good is better than bad on Own, where nobody else has a verdict against it.",
              "On Own this is about these encoders on new items.",
              "Cannot be compared on Own (" + comparison.rows[2] +
                  "): " + entries[2].difference.not_comparable + "."});
}

TEST_CASE(
    "who has the best value is said of those with a verdict, and beside whom has the same scores")
{
    auto other_items = scored("elsewhere", "pearson", predicted(0.1));
    other_items.items.outcomes.rows[3].gold = 100;
    auto nearly = predicted(1);
    nearly.front().second += 0.3;
    const auto comparison =
        compared({test::made(scored("a", "pearson", predicted(1))),
                  test::made(scored("a too", "pearson", predicted(1))),
                  test::made(scored("b", "pearson", nearly)), test::made(other_items)});
    REQUIRE(comparison.tasks.at(0).entries[2].verdict == Verdict::tied);
    CHECK(compare::verdict_sentences(comparison).front() ==
          "a has the best value of those with a verdict on Own, where a too has the same scores "
          "and b cannot be told from it.");
    CHECK(compare::verdict_sentences(compared({test::made(scored("a", "pearson", predicted(1))),
                                               test::made(scored("b", "pearson", predicted(1)))}))
              .front() == "a has the best value on Own, where b has the same scores.");
}

TEST_CASE("rows that an average leaves out are named, with what they lack")
{
    const auto cells_of = [](const std::vector<std::pair<const char*, const char*>>& of) {
        std::vector<run::Cell> cells;
        for (const auto& [encoder, task] : of) {
            test::MadeCell cell = scored(encoder, "pearson", predicted(1));
            cell.task = task;
            cells.push_back(test::made(cell));
        }
        return cells;
    };
    const auto has = [&](const std::vector<run::Cell>& cells, const std::string& note) {
        const auto warnings = compared(cells).warnings;
        return std::find(warnings.begin(), warnings.end(), note) != warnings.end();
    };
    CHECK(has(cells_of({{"a", "A"}, {"a", "B"}, {"b", "A"}}),
              "The average over the tasks in r leaves out b (no score of B). --tasks and "
              "--encoders choose what is compared."));
    CHECK(has(cells_of({{"a", "A"}, {"b", "B"}}),
              "There is no average over the tasks in r: each encoder lacks some: b (no score of "
              "A); a (no score of B). --tasks and --encoders choose what is compared."));
    for (const std::string& warning :
         compared(cells_of({{"a", "A"}, {"a", "B"}, {"b", "A"}, {"b", "B"}})).warnings)
        CHECK(warning.find("average") == std::string::npos);
}
