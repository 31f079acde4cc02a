#include "compare/comparison.hpp"
#include "compare/formats.hpp"
#include "core/error.hpp"
#include "made_cells.hpp"
#include "stats/correlation.hpp"

#include <doctest/doctest.h>

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

namespace {

/// 200 items, of which `right` are right, the others wrong; trained, under a seed.
test::MadeCell trained(const std::string& encoder, int right, int seed)
{
    test::MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"name", encoder}};
    cell.settings = {{"protocol", "split"}, {"seed", seed}};
    cell.metrics = {{"acc", right / 2.0}};
    std::vector<std::pair<int, int>> outcomes;
    for (int i = 0; i < 200; ++i)
        outcomes.emplace_back(1, i < right ? 1 : 0);
    cell.items = test::class_items(outcomes, std::vector<std::uint32_t>(200, 1));
    return cell;
}

compare::Comparison compared_as(std::vector<run::Cell> cells, const compare::Options& options)
{
    compare::Options quick = options;
    quick.resampling.resamples = 500;
    return compare::compare(compare::Results(std::move(cells)), quick);
}

} // namespace

TEST_CASE("one seed behind a trained task marks no winner, and every format says why")
{
    const auto comparison =
        compared({test::made(trained("a", 190, 1)), test::made(trained("b", 100, 1))});
    const auto& entries = comparison.tasks.at(0).entries;
    CHECK(entries[1].verdict == Verdict::undecided);
    CHECK(entries[0].among_best);
    CHECK(entries[1].among_best);
    for (const std::string& text :
         {compare::to_terminal(comparison, {}), compare::to_markdown(comparison),
          compare::to_latex(comparison), compare::to_csv(comparison),
          compare::to_json(comparison).dump()}) {
        CAPTURE(text);
        CHECK(text.find("run with --seeds 5") != std::string::npos);
        const bool names_population =
            text.find("these trained classifiers on new items") != std::string::npos ||
            text.find(",items,") != std::string::npos;
        CHECK(names_population);
    }
    const auto three = compared({test::made(trained("a", 190, 1)), test::made(trained("b", 100, 1)),
                                 test::made(trained("c", 90, 1))});
    const std::string text = compare::to_terminal(three, {}); // the reason once, not row by row
    CHECK(text.find("run with --seeds 5") == text.rfind("run with --seeds 5"));
    compare::Options options;
    options.population = stats::Population::items; // asked for: these very classifiers
    const auto asked =
        compared_as({test::made(trained("a", 190, 1)), test::made(trained("b", 100, 1))}, options);
    CHECK(asked.tasks[0].entries[1].verdict == Verdict::worse);
}

TEST_CASE("several seeds give a verdict about the encoders, on a training set that is large enough")
{
    const auto cells = [](std::size_t trained_on) {
        std::vector<run::Cell> all;
        for (int seed = 1; seed <= 4; ++seed)
            for (const auto& [encoder, right] : {std::pair("a", 180), {"b", 100}}) {
                all.push_back(test::made(trained(encoder, right + seed, seed)));
                all.back().document["details"]["trained_on"] = trained_on;
            }
        return all;
    };
    const auto large = compared(cells(5000));
    CHECK(large.tasks[0].entries[1].verdict == Verdict::worse);
    CHECK(large.tasks[0].population ==
          "these encoders under new seeds, on this training set, on new items");
    const auto small = compared(cells(300));
    CHECK(small.tasks[0].entries[1].verdict == Verdict::undecided);
    CHECK(small.tasks[0].entries[1].difference.undecided.find("--resample-training") !=
          std::string::npos);
}

TEST_CASE("halves of the training part stand in no table, and widen what is claimed")
{
    std::vector<run::Cell> cells;
    for (const auto& [encoder, right] : {std::pair("a", 180), {"b", 100}}) {
        cells.push_back(test::made(trained(encoder, right, 1)));
        for (int half = 1; half <= 5; ++half) {
            auto cell = trained(encoder, right - 10 + half, 1 + half);
            cell.settings["resample"] = half;
            cells.push_back(test::made(cell));
        }
    }
    const auto comparison = compared(cells);
    REQUIRE(comparison.rows.size() == 2);
    const auto& entry = comparison.tasks[0].entries[1];
    CHECK(entry.score.value == 50);
    CHECK(entry.score.seeds == 1);
    CHECK(entry.score.resampled == 5);
    CHECK(entry.verdict == Verdict::worse);
    CHECK(entry.difference.population == stats::Population::training);
}

