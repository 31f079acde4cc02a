// The rules of a verdict, as states and numbers.
#include "base/error.hpp"
#include "compare/comparison.hpp"
#include "made_cells.hpp"
#include "stats/interval.hpp"
#include "support/support.hpp"

using namespace senteval;
using compare::Open;
using compare::Verdict;

namespace {

/// `seeds` results of 200 items; what is right moves a little from seed to seed.
void add_trained(std::vector<results::Cell>& cells,
                 const std::string& encoder,
                 int right,
                 int seeds)
{
    for (int seed = 1; seed <= seeds; ++seed)
        cells.push_back(test::made(test::trained(encoder, right + seed % 3, seed)));
}

compare::Comparison compared(std::vector<results::Cell> cells, const compare::Options& options = {})
{
    return compare::compare(compare::Results(std::move(cells)), options);
}

const compare::Entry& entry_of(const compare::Comparison& table, std::string_view row)
{
    for (std::size_t at = 0; at < table.rows.size(); ++at)
        if (table.rows[at] == row)
            return table.tasks[0].entries[at];
    throw base::Error("no row {}", row);
}

} // namespace

TEST_CASE("five seeds each have a verdict, fewer have none and say what is missing")
{
    std::vector<results::Cell> cells;
    add_trained(cells, "good", 180, 5);
    add_trained(cells, "bad", 120, 5);
    add_trained(cells, "one", 190, 1);
    const auto table = compared(cells);
    CHECK(entry_of(table, "good").verdict == Verdict::reference);
    CHECK(entry_of(table, "bad").verdict == Verdict::worse);
    CHECK(entry_of(table, "bad").difference.interval.high < 0);
    const compare::Entry& one = entry_of(table, "one");
    CHECK(one.verdict == Verdict::unknown);
    CHECK(one.difference.open == Open::few_seeds);
    CHECK(one.difference.items_only);
    CHECK(table.tasks[0].is_open); // the best value has no verdict
    REQUIRE(table.missing_seeds);
    CHECK(table.missing_seeds->rows == std::vector<std::string>{"one"});
    CHECK(table.missing_seeds->cells == 4);
    CHECK(table.missing_seeds->seconds == doctest::Approx(4 * 3.0));
    compare::Options options;
    options.items_only = true;
    const auto by_items = compared(cells, options);
    CHECK(entry_of(by_items, "one").verdict == Verdict::reference);
    CHECK_FALSE(by_items.missing_seeds);
}

/// Under a classifier that draws nothing.
results::Cell solved(const std::string& encoder, int right, int seed = 1111)
{
    test::MadeCell cell = test::trained(encoder, right, seed);
    cell.settings["classifier"] = {{"classifier", "logreg-newton"}};
    return test::made(cell);
}

TEST_CASE("a deterministic row has a verdict with one seed, by its items alone")
{
    std::vector<results::Cell> cells = {solved("good", 180), solved("bad", 120)};
    add_trained(cells, "drawn", 150, 5);
    add_trained(cells, "few", 150, 2);
    const auto table = compared(cells);
    CHECK(entry_of(table, "good").verdict == Verdict::reference);
    CHECK(entry_of(table, "drawn").verdict == Verdict::worse); // with its own variance of seeds
    CHECK(entry_of(table, "few").difference.open == Open::few_seeds);
    CHECK(table.missing_seeds->rows == std::vector<std::string>{"few"});
    const compare::Difference& difference = entry_of(table, "bad").difference;
    CHECK(difference.standard_error == doctest::Approx(100 * std::sqrt(.3 * .7 / 199)));
    CHECK(difference.freedom == 199);
    for (const int seed : {1, 2, 3}) // of an old store: the same again, and no further fits
        cells.push_back(solved("bad", 120, seed));
    const auto old = compared(cells);
    CHECK(entry_of(old, "bad").score.seeds == 1);
    CHECK(entry_of(old, "bad").difference.standard_error == difference.standard_error);
}

