// Rows of a task that fall into sets which cannot be compared with each other.
#include "compare/across.hpp"
#include "compare/comparison.hpp"
#include "compare/formats.hpp"
#include "made_cells.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;
using compare::Verdict;

namespace {

/// Three encoders on 200 items, best first.
std::vector<run::Cell> of_all_items(const std::string& task)
{
    return {test::untrained("a", task, 200, 170), test::untrained("b", task, 200, 168),
            test::untrained("c", task, 200, 100)};
}

/// Two on 40 others, both with better values than those three.
std::vector<run::Cell> of_few_items(const std::string& task)
{
    return {test::untrained("s", task, 40, 39), test::untrained("t", task, 40, 38)};
}

std::vector<run::Cell> joined(std::vector<run::Cell> cells, std::vector<run::Cell> further)
{
    std::ranges::move(further, std::back_inserter(cells));
    return cells;
}

compare::Comparison compared(std::vector<run::Cell> cells, compare::Options options = {})
{
    options.resampling.resamples = 500;
    return compare::compare(compare::Results(std::move(cells)), options);
}

std::size_t row_of(const compare::Comparison& comparison, const std::string& label)
{
    const auto& rows = comparison.rows;
    return static_cast<std::size_t>(std::ranges::find(rows, label) - rows.begin());
}

} // namespace

TEST_CASE("rows that were tested on other items change no comparison, whatever their values are")
{
    compare::Options options; // of a task's family they would be a part
    options.family = compare::Family::none;
    const auto alone = compared(of_all_items("CR"), options);
    const auto beside = compared(joined(of_few_items("CR"), of_all_items("CR")), options);
    for (const std::string label : {"a", "b", "c"}) {
        CAPTURE(label);
        const auto& before = alone.tasks[0].entries[row_of(alone, label)];
        const auto& after = beside.tasks[0].entries[row_of(beside, label)];
        CHECK(after.verdict == before.verdict);
        CHECK(beside.rows[after.against] == alone.rows[before.against]);
        CHECK(after.among_best == before.among_best);
        if (before.verdict == Verdict::reference)
            continue;
        CHECK(after.difference.value == before.difference.value);
        CHECK(after.difference.p_value == before.difference.p_value);
        CHECK(after.p_adjusted == before.p_adjusted);
        CHECK(after.difference.interval.low == before.difference.interval.low);
    }
    CHECK(alone.tasks[0].entries[row_of(alone, "c")].verdict == Verdict::worse);
    const auto& other = beside.tasks[0].entries[row_of(beside, "t")];
    CHECK(beside.rows[other.against] == "s");
    CHECK(other.verdict == Verdict::tied);
}

TEST_CASE("a row without a verdict takes none from the others, however good its value is")
{
    std::vector<run::Cell> cells;
    for (int seed = 1; seed <= 4; ++seed)
        for (const auto& [encoder, right] : {std::pair("a", 180), {"b", 150}})
            cells.push_back(test::made(test::trained(encoder, right + seed % 3, seed)));
    compare::Options options;
    options.all_pairs = true;
    const auto alone = compared(cells, options);
    for (const std::string encoder : {"c", "d", "e"}) { // of one seed, trained as nobody else
        auto one = test::trained(encoder, encoder == "c" ? 195 : 100, 1);
        one.settings["normalise"] = encoder;
        cells.push_back(test::made(one));
    }
    for (const std::string encoder : {"f", "g"}) { // on other data, none of which has a verdict
        auto one = test::trained(encoder, encoder == "f" ? 198 : 60, 1);
        one.settings["normalise"] = encoder;
        cells.push_back(test::made(one));
        cells.back().document["data"]["files"] = {{"test", "other"}};
    }
    const auto beside = compared(cells, options);
    options.family = compare::Family::table;
    auto elsewhere = test::trained("a", 100, 1);
    elsewhere.task = "MR";
    auto other = test::trained("b", 90, 1);
    other.task = "MR";
    auto of_two_tasks = cells;
    of_two_tasks.push_back(test::made(elsewhere));
    of_two_tasks.push_back(test::made(other));
    const auto of_table = compared(of_two_tasks, options);
    CHECK(of_table.tasks[0].entries[row_of(of_table, "b")].p_adjusted ==
          beside.tasks[0].entries[row_of(beside, "b")].p_adjusted);
    const auto entry = [](const compare::Comparison& of, const std::string& label) {
        return of.tasks[0].entries[row_of(of, label)];
    };
    CHECK(entry(alone, "b").verdict == Verdict::worse);
    CHECK(entry(beside, "a").verdict == Verdict::reference);
    CHECK(compare::is_called_best(beside, entry(beside, "a")));
    CHECK(entry(beside, "b").verdict == Verdict::worse);
    CHECK(entry(beside, "b").p_adjusted == entry(alone, "b").p_adjusted);
    CHECK(entry(beside, "b").difference.interval.low == entry(alone, "b").difference.interval.low);
    CHECK(entry(beside, "a").letters == "a");
    CHECK(entry(beside, "b").letters == "b");
    const std::string markdown = compare::to_markdown(beside);
    CHECK(markdown.find("No verdict on CR (c, d, e, f, g): one seed") != std::string::npos);
    for (const std::string label : {"c", "d", "e"}) {
        CHECK(entry(beside, label).verdict == Verdict::undecided);
        CHECK_FALSE(compare::is_called_best(beside, entry(beside, label)));
        CHECK(entry(beside, label).letters.empty());
    }
}

TEST_CASE("sets of rows that cannot be compared are told of, and share no letter")
{
    compare::Options options;
    options.all_pairs = true;
    const auto comparison = compared(joined(of_few_items("CR"), of_all_items("CR")), options);
    const auto& entries = comparison.tasks[0].entries;
    const auto letters = [&](const std::string& label) {
        return entries[row_of(comparison, label)].letters;
    };
    CHECK(letters("a") == letters("b"));
    CHECK(letters("s") == letters("t"));
    for (const std::string one : {"a", "b", "c"})
        for (const std::string other : {"s", "t"}) {
            CHECK_FALSE(letters(one).empty());
            CHECK(letters(one).find_first_of(letters(other)) == std::string::npos);
        }
    CHECK(comparison.tasks[0].pairs.size() == 4);
    const std::string note = "each of these sets has a best of its own, to which its differences "
                             "are: s, t | a, b, c.";
    CHECK(std::ranges::any_of(comparison.warnings, [&](const std::string& warning) {
        return warning.find(note) != std::string::npos &&
               warning.find("other test items") != std::string::npos;
    }));
}

TEST_CASE(
    "over the tasks the tests count of the set that is ranked, not of the one with the best value")
{
    compare::Options options;
    options.across_tasks = true;
    std::vector<run::Cell> cells;
    for (const std::string task : {"P", "Q", "R", "S"})
        cells = joined(std::move(cells), joined(of_few_items(task), of_all_items(task)));
    const auto comparison = compared(std::move(cells), options);
    REQUIRE(comparison.across.has_value());
    const auto& across = *comparison.across;
    REQUIRE(across.rows.size() == 3);
    CHECK(comparison.rows[across.rows.front()] == "a");
    CHECK(across.without_verdict.empty());
    for (const auto& pair : across.pairs)
        if (comparison.rows[pair.first] == "a" && comparison.rows[pair.second] == "c")
            CHECK(pair.replicated_on == 4);
}