TEST_CASE("halves that teach nothing widen no claim, and give no verdict")
{
    const auto cell = [](const std::string& encoder, int seed, int half, int right) {
        test::MadeCell made = trained(encoder, right, seed);
        std::vector<std::pair<int, int>> outcomes;
        for (int i = 0; i < 200; ++i)
            outcomes.emplace_back(i % 2, half > 0 ? 1 : i < right ? i % 2 : 1 - i % 2);
        made.items = test::class_items(outcomes, std::vector<std::uint32_t>(200, 1));
        if (half > 0)
            made.settings["resample"] = half;
        return test::made(made);
    };
    std::vector<run::Cell> cells;
    for (const auto& [encoder, right] : {std::pair("a", 180), {"b", 120}}) {
        for (int seed = 1; seed <= 3; ++seed)
            cells.push_back(cell(encoder, seed, 0, right + seed));
        for (int half = 1; half <= 6; ++half)
            cells.push_back(cell(encoder, half, half, 100));
    }
    const auto comparison = compared(cells);
    const auto& entry = comparison.tasks[0].entries[1];
    CHECK(entry.verdict == Verdict::undecided);
    CHECK(entry.difference.undecided.find("teach nothing") != std::string::npos);
    CHECK(entry.difference.population == stats::Population::seeds);
}

TEST_CASE("the interval of a difference excludes zero exactly where the adjusted p is below 5 %")
{
    for (const auto family :
         {compare::Family::task, compare::Family::table, compare::Family::none}) {
        for (int right = 120; right <= 180; right += 4) {
            std::vector<run::Cell> cells;
            for (const auto& [encoder, own] :
                 {std::pair("a", 180), {"b", right}, {"c", 110}, {"d", 150}}) {
                auto cell = trained(encoder, own, 1);
                cell.settings = {{"protocol", "similarity"}};
                cells.push_back(test::made(cell));
            }
            compare::Options options;
            options.family = family;
            const auto comparison = compared_as(std::move(cells), options);
            for (const auto& entry : comparison.tasks[0].entries)
                if (!std::isnan(entry.p_adjusted)) {
                    const auto& interval = entry.difference.interval;
                    const bool excludes = interval.low > 0 || interval.high < 0;
                    CHECK(excludes == (entry.p_adjusted <= compare::level));
                    CHECK(entry.p_adjusted >= entry.difference.p_value);
                }
        }
    }
}

TEST_CASE(
    "with a baseline, what is not told from it has a sign of its own, and the losers are not bold")
{
    std::vector<run::Cell> cells;
    for (const auto& [encoder, own] : {std::pair("best", 190), {"base", 101}, {"near", 100}}) {
        auto cell = trained(encoder, own, 1);
        cell.settings = {{"protocol", "similarity"}};
        cells.push_back(test::made(cell));
    }
    const auto comparison = compared(cells, "", "base");
    CHECK(compare::to_terminal(comparison, {}).find("~ near") != std::string::npos);
    CHECK(compare::to_terminal(comparison, {}).find("+ best") != std::string::npos);
    CHECK(compare::to_markdown(comparison).find("| **95.00**") != std::string::npos);
    CHECK(compare::to_markdown(comparison).find("**50.") == std::string::npos);
}

TEST_CASE("a margin marks what is equivalent, all pairs have letters, and tasks are taken together")
{
    std::vector<run::Cell> cells;
    for (const char* task : {"A", "B", "C"})
        for (const auto& [encoder, own] : {std::pair("x", 190), {"y", 190}, {"z", 100}}) {
            auto cell = trained(encoder, own, 1);
            cell.settings = {{"protocol", "similarity"}};
            cell.task = task;
            cells.push_back(test::made(cell));
        }
    compare::Options options;
    options.margin = 5;
    options.all_pairs = true;
    options.across_tasks = true;
    const auto comparison = compared_as(std::move(cells), options);
    const auto& entries = comparison.tasks[0].entries;
    CHECK(entries[1].p_equivalent < 0.05);
    CHECK(entries[2].p_equivalent > 0.95);
    CHECK(entries[0].letters == "a");
    CHECK(entries[1].letters == "a");
    CHECK(entries[2].letters == "b");
    CHECK(comparison.tasks[0].pairs.size() == 3);
    const std::string csv = compare::to_csv(comparison);
    const auto lines = std::count(csv.begin(), csv.end(), '\n');
    CHECK(lines == 1 + 9 + 9); // the columns' names, rows of 3 tasks, pairs of 3 tasks
    CHECK(csv.find("\nx,A,acc,,,,,,,,z,45,") != std::string::npos);
    const auto commas =
        std::count(csv.begin(), csv.begin() + static_cast<std::ptrdiff_t>(csv.find('\n')), ',');
    CHECK(std::count(csv.begin(), csv.end(), ',') == lines * commas);
    REQUIRE(comparison.across.has_value());
    CHECK(comparison.across->mean_ranks == std::vector<double>{1.5, 1.5, 3});
    CHECK(comparison.across->pairs.back().better_on == 3);
    CHECK(compare::to_terminal(comparison, {}).find("Across 3 tasks") != std::string::npos);
    CHECK(compare::to_json(comparison).at("across_tasks").at("encoders").size() == 3);
}

TEST_CASE("rows and tasks with holes are left out until nothing is missing")
{
    const auto block =
        compare::complete_block({{true, true, true}, {true, true, true}, {false, false, true}});
    CHECK(block.rows == std::vector<std::size_t>{0, 1});
    CHECK(block.tasks == std::vector<std::size_t>{0, 1, 2});
}
