// The mean of a task's parts as one task.
#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "compare/scoring.hpp"
#include "made_cells.hpp"
#include "support/support.hpp"

#include <set>

using namespace senteval;
using compare::Results;
using Names = std::vector<std::string>;

namespace {

/// Of `items` items the first `right` are right.
results::Cell part(const std::string& encoder,
                   const std::string& name,
                   std::size_t items,
                   std::size_t right,
                   std::size_t parts = 0)
{
    results::Cell cell = test::untrained(encoder, "Many-" + name, items, right);
    cell.result.task.description = {{"base", "/"}, {"keys", {{"of", "Many"}, {"part", name}}}};
    if (parts > 0)
        cell.result.task.description["keys"]["parts"] = parts;
    return cell;
}

double value(const Results& results, std::size_t row, std::size_t task = 0)
{
    return compare::score_of(results.rows()[row].tasks[task], results.metrics(task).front()).value;
}

} // namespace

TEST_CASE("the value of a task is the plain mean of its parts, also as a statistic of their items")
{
    Results results({part("glove", "de", 10, 5), test::untrained("glove", "CR", 4, 1),
                     part("glove", "en", 30, 27)});
    results.join_parts();
    REQUIRE(results.tasks() == Names{"Many", "CR"});
    CHECK(value(results, 0) == 70);
    const results::Cell& joined = *results.rows()[0].tasks[0].front();
    CHECK(joined.result.headline() == 70);
    CHECK(compare::statistic_of(joined.items, results.metrics(0).front()).value ==
          doctest::Approx(70));
    CHECK(joined.items.outcomes.groups == Names{"de", "en"});
    CHECK(joined.items.outcomes.rows.size() == 40);
    CHECK(joined.items.traits.size() == 40);
    CHECK(joined.result.data.files.size() == 2);
    CHECK(results.cells().size() == 2);
    CHECK(results.metrics(1).front().source.over == results::Over::items);
}

TEST_CASE("rows are compared on the parts that all of them have, which the name says")
{
    Results results({part("glove", "de", 10, 5), part("glove", "en", 10, 7),
                     part("borep", "en", 10, 6), test::untrained("onehot", "CR", 4, 1)});
    results.join_parts();
    CHECK(results.tasks() == Names{"Many (en)", "CR"});
    REQUIRE(results.rows().size() == 3);
    CHECK(value(results, 0) == 60);
    CHECK(value(results, 1) == 70);
    CHECK(results.rows()[2].tasks[0].empty());
}

TEST_CASE("a choice of parts is told from the whole, by what the task or the results have of it")
{
    for (const std::string pattern : {"Many/en", "Many-en"}) {
        Results results({part("glove", "de", 10, 5), part("glove", "en", 10, 7)});
        results.keep_tasks(Names{pattern});
        results.join_parts();
        CHECK(results.tasks() == Names{"Many (en)"});
    }
    Results results({part("glove", "de", 10, 5, 18), part("glove", "en", 10, 7, 18)});
    results.keep_tasks(Names{"Many"});
    results.join_parts();
    CHECK(results.tasks() == Names{"Many (de, en)"});
    Results many({part("a", "1", 2, 1, 5), part("a", "2", 2, 1, 5), part("a", "3", 2, 1, 5),
                  part("a", "4", 2, 1, 5)});
    many.join_parts();
    CHECK(many.tasks() == Names{"Many (4 of 5 parts)"});
}

TEST_CASE("encoders without a part in common keep their parts")
{
    Results results({part("glove", "de", 10, 5), part("borep", "en", 10, 6)});
    results.join_parts();
    CHECK(results.tasks() == Names{"Many-de", "Many-en"});
    CHECK(results.notes().size() == 1);
}

TEST_CASE("the difference of two rows is the mean of their differences on the parts, and is tested")
{
    Results results({part("a", "de", 40, 36), part("a", "en", 400, 360), part("b", "de", 40, 4),
                     part("b", "en", 400, 360)});
    results.join_parts();
    const compare::Comparison comparison = compare::compare(results, {});
    const compare::Entry& worse = comparison.tasks.front().entries[1];
    CHECK(worse.difference.value == doctest::Approx(-40));
    CHECK(worse.verdict == compare::Verdict::worse);
    CHECK(worse.score.items == 440);
}