TEST_CASE("a row with a caution is neither the best nor better or worse than any")
{
    const auto cautioned = [](results::Cell cell) {
        cell.result.cautions = {{"too-few-steps", "few steps", "--classifier logreg-newton"}};
        return cell;
    };
    const std::vector<results::Cell> cells = {solved("a", 180), solved("b", 120),
                                              cautioned(solved("c", 190)),
                                              cautioned(solved("d", 190))};
    for (const char* baseline : {"", "a", "c"}) {
        CAPTURE(std::string(baseline));
        compare::Options options;
        options.baseline = baseline;
        options.all_pairs = true;
        const auto table = compared(cells, options);
        for (const char* row : {"c", "d"}) { // though their predictions are the same
            CHECK(entry_of(table, row).verdict == Verdict::unknown);
            CHECK(entry_of(table, row).letters.empty());
        }
        const bool is_judged = *baseline != 'c';
        CHECK(entry_of(table, "b").verdict == (is_judged ? Verdict::worse : Verdict::unknown));
        CHECK(table.tasks[0].pairs.size() == 1);
        CHECK(table.tasks[0].is_open == (*baseline == 0));
        CHECK(entry_of(table, "c").cautions.size() == 1);
    }
    compare::Options across;
    across.across_tasks = true;
    const auto alone = compared({cautioned(solved("c", 190)), cautioned(solved("d", 180))}, across);
    CHECK(entry_of(alone, "d").difference.open == Open::caution);
    CHECK(alone.across->left_out.size() == 1);
}

TEST_CASE("the interval excludes 0 exactly where the adjusted p is below the level")
{
    for (int right = 150; right <= 180; right += 2) {
        std::vector<results::Cell> cells;
        for (const auto& [name, count] : {std::pair("a", 180), {"b", right}, {"c", 165}})
            cells.push_back(test::untrained(name, "T", 200, static_cast<std::size_t>(count)));
        for (const char* baseline : {"", "a"}) {
            compare::Options options;
            options.baseline = baseline;
            const auto table = compared(cells, options);
            const compare::Difference& difference = entry_of(table, "b").difference;
            if (difference.open == Open::no && difference.standard_error > 0)
                CHECK((difference.p_adjusted < compare::level) ==
                      (difference.interval.high < 0 || difference.interval.low > 0));
        }
    }
}

TEST_CASE("two rows are judged by Student's t, and a margin by two one-sided tests")
{
    std::vector<results::Cell> cells = {test::untrained("a", "T", 400, 300),
                                        test::untrained("b", "T", 400, 290)};
    compare::Options options;
    options.margin = 10;
    const auto table = compared(cells, options);
    const compare::Difference& difference = entry_of(table, "b").difference;
    CHECK(difference.value == doctest::Approx(-2.5));
    const double error = 100 * std::sqrt((10.0 / 400 - 1.0 / 1600) / 399);
    CHECK(difference.standard_error == doctest::Approx(error));
    CHECK(difference.freedom == 399);
    CHECK(difference.p == doctest::Approx(stats::t_p_value(2.5 / error, 399)));
    CHECK(difference.p_adjusted == doctest::Approx(difference.p));
    CHECK(difference.p_equivalent == doctest::Approx(stats::t_p_value(7.5 / error, 399)));
}

TEST_CASE("same predictions, few items, other items, no variance")
{
    const auto same =
        compared({test::untrained("a", "T", 100, 80), test::untrained("b", "T", 100, 80)});
    CHECK(entry_of(same, "b").verdict == Verdict::same);
    const auto few =
        compared({test::untrained("a", "T", 20, 15), test::untrained("b", "T", 20, 5)});
    CHECK(entry_of(few, "b").difference.open == Open::few_items);
    CHECK_FALSE(few.tasks[0].reference);
    const auto none =
        compared({test::untrained("a", "T", 50, 50), test::untrained("b", "T", 50, 0)});
    CHECK(entry_of(none, "b").difference.open == Open::no_variance);
    const auto other =
        compared({test::untrained("a", "T", 100, 80), test::untrained("b", "T", 100, 70),
                  test::untrained("c", "T", 90, 60)});
    CHECK(entry_of(other, "b").verdict != Verdict::unknown);
    CHECK(entry_of(other, "c").difference.open == Open::other_items);
}

TEST_CASE("rows that share a letter are not significantly different")
{
    compare::Options options;
    options.all_pairs = true;
    const auto table =
        compared({test::untrained("a", "T", 300, 250), test::untrained("b", "T", 300, 248),
                  test::untrained("c", "T", 300, 150)},
                 options);
    CHECK(table.tasks[0].pairs.size() == 3);
    CHECK(entry_of(table, "a").letters == "a");
    CHECK(entry_of(table, "b").letters == "a");
    CHECK(entry_of(table, "c").letters == "b");
}

