#include "compare/comparison.hpp"
#include "compare/formats.hpp"
#include "compare/prospect.hpp"
#include "compare/seed_table.hpp"
#include "made_cells.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;
using compare::Verdict;

namespace {

compare::Comparison compared_as(std::vector<run::Cell> cells, const compare::Options& options = {})
{
    compare::Options quick = options;
    quick.resampling.resamples = 500;
    return compare::compare(compare::Results(std::move(cells)), quick);
}

} // namespace

TEST_CASE("one seed behind a trained task marks no winner, and every format says why")
{
    const auto comparison = compared_as(
        {test::made(test::trained("a", 190, 1)), test::made(test::trained("b", 100, 1))});
    const auto& entries = comparison.tasks.at(0).entries;
    CHECK(entries[1].verdict == Verdict::undecided);
    CHECK_FALSE(entries[0].among_best);
    CHECK_FALSE(entries[1].among_best);
    CHECK(compare::to_terminal(comparison, {}).find("= a") == std::string::npos);
    CHECK(compare::to_markdown(comparison).find("**") == std::string::npos);
    CHECK(compare::to_markdown(comparison).find("| a | 95.0") != std::string::npos);
    CHECK(compare::to_markdown(comparison).find("] |\n") == std::string::npos);
    CHECK(compare::to_markdown(comparison).find("] ? |\n") != std::string::npos);
    CHECK(compare::to_csv(comparison).find("reference") == std::string::npos);
    CHECK(compare::to_json(comparison).at("cells")[0].at("best") == false);
    for (const std::string& text :
         {compare::to_terminal(comparison, {}), compare::to_markdown(comparison),
          compare::to_latex(comparison), compare::to_csv(comparison),
          compare::to_json(comparison).dump()}) {
        CAPTURE(text);
        const bool says_why = text.find("run with --seeds 5") != std::string::npos ||
                              text.find("run with -{}-seeds 5") != std::string::npos; // LaTeX
        CHECK(says_why);
        const bool names_population =
            text.find("these trained classifiers on new items") != std::string::npos ||
            text.find(",items,") != std::string::npos;
        CHECK(names_population);
    }
    const auto three =
        compared_as({test::made(test::trained("a", 190, 1)), test::made(test::trained("b", 100, 1)),
                     test::made(test::trained("c", 90, 1))});
    compare::Options pairs;
    pairs.all_pairs = true;
    const auto lettered = compared_as(
        {test::made(test::trained("a", 190, 1)), test::made(test::trained("b", 100, 1))}, pairs);
    CHECK(lettered.tasks[0].entries[1].letters.empty());
    const std::string text = compare::to_terminal(three, {}); // the reason once, not row by row
    CHECK(text.find("run with --seeds 5") == text.rfind("run with --seeds 5"));
    compare::Options options;
    options.population = stats::Population::items; // asked for: these very classifiers
    const auto asked = compared_as(
        {test::made(test::trained("a", 190, 1)), test::made(test::trained("b", 100, 1))}, options);
    CHECK(asked.tasks[0].entries[1].verdict == Verdict::worse);
}

TEST_CASE("several seeds give a verdict about the encoders, on a training set that is large enough")
{
    const auto cells = [](std::size_t trained_on) {
        std::vector<run::Cell> all;
        for (int seed = 1; seed <= 4; ++seed)
            for (const auto& [encoder, right] : {std::pair("a", 180), {"b", 100}}) {
                all.push_back(test::made(test::trained(encoder, right + seed, seed)));
                all.back().document["details"]["trained_on"] = trained_on;
            }
        return all;
    };
    const auto large = compared_as(cells(5000));
    CHECK(large.tasks[0].entries[1].verdict == Verdict::worse);
    CHECK(large.tasks[0].population ==
          "these encoders under new seeds, on this training set, on new items");
    const auto small = compared_as(cells(300));
    CHECK(small.tasks[0].entries[1].verdict == Verdict::undecided);
    CHECK(small.tasks[0].entries[1].difference.undecided.find("--resample-training") !=
          std::string::npos);
    auto beside =
        cells(300); // results on other data with a larger training set say nothing of these
    auto further = test::made(test::trained("c", 150, 1));
    further.document["data"]["files"] = {{"test", "other"}};
    further.document["details"]["trained_on"] = 5000;
    beside.push_back(further);
    CHECK(compared_as(beside).tasks[0].entries[1].verdict == Verdict::undecided);
    CHECK(compare::to_markdown(large).find("): these encoders under") != std::string::npos);
    CHECK(compare::to_markdown(small).find("): nothing; intervals are about these encoders") !=
          std::string::npos);
}