TEST_CASE("classes of parts are one class where they have one name")
{
    results::Cell other = part("glove", "en", 10, 5);
    other.items.outcomes.classes = {"yes", "maybe"};
    Results results({part("glove", "de", 10, 10), other});
    results.join_parts();
    const auto& outcomes = results.rows()[0].tasks[0].front()->items.outcomes;
    CHECK(outcomes.classes == Names{"no", "yes", "maybe"});
    CHECK(outcomes.rows.front().gold == 1);
    CHECK(outcomes.rows.back().gold == 2);
    CHECK(outcomes.rows.back().prediction == 1);
    CHECK(value(results, 0) == 75);
}

TEST_CASE("a metric that is no mean of groups stays a value without items")
{
    const auto grouped = [](const std::string& name) {
        results::Cell cell =
            test::scored("glove", "Many-" + name, {{1, 2}, {2, 3}, {4, 3}, {5, 9}});
        cell.result.task.description = {{"base", "/"}, {"keys", {{"of", "Many"}, {"part", name}}}};
        for (std::uint32_t row = 2; row < 4; ++row)
            cell.items.outcomes.rows[row].group = 1;
        cell.items.outcomes.groups = {"one", "two"};
        return cell;
    };
    Results results({grouped("de"), grouped("en")});
    results.join_parts();
    CHECK(results.metrics(0).front().source.statistic.empty());
    CHECK(value(results, 0) == doctest::Approx(*grouped("de").result.headline()));
}

TEST_CASE(
    "tasks of which a mean is made are its parts where all are there, and a mean alone stands "
    "beside them")
{
    const auto tasks = [](const std::string& more) {
        std::vector<results::Cell> cells;
        for (const auto& [name, right] : {std::pair("Tex", 5U), std::pair("Gis", 7U)})
            cells.push_back(test::untrained("glove", name, 10, right));
        cells.push_back(test::untrained("borep", more, 10, 9));
        return Results(std::move(cells));
    };
    const results::MeanOfTasks means[] = {{"Dup", {"Gis", "Tex"}}, {"Other", {"Gis", "Unix"}}};
    Results results = tasks("Dup");
    results.join_parts(means);
    CHECK(results.tasks() == Names{"Dup"});
    REQUIRE(results.rows().size() == 2);
    CHECK(std::set{value(results, 0), value(results, 1)} == std::set{60., 90.});
    CHECK(results.shown_as("Tex") == "Dup");
    CHECK(results.shown_as("Unix") == "Unix");

    Results of_one = tasks("Tex");
    of_one.join_parts(means);
    CHECK(of_one.tasks() == Names{"Dup (Tex)"});
    Results chosen = tasks("Tex");
    chosen.keep_tasks(Names{"Gis"});
    chosen.join_parts(means);
    CHECK(chosen.tasks() == Names{"Gis"});
}

TEST_CASE("parts stand in the order of their names, whatever that of the tasks")
{
    for (const bool is_reverse : {false, true}) {
        Results results({part("glove", "en/test", 10, 5, 3), part("glove", "de/test", 10, 7, 3)});
        results.order_tasks(is_reverse ? Names{"Many-en/test"} : Names{"Many-de/test"});
        results.join_parts();
        CHECK(results.tasks() == Names{"Many (de/test, en/test)"});
    }
}

TEST_CASE("seeds of a mean are those that all parts have")
{
    const auto seeded = [](const std::string& name, int seed, int right) {
        test::MadeCell made = test::trained("glove", right, seed);
        made.task = "Many-" + name;
        results::Cell cell = test::made(made);
        cell.result.task.description = {{"base", "/"}, {"keys", {{"of", "Many"}, {"part", name}}}};
        return cell;
    };
    Results results({seeded("de", 1, 100), seeded("de", 2, 120), seeded("en", 2, 140)});
    results.join_parts();
    REQUIRE(results.rows().front().tasks.front().size() == 1);
    CHECK(value(results, 0) == 65);
}