TEST_CASE(
    "an unknown baseline or metric is refused; a statistic's name finds the task's own metric")
{
    std::vector<std::pair<double, double>> pairs;
    for (int i = 0; i < 40; ++i)
        pairs.emplace_back(i, (i * 7) % 40);
    compare::Options options;
    options.metric = "Spearman";
    CHECK(compared({test::scored("a", "T", pairs)}, options).tasks[0].metric.path == "spearman");
    options.metric = "guess";
    CHECK_THROWS_AS((void)compared({test::scored("a", "T", pairs)}, options), base::UsageError);
    options = {};
    options.baseline = "nobody";
    CHECK_THROWS_AS((void)compared({test::scored("a", "T", pairs)}, options), base::UsageError);
}

TEST_CASE("over tasks: mean ranks, and tasks that a row lacks are left out by name")
{
    compare::Options options;
    options.across_tasks = true;
    std::vector<results::Cell> cells;
    for (const char* task : {"A", "B", "C"}) {
        cells.push_back(test::untrained("good", task, 100, 90));
        cells.push_back(test::untrained("bad", task, 100, 60));
    }
    cells.push_back(test::untrained("good", "D", 100, 90));
    const auto table = compared(cells, options);
    REQUIRE(table.across);
    CHECK(table.across->tasks.size() == 3);
    CHECK(table.across->left_out == std::vector<std::string>{"D"});
    CHECK(table.rows[table.across->rows[0]] == "good");
    CHECK(table.across->mean_ranks == std::vector<double>{1, 2});
    CHECK(table.across->intervals.at(1).low == 2);
    CHECK(table.across->pairs[0].better_on == 3);
    CHECK(table.across->pairs[0].p_value == doctest::Approx(0.25));
}

TEST_CASE("results of one task under other settings never share a row")
{
    const std::vector<base::Json> others = {
        {{"normalise", "none"}, {"classifier", {{"nhid", 50}}}},
        {{"normalise", {"none", "z"}}, {"classifier", {{"nhid", 50}}}},
        {{"normalise", "none"}, {"classifier", {{"nhid", {50, 100}}}}},
        {{"normalise", "none"}, {"classifier", {{"nhid", 50}}}, {"reading", {{"positive", "a"}}}},
        {{"normalise", "none"}, {"classifier", {{"nhid", 50}}}, {"reading", {{"positive", "b"}}}}};
    std::vector<results::Cell> cells;
    for (const base::Json& settings : others)
        for (int seed = 1; seed <= 2; ++seed) {
            test::MadeCell cell = test::trained("one", 150, seed);
            cell.settings.update(settings);
            cells.push_back(test::made(cell));
        }
    const auto table = compared(cells);
    REQUIRE(table.rows.size() == others.size());
    for (const compare::Entry& entry : table.tasks[0].entries)
        CHECK(entry.score.seeds == 2);
}

TEST_CASE(
    "the similarity that an encoder states makes no row of its own, and one that is chosen does")
{
    const auto cell = [](const char* encoder, const char* task, const char* protocol,
                         const char* similarity) {
        results::Cell made = test::untrained(encoder, task, 100, 70);
        made.result.protocol = {1,
                                {{"protocol", protocol}, {"similarity", similarity}},
                                std::string(protocol) + similarity};
        if (std::string_view(encoder) == "one")
            made.result.encoder.stated["similarity"] = "dot";
        return made;
    };
    std::vector<results::Cell> cells = {
        cell("one", "Search", "search", "dot"), cell("one", "STS", "similarity", "cosine"),
        cell("two", "Search", "search", "cosine"), cell("two", "STS", "similarity", "cosine")};
    CHECK(compared(cells).rows == std::vector<std::string>{"one", "two"});
    cells.push_back(cell("one", "Search", "search", "cosine"));
    const auto rows = compared(cells).rows;
    CHECK(std::set<std::string>(rows.begin(), rows.end()) ==
          std::set<std::string>{"one", "two", "one (similarity=cosine)"});
    cells.push_back(cell("one", "STS", "similarity", "dot"));
    cells.push_back(cell("two", "Search", "search", "dot"));
    CHECK(compared(cells).rows.size() == 5);
}