TEST_CASE("halves of the training part stand in no table, and widen what is claimed")
{
    std::vector<run::Cell> cells;
    std::vector<run::Cell> of_one_seed;
    for (const auto& [encoder, right] : {std::pair("a", 180), {"b", 100}}) {
        for (int seed = 1; seed <= 3; ++seed)
            cells.push_back(test::made(test::trained(encoder, right - 2 + seed, seed)));
        of_one_seed.push_back(cells.back());
        for (int half = 1; half <= 5; ++half) {
            auto cell = test::trained(encoder, right - 10 + half, 1 + half);
            cell.settings["resample"] = half;
            cells.push_back(test::made(cell));
            of_one_seed.push_back(cells.back());
        }
    }
    const auto comparison = compared_as(cells);
    REQUIRE(comparison.rows.size() == 2);
    const auto& entry = comparison.tasks[0].entries[1];
    CHECK(entry.score.value == 50);
    CHECK(entry.score.seeds == 3);
    CHECK(entry.score.resampled == 5);
    CHECK(entry.verdict == Verdict::worse);
    CHECK(entry.difference.population == stats::Population::training);
    const auto of_one = compared_as(of_one_seed).tasks[0].entries[1]; // what seeds add is not known
    CHECK(of_one.verdict == Verdict::undecided);
    CHECK(of_one.difference.undecided.find("run with --seeds 5") != std::string::npos);
}

TEST_CASE("halves without a result on the whole training set are named")
{
    std::vector<run::Cell> cells = {test::made(test::trained("a", 180, 1))};
    auto half = test::trained("b", 150, 1);
    half.settings["resample"] = 1;
    cells.push_back(test::made(half));
    const auto comparison = compared_as(cells);
    CHECK(comparison.rows.size() == 1);
    REQUIRE(comparison.warnings.size() == 1);
    CHECK(comparison.warnings[0].starts_with("Of b on CR there are results on halves"));
}

TEST_CASE("halves that teach nothing widen no claim, and give no verdict")
{
    const auto cell = [](const std::string& encoder, int seed, int half, int right) {
        test::MadeCell made = test::trained(encoder, right, seed);
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
    const auto comparison = compared_as(cells);
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
                auto cell = test::trained(encoder, own, 1);
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
        auto cell = test::trained(encoder, own, 1);
        cell.settings = {{"protocol", "similarity"}};
        cells.push_back(test::made(cell));
    }
    compare::Options options;
    options.baseline = "base";
    const auto comparison = compared_as(cells, options);
    CHECK(compare::to_terminal(comparison, {}).find("~ near") != std::string::npos);
    CHECK(compare::to_terminal(comparison, {}).find("+ best") != std::string::npos);
    CHECK(compare::to_markdown(comparison).find("| **95.00**") != std::string::npos);
    CHECK(compare::to_markdown(comparison).find("**50.") == std::string::npos);
    std::vector<run::Cell>
        beside; // a baseline of one seed, of which nothing is known, makes no winner of others
    for (int seed = 1; seed <= 4; ++seed)
        for (const auto& [encoder, right] : {std::pair("best", 190), {"near", 100}})
            beside.push_back(test::made(test::trained(encoder, right + seed % 2, seed)));
    auto base = test::trained("base", 150, 1);
    base.settings["normalise"] = "l2";
    beside.push_back(test::made(base));
    const auto open = compared_as(beside, options);
    CHECK(compare::to_markdown(open).find("**") == std::string::npos);
    const core::Json json = compare::to_json(open);
    for (const core::Json& cell : json.at("cells")) {
        CHECK(cell.at("best") == false);
        CHECK(cell.at("among_best") == false);
    }
}

TEST_CASE("equal answers are equivalent only of so many items that a difference would have shown")
{
    compare::Options options;
    options.margin = 1;
    const auto p_of = [&](std::size_t items, std::size_t fewer) {
        return compared_as({test::untrained("a", "A", items, items),
                            test::untrained("b", "A", items, items - fewer)},
                           options)
            .tasks[0]
            .entries[1]
            .p_equivalent;
    };
    CHECK(p_of(50, 0) == 0.5);
    CHECK(p_of(200, 0) == doctest::Approx(std::pow(0.99, 200)));
    CHECK(p_of(298, 0) > compare::level);
    CHECK(p_of(299, 0) <= compare::level);
    CHECK(p_of(400, 1) >= std::pow(0.99, 400) + 400 * 0.01 * std::pow(0.99, 399) - 1e-12);
    CHECK(p_of(2000, 1) < 0.001);
}

TEST_CASE("a margin marks what is equivalent, all pairs have letters, and tasks are taken together")
{
    std::vector<run::Cell> cells;
    for (const char* task : {"A", "B", "C"})
        for (const auto& [encoder, own] : {std::pair("x", 190), {"y", 190}, {"z", 100}}) {
            auto cell = test::trained(encoder, own, 1);
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
    CHECK(lines ==
          1 + 9 + 9 + 3 + 3); // the columns' names, rows and pairs of 3 tasks, those over them
    CHECK(csv.find("\nx,A,acc,,,,,,,,z,45,") != std::string::npos);
    const auto commas =
        std::count(csv.begin(), csv.begin() + static_cast<std::ptrdiff_t>(csv.find('\n')), ',');
    CHECK(std::count(csv.begin(), csv.end(), ',') == lines * commas);
    REQUIRE(comparison.across.has_value());
    CHECK(comparison.across->mean_ranks == std::vector<double>{1.5, 1.5, 3});
    CHECK(comparison.across->pairs.back().better_on == 3);
    CHECK(compare::to_terminal(comparison, {}).find("Across 3 tasks") != std::string::npos);
    CHECK(compare::to_latex(comparison).find("Over 3 tasks") != std::string::npos);
    CHECK(csv.find("\nx,(over 3 tasks),mean rank,1.5,") != std::string::npos);
    CHECK(csv.find("\nx,(over 3 tasks),mean rank,,,,,,,3,z,") != std::string::npos);
    CHECK(compare::to_json(comparison).at("across_tasks").at("encoders").size() == 3);
}

TEST_CASE("words say of which rows the seeds are known from elsewhere")
{
    std::vector<run::Cell> cells;
    for (int seed = 1; seed <= 4; ++seed)
        cells.push_back(test::made(test::trained("a", 180 + seed, seed)));
    cells.push_back(test::made(test::trained("b", 100, 1)));
    const auto mixed = compared_as(cells);
    CHECK(mixed.tasks[0].population.find("; where fewer than four seeds are there, how much") !=
          std::string::npos);
    const auto single =
        compared_as({test::as_in_the_table("a", 400), test::as_in_the_table("b", 100)});
    CHECK(single.tasks[0].population.find("; one seed each is there, how much") !=
          std::string::npos);
}

TEST_CASE(
    "where encoders of the store vary more than the built-in table expects, they are believed")
{
    // Variance by seed far over the table's: from 100 to 400 of 500 right.
    std::vector<run::Cell> cells;
    for (int seed = 1; seed <= 4; ++seed)
        cells.push_back(test::as_in_the_table("wild", 100 * seed, {{"/seed", seed}}));
    cells.push_back(test::as_in_the_table("a", 400));
    cells.push_back(test::as_in_the_table("b", 250));
    const auto task = compared_as(cells).tasks[0];
    CHECK(task.entries[1].difference.undecided.empty());
    CHECK(task.entries[1].score.seed_source == "built-in table and other encoders here");
    const auto half = [](const compare::Score& score) {
        return score.interval.high - score.interval.low;
    };
    const auto alone = compared_as({cells[4], cells[5]}).tasks[0];
    CHECK(half(task.entries[1].score) > 2 * half(alone.entries[0].score));
    CHECK(alone.entries[1].verdict == Verdict::worse);
    compare::Options none;
    none.family = compare::Family::none; // then no row has a say in another's
    CHECK(half(compared_as(cells, none).tasks[0].entries[1].score) == half(alone.entries[0].score));
    // Trained otherwise, they say nothing of the others.
    for (int seed = 0; seed < 4; ++seed)
        cells[static_cast<std::size_t>(seed)] =
            test::as_in_the_table("wild", 100 * seed + 100, {{"/seed", seed + 1}, {"/kfold", 5}});
    CHECK(compared_as(cells).tasks[0].population.find("encoders here") == std::string::npos);
}

TEST_CASE("where comparisons of a task speak of different populations each is named")
{
    std::vector<run::Cell> cells;
    for (int seed = 1; seed <= 4; ++seed)
        for (const auto& [encoder, right] : {std::pair("a", 180), {"b", 100}})
            cells.push_back(test::made(test::trained(encoder, right + seed, seed)));
    auto other = test::trained("c", 90, 1); // trained otherwise: nothing is known of its seeds
    other.settings["normalise"] = "l2";
    cells.push_back(test::made(other));
    const auto comparison = compared_as(cells);
    const std::string& text = comparison.tasks[0].population;
    CAPTURE(text);
    CHECK(text == "these encoders under new seeds, on this training set, on new items"); // of b
    CHECK(comparison.tasks[0].score_population.find(
              "of c: these trained classifiers on new items") != std::string::npos);
    for (const std::string encoder : {"a", "b"})
        for (int half = 1; half <= 6; ++half) {
            auto cell = test::trained(encoder, encoder == "a" ? 180 + half : 100 - half, half);
            cell.settings["resample"] = half;
            cells.push_back(test::made(cell));
        }
    for (run::Cell& cell : cells)
        cell.document["details"]["trained_on"] = 5000;
    for (int seed = 1; seed <= 4; ++seed) {
        cells.push_back(test::made(test::trained("d", 90 + seed, seed)));
        cells.back().document["details"]["trained_on"] = 5000;
    }
    CHECK(compared_as(cells).tasks[0].population.starts_with(
        "populations that differ by comparison: of d: these encoders under new seeds, on this "
        "training set, on new items; of b: these encoders under new seeds and new training sets"));
    const auto json = compare::to_json(comparison);
    CHECK(json.at("cells")[0].at("population") == ""); // the best is compared with none
    CHECK(json.at("cells")[0].at("interval_population") == "items and seeds");
    CHECK(json.at("cells")[0].at("seed_variance_from") == "own seeds");
    const auto known =
        compared_as({test::as_in_the_table("a", 400), test::as_in_the_table("b", 100)});
    CHECK(compare::to_csv(known).find(",built-in table,items and seeds\n") != std::string::npos);
}

TEST_CASE("a detectable difference that the metric cannot have is called none")
{
    compare::TaskComparison task{"T", test::usual_metrics().front()};
    CHECK(compare::detectable_in_words(task).empty());
    const auto detectable = [&](double median, double least, double most) {
        task.detectable = median;
        task.detectable_range = {least, most};
    };
    detectable(7.25, 7.25, 7.25);
    CHECK(compare::detectable_in_words(task) ==
          "a difference of 7.25 would be detected with power 80 %");
    detectable(1e-9, 1e-9, 1e-9);
    CHECK(compare::detectable_in_words(task).starts_with("a difference of 0.01 or less would"));
    detectable(2, 1.5, 3);
    CHECK(compare::detectable_in_words(task).starts_with(
        "a difference of 1.50 to 3.00, by the comparison, would"));
    const double none = std::numeric_limits<double>::infinity();
    detectable(none, 40, none);
    CHECK(compare::detectable_in_words(task).starts_with("a difference of 40.00 at best would"));
    detectable(none, none, none);
    CHECK(compare::detectable_in_words(task).starts_with("no difference"));
    CHECK(compare::largest_difference(task.metric) == 100);
}

TEST_CASE("no number depends on the order of the files")
{
    std::vector<run::Cell> cells;
    for (const auto& [encoder, right] : {std::pair("c", 180), {"a", 170}, {"d", 165}, {"b", 150}})
        for (int seed = 1; seed <= 3; ++seed)
            cells.push_back(
                test::made(test::trained(encoder, right + 3 * seed * (seed % 2), seed)));
    const auto numbers = [&] {
        const auto task = compared_as(cells).tasks[0];
        std::vector<double> all;
        for (const auto& entry : task.entries)
            for (const double value :
                 {entry.score.value, entry.p_adjusted, entry.difference.p_value,
                  entry.difference.interval.low, entry.difference.detectable})
                if (!std::isnan(value))
                    all.push_back(value);
        std::sort(all.begin(), all.end());
        return all;
    };
    const auto first = numbers();
    REQUIRE(first.size() > 15);
    std::reverse(cells.begin(), cells.end());
    CHECK(numbers() == first);
    std::rotate(cells.begin(), cells.begin() + 5, cells.end());
    CHECK(numbers() == first);
}

TEST_CASE("by itself a comparison does not change with the rows beside it")
{
    std::vector<run::Cell> cells;
    const auto add = [&](const std::string& encoder, std::vector<int> right) {
        for (int seed = 1; seed <= 3; ++seed)
            cells.push_back(test::made(
                test::trained(encoder, right[static_cast<std::size_t>(seed - 1)], seed)));
    };
    compare::Options none;
    none.family = compare::Family::none;
    add("a", {180, 172, 185});
    add("b", {165, 166, 164});
    const double with_few = compared_as(cells, none).tasks[0].entries[1].difference.p_value;
    const double in_a_family = compared_as(cells).tasks[0].entries[1].difference.p_value;
    add("c", {150, 152, 149});
    add("d", {140, 141, 139});
    CHECK(compared_as(cells, none).tasks[0].entries[1].difference.p_value == with_few);
    CHECK(compared_as(cells).tasks[0].entries[1].difference.p_value == in_a_family);
    CHECK(compared_as(cells).tasks[0].entries[1].p_adjusted > in_a_family);
    // Of one seed, trained as the built-in table knows nothing of.
    cells.push_back(test::made(test::trained("one", 120, 1)));
    const auto of_one = [&](const compare::Options& options) {
        return compared_as(cells, options).tasks[0].entries.back().verdict;
    };
    CHECK(of_one({}) == Verdict::worse);
    CHECK(of_one(none) == Verdict::undecided);
}

TEST_CASE("no interval of a difference is wider than the metric")
{
    std::vector<run::Cell> cells;
    for (int seed = 1; seed <= 3; ++seed)
        for (const auto& [encoder, right] : {std::pair("all", 200), {"none", 0}})
            cells.push_back(test::made(test::trained(encoder, right, seed)));
    CHECK(compared_as(cells).tasks[0].entries[1].difference.interval.low == -100);
}

TEST_CASE("over the tasks a chosen best is judged as one that was chosen")
{
    // 66 of 200 items differ, 44 to 22: p is .007 by itself, and more among the pairs of five encoders.
    std::vector<run::Cell> cells;
    for (const char* task : {"A", "B", "C", "D"})
        for (int encoder = 0; encoder < 5; ++encoder) {
            auto cell = test::trained(fmt::format("{}", encoder), 0, 1);
            cell.settings = {{"protocol", "similarity"}};
            cell.task = task;
            int right = 0;
            for (int i = 0; i < 200; ++i) {
                const bool hard = i % 5 == encoder || i % 7 == 0;
                cell.items.outcomes.rows[static_cast<std::size_t>(i)].prediction =
                    hard && !(encoder == 0 && i % 3 == 0) ? 0 : 1;
                right += cell.items.outcomes.rows[static_cast<std::size_t>(i)].prediction == 1;
            }
            cell.metrics = {{"acc", right / 2.0}};
            cells.push_back(test::made(cell));
        }
    compare::Options options;
    options.across_tasks = true;
    const auto comparison = compared_as(std::move(cells), options);
    REQUIRE(comparison.across.has_value());
    const auto& entry = comparison.tasks[0].entries[1];
    REQUIRE(comparison.across->rows.front() == 0);
    CHECK(4 * entry.difference.p_value / 2 <= compare::level); // alone, one-sided, it would count
    CHECK(4 * entry.p_adjusted > compare::level);
    CHECK(comparison.across->pairs.front().replicated_on == 0);
    for (const auto& pair : comparison.across->pairs)
        CHECK(pair.p_value >= comparison.across->friedman.p_value);
}
