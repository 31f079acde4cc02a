// One table for runs and comparisons, and its formats.
#include "compare/formats.hpp"
#include "core/error.hpp"
#include "made_cells.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;
using compare::Results;

namespace {

run::Cell accuracy(const std::string& encoder, const std::string& task, double value, int seed = 1)
{
    test::MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"name", encoder}};
    cell.task = task;
    cell.metrics = {{"acc", value}};
    cell.settings = {{"seed", seed}};
    return test::made(cell);
}

run::Cell correlation(const std::string& encoder, const std::string& task, double value)
{
    test::MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"name", encoder}};
    cell.task = task;
    cell.headline = "pearson";
    cell.metrics = {{"pearson", value}};
    cell.settings = {{"protocol", "similarity"}};
    return test::made(cell);
}

const task::Metric share{"acc", "accuracy", task::percent, 2};
const task::Metric pearson{"pearson", "Pearson's r", task::correlation, 4};

std::string table_of(std::vector<run::Cell> cells,
                     const std::vector<compare::Failure>& failures = {},
                     report::TerminalStyle style = {})
{
    return compare::to_terminal_table(compare::tabulate(Results(std::move(cells)), failures),
                                      style);
}

std::vector<std::string> rows_of(std::vector<run::Cell> cells)
{
    const Results results(std::move(cells));
    std::vector<std::string> labels;
    for (const auto& row : results.rows())
        labels.push_back(row.label);
    return labels;
}

} // namespace

TEST_CASE("a run's table has a line per encoder, with what failed")
{
    CHECK(table_of({accuracy("glove", "MR", 77.125), correlation("glove", "STS14", 0.5),
                    accuracy("mine", "MR", 78)},
                   {{"mine", "STS14", pearson}}, {.bold = true}) ==
          "encoder     MR   STS14\n"
          "----------------------\n"
          "glove    77.12  \x1b[1m0.5000\x1b[0m\n"
          "mine     \x1b[1m78.00\x1b[0m  failed\n");
    // One that was computed and could not be stored.
    const std::string unstored =
        table_of({accuracy("mine", "MR", 78)}, {{"mine", "MR", share}}, {});
    CHECK(unstored.find("78.00!") != std::string::npos);
    CHECK(unstored.find("! some of it failed, or was not stored.") != std::string::npos);
    const std::vector<compare::Failure> failures = {{"mine", "MR", share}};
    const auto partial = compare::tabulate(Results({accuracy("mine", "MR", 78)}), failures);
    CHECK(compare::to_json(partial).at("cells").at(0).at("failed") == true);
    // Nothing but failures, and a task that nobody finished.
    CHECK(table_of({}, {{"mine", "STS14", pearson}}) == "encoder   STS14\n"
                                                        "---------------\n"
                                                        "mine     failed\n");
}

TEST_CASE("averages are over the tasks of one unit, and absent where one is missing")
{
    const auto table = table_of({accuracy("glove", "MR", 70), accuracy("glove", "CR", 80),
                                 accuracy("mine", "MR", 78), correlation("glove", "STS14", 0.5)});
    CHECK(table == "encoder     MR     CR   STS14  average\n"
                   "--------------------------------------\n"
                   "glove    70.00  80.00  0.5000    75.00\n"
                   "mine     78.00      -       -        -\n"
                   "Note: average: of MR, CR\n");
    const auto comparison = compare::tabulate(
        Results({accuracy("glove", "MR", 70), accuracy("glove", "CR", 80),
                 correlation("glove", "A", 0.5), correlation("glove", "B", 0.25)}));
    REQUIRE(comparison.averages.size() == 2);
    CHECK(comparison.averages[1].values[0] == 0.375);
    CHECK(compare::to_markdown(comparison).find("| average % | average r |") != std::string::npos);
}

TEST_CASE("errors on scales of their tasks have no average")
{
    const auto error = [](const std::string& task, double value) {
        test::MadeCell cell;
        cell.task = task;
        cell.headline = "mse";
        cell.metrics = {{"mse", value}};
        return test::made(cell);
    };
    CHECK(compare::tabulate(Results({error("A", 0.1), error("B", 5)})).averages.empty());
}

TEST_CASE("tasks stand in the order that is asked for, failed ones too")
{
    const std::vector<std::string> order = {"A", "B", "C"};
    const std::vector<compare::Failure> failures = {{"glove", "B", pearson}};
    const auto comparison = compare::tabulate(
        Results({correlation("glove", "C", 0.5), correlation("glove", "A", 0.5)}), failures, order);
    REQUIRE(comparison.tasks.size() == 3);
    for (std::size_t task = 0; task < order.size(); ++task)
        CHECK(comparison.tasks[task].task == order[task]);
    CHECK(comparison.averages.empty()); // of all three no row has one
}

TEST_CASE("an average that no row has is no column")
{
    const std::vector<run::Cell> crosswise = {correlation("glove", "A", 0.5),
                                              correlation("mine", "B", 0.5)};
    CHECK(compare::tabulate(Results(crosswise)).averages.empty());
    CHECK(table_of(crosswise).find("average") == std::string::npos);
    auto one_has_both = crosswise;
    one_has_both.push_back(correlation("mine", "A", 0.4));
    CHECK(compare::tabulate(Results(one_has_both)).averages.size() == 1);
}

TEST_CASE("notes and legend are wrapped")
{
    auto cell = accuracy("glove", "MR", 70);
    cell.document["data"]["doubts"] = {std::string(50, 'x') + " " + std::string(50, 'y')};
    const auto comparison = compare::compare(Results({cell, accuracy("mine", "MR", 60)}), {});
    for (const std::string& text :
         {compare::to_terminal(comparison, {.width = 70}), table_of({cell}, {}, {.width = 70})}) {
        CHECK(text.find("\n      " + std::string(50, 'y')) != std::string::npos);
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            if (!line.starts_with("  ")) // a row
                CHECK_MESSAGE(report::display_width(line) <= 70, line);
    }
}

TEST_CASE("± is the standard deviation over seeds, and the table says so")
{
    std::vector<run::Cell> cells;
    for (const auto& [seed, value] : {std::pair(1, 70.0), {2, 71.0}, {3, 75.0}})
        cells.push_back(accuracy("glove", "MR", value, seed));
    const auto table = table_of(cells);
    CHECK(table.find("glove    72.00 ±2.65\n") != std::string::npos); // sqrt((4 + 1 + 9) / 2)
    CHECK(table.find("± is the standard deviation over seeds.") != std::string::npos);
    const std::string csv = compare::to_csv(compare::tabulate(Results(cells)));
    CHECK(csv.find("glove,MR,acc,72,2.64") != std::string::npos);
    CHECK(csv.find(",3,0,,,,") != std::string::npos); // seeds; a run's table knows of no items
}

TEST_CASE("an undefined metric is shown as missing and is never the best")
{
    const auto comparison = compare::tabulate(
        Results({accuracy("constant", "MR", std::numeric_limits<double>::quiet_NaN()),
                 accuracy("glove", "MR", 60)}));
    CHECK(std::isnan(comparison.tasks[0].entries[0].score.value));
    CHECK_FALSE(comparison.tasks[0].entries[0].is_best);
    CHECK(comparison.tasks[0].entries[1].is_best);
}

TEST_CASE("copies of a result are one result, and other data is no other seed")
{
    const auto one = accuracy("glove", "MR", 70);
    const Results copies({one, one, accuracy("glove", "MR", 72, 2)});
    CHECK(copies.rows()[0].tasks[0].size() == 2);
    CHECK(copies.notes().empty());

    auto other_data = accuracy("glove", "MR", 60);
    other_data.document["data"]["files"]["MR.txt"] = "other";
    other_data.document["run"]["date"] = "2026-02-01T12:00:00Z";
    const Results later({other_data, one});
    REQUIRE(later.rows()[0].tasks[0].size() == 1);
    CHECK(later.rows()[0].tasks[0][0]->document.at("metrics").at("acc") == 60);
    REQUIRE(later.notes().size() == 1);
    CHECK(later.notes()[0] == "MR of 'glove': 1 result is of other data files than the latest, of "
                              "2026-02-01T12:00:00Z, and is left out.");
}

TEST_CASE("results on other data are no seeds: doubtful data has a row, older files are left out")
{
    auto sample = accuracy("glove", "MR", 40, 2);
    sample.document["data"]["files"]["MR.txt"] = "sample";
    sample.document["data"]["doubts"] = {"these are sample data"};
    auto same_seed = sample;
    same_seed.document["protocol"] = accuracy("glove", "MR", 40, 1).document["protocol"];
    const Results apart({accuracy("glove", "MR", 70, 1), sample, same_seed});
    REQUIRE(apart.rows().size() == 2);
    CHECK(apart.rows()[0].label == "glove");
    CHECK(apart.rows()[0].tasks[0].size() == 1);
    CHECK(apart.rows()[1].label == "glove (data=doubtful)");
    CHECK(apart.rows()[1].tasks[0].size() == 2);

    auto later = accuracy("glove", "MR", 60, 2);
    later.document["data"]["files"]["MR.txt"] = "other";
    later.document["run"]["date"] = "2026-02-01T12:00:00Z";
    const Results changed({accuracy("glove", "MR", 70, 1), later});
    REQUIRE(changed.rows().size() == 1);
    REQUIRE(changed.rows()[0].tasks[0].size() == 1);
    CHECK(changed.rows()[0].tasks[0][0]->document.at("metrics").at("acc") == 60);
    REQUIRE(changed.notes().size() == 1);
    CHECK(changed.notes()[0] ==
          "MR of 'glove': 1 result is of other data files than the latest, of "
          "2026-02-01T12:00:00Z, and is left out.");
}

TEST_CASE("an encoder is called what its latest result calls it")
{
    std::vector<run::Cell> cells = {accuracy("old", "CR", 70), accuracy("old", "MR", 70),
                                    accuracy("old", "TREC", 70)};
    cells[1].document["encoder"]["label"] = "new";
    cells[1].document["run"]["date"] = "2026-02-01T00:00:00Z";
    CHECK(rows_of(cells) == std::vector<std::string>{"new"});
}

TEST_CASE("encoders of one label are named by what differs")
{
    test::MadeCell cell;
    cell.encoder = "glove";
    cell.parameters = {{"vectors", "/data/glove.txt"}, {"pooling", "max"}};
    auto other = cell;
    other.parameters["pooling"] = "mean";
    CHECK(rows_of({test::made(cell), test::made(other)}) ==
          std::vector<std::string>{"glove pooling=max", "glove pooling=mean"});
}

TEST_CASE("rows of other settings say which, and what is none goes without saying")
{
    const auto normalised = [](const std::string& task, const core::Json& normalise) {
        test::MadeCell cell;
        cell.task = task;
        cell.settings = {{"normalise", normalise}, {"seed", 1}};
        return test::made(cell);
    };
    const Results results({normalised("STS14", "none"), normalised("STS14", "z"),
                           normalised("CR", core::Json{"none", "z"})});
    REQUIRE(results.rows().size() == 2);
    CHECK(results.rows()[0].label == "glove");
    CHECK(results.rows()[1].label == "glove (normalise=z)");
    // What chose between the two is one result, and no other encoder's to be ranked against.
    CHECK(results.rows()[0].tasks[1].size() == 1);
    CHECK(results.rows()[1].tasks[1].empty());
    REQUIRE(results.notes().size() == 1);
    CHECK(results.notes()[0].starts_with("CR: what rows of one encoder differ by"));
    Results similarity = results;
    similarity.keep_tasks(std::vector<std::string>{"STS14"});
    CHECK(similarity.notes().empty());
    // Where the first of these rows is not wanted, the next one shows what concerns both.
    Results chosen = results;
    chosen.keep_encoders(std::vector<std::string>{"*normalise=z*"});
    REQUIRE(chosen.rows().size() == 1);
    CHECK(chosen.tasks() == std::vector<std::string>{"STS14", "CR"});
    CHECK(chosen.rows()[0].tasks[1].size() == 1);
    CHECK(chosen.notes().empty());
    chosen = results;
    chosen.keep_tasks(std::vector<std::string>{"CR"});
    CHECK(chosen.rows().size() == 1);
    CHECK(chosen.notes().empty()); // nor is its other row left out, of which this is a result, too
    chosen.keep_encoders(std::vector<std::string>{"*normalise=z*"});
    CHECK(chosen.rows()[0].label == "glove (normalise=z)");
    CHECK(chosen.rows()[0].tasks[0].size() == 1);
    const std::string table = compare::to_terminal_table(compare::tabulate(results), {});
    CHECK(table.find("stands once, in the first of these rows") != std::string::npos);

    // The files of a store come in any order.
    const Results reversed({normalised("CR", core::Json{"none", "z"}), normalised("STS14", "z"),
                            normalised("STS14", "none")});
    REQUIRE(reversed.rows().size() == 2);
    CHECK(reversed.rows()[0].label == "glove");
    CHECK(reversed.rows()[0].tasks[0].size() == 1);
    CHECK(reversed.rows()[1].tasks[0].empty());
}

TEST_CASE("tasks and encoders are chosen by name or pattern, with the nearest on error")
{
    const auto all = [] {
        return Results({accuracy("glove a", "MR", 1), accuracy("glove b", "CR", 2),
                        accuracy("mine", "STS12", 3), accuracy("mine", "STS13", 3)});
    };
    Results sts = all();
    const std::vector<std::string> patterns = {"sts*"};
    sts.keep_tasks(patterns);
    CHECK(sts.tasks() == std::vector<std::string>{"STS12", "STS13"});
    CHECK(sts.rows().size() == 1);
    CHECK(sts.cells().size() == 2);
    CHECK(sts.notes() == std::vector<std::string>{
                             "Left out: glove a, glove b, without a result of STS12, STS13."});
    Results mine = all();
    mine.keep_encoders(std::vector<std::string>{"mine"});
    CHECK_THROWS_WITH_AS(mine.keep_tasks(std::vector<std::string>{"MR"}),
                         doctest::Contains("the results of these encoders have no 'MR'"),
                         core::UsageError);
    Results gloves = all();
    const std::vector<std::string> names = {"glove*"};
    gloves.keep_encoders(names);
    CHECK(gloves.tasks() == std::vector<std::string>{"MR", "CR"});
    CHECK(gloves.rows().size() == 2);
    const std::vector<std::string> wrong = {"STS15"};
    CHECK_THROWS_WITH_AS(sts.keep_tasks(wrong), doctest::Contains("Did you mean 'STS1"),
                         core::UsageError);
    const std::vector<std::string> nobody = {"globe a"};
    CHECK_THROWS_WITH_AS(gloves.keep_encoders(nobody), doctest::Contains("Did you mean 'glove a'?"),
                         core::UsageError);
}

TEST_CASE("data of the user's own is not said to be other than published")
{
    auto cell = accuracy("glove", "MyReviews", 70);
    cell.document["data"]["doubts"] = {"at most 20 items were taken"};
    const Results results({cell});
    const std::string text = compare::to_terminal_table(compare::tabulate(results), {});
    CHECK(text.find("MyReviews*: at most 20 items were taken") != std::string::npos);
    CHECK(text.find("published") == std::string::npos);
}

TEST_CASE("doubts about the data are marked in every format")
{
    auto cell = accuracy("glove", "MR", 70);
    cell.document["data"]["doubts"] = {"MR.txt has 600 lines, the published set 5331"};
    cell.items = test::class_items({{0, 0}, {1, 1}}, {1, 1});
    auto sure = accuracy("mine", "CR", 80);
    sure.items = cell.items;
    compare::Options options;
    options.resampling.resamples = 100;
    const Results results({cell, sure});
    const auto compared = compare::compare(results, options);
    const std::string note = "MR*: not the published data: MR.txt has 600 lines";
    CHECK(compare::to_terminal_table(compare::tabulate(results), {}).find(" 70.00*") !=
          std::string::npos);
    CHECK(compare::to_terminal_table(compare::tabulate(results), {}).find(note) !=
          std::string::npos);
    for (const std::string& text : {compare::to_terminal(compared, {}),
                                    compare::to_markdown(compared), compare::to_latex(compared)}) {
        CAPTURE(text);
        CHECK((test::contains(text, "70.00*") || test::contains(text, "70.00\\*")));
        CHECK(text.find("80.00* ") == std::string::npos);
        CHECK((test::contains(text, note) || test::contains(text, "MR\\" + note.substr(2))));
    }
    CHECK(compare::to_csv(compared).find("the published set 5331") != std::string::npos);
    CHECK(compare::to_json(compared).at("cells").at(0).at("doubts").size() == 1);
}

TEST_CASE("a row that is alone is the best of none, in no format")
{
    const auto alone = compare::compare(Results({accuracy("glove", "MR", 80)}), {});
    CHECK(compare::to_terminal(alone, {}).find("    glove") != std::string::npos);
    CHECK(compare::to_markdown(alone).find("**") == std::string::npos);
    CHECK(compare::to_latex(alone).find("textbf") == std::string::npos);
    const auto json = compare::to_json(alone).at("cells").at(0);
    CHECK(json.at("best") == false);
    CHECK(json.at("among_best") == false);
    CHECK(json.at("verdict") == "reference");
}

TEST_CASE("LaTeX has intervals, a caption and the marks against a baseline")
{
    std::vector<run::Cell> cells;
    for (const auto& [encoder, right] : {std::pair("good", 90), std::pair("bad", 10)}) {
        auto cell = accuracy(encoder, "MR", right);
        std::vector<std::pair<int, int>> outcomes;
        for (int i = 0; i < 100; ++i)
            outcomes.emplace_back(1, i < right ? 1 : 0);
        cell.items = test::class_items(outcomes, std::vector<std::uint32_t>(100, 1));
        cells.push_back(cell);
    }
    compare::Options options;
    options.baseline = "bad";
    options.population = stats::Population::items;
    const auto latex = compare::to_latex(compare::compare(Results(cells), options));
    CHECK(latex.find("\\caption{MR: accuracy, \\%. Bold: better than the baseline") !=
          std::string::npos);
    CHECK(latex.find("good & \\textbf{90.00} \\\\\n & {\\scriptsize [82.56, 94.48] +} \\\\") !=
          std::string::npos);
    CHECK(latex.find("\\~{} marks the baseline") != std::string::npos);
    CHECK(latex.find("bad & 10.00 \\\\\n & {\\scriptsize [5.52, 17.44] \\~{}} \\\\") !=
          std::string::npos);
}

TEST_CASE("every line of the CSV has all columns, and says what the encoder was trained on")
{
    std::vector<run::Cell> cells;
    for (const char* encoder : {"a", "b"})
        for (const char* task : {"CR", "MR", "MPQA", "SUBJ", "TREC"}) {
            test::MadeCell cell;
            cell.encoder = encoder;
            cell.task = task;
            cell.settings = {{"protocol", "similarity"}};
            cell.items = test::class_items({{0, 0}, {0, 1}, {1, 1}, {1, 0}}, {1, 1, 1, 1});
            cells.push_back(test::made(cell));
        }
    cells.front().document["overlap"] = {{"items", 3}, {"of", 4}};
    compare::Options options;
    options.all_pairs = true;
    options.across_tasks = true;
    options.resampling.resamples = 100;
    const std::string csv = compare::to_csv(compare::compare(Results(cells), options));
    std::istringstream lines(csv);
    std::string first;
    std::getline(lines, first);
    CHECK(first.ends_with(",trained_on,seed_variance_from,interval_population"));
    std::size_t marked = 0;
    for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        CHECK(std::ranges::count(line, ',') == std::ranges::count(first, ','));
        marked += line.ends_with(",3 of 4,,items") ? 1U : 0U;
    }
    CHECK(marked == 1);
    CHECK(csv.find("mean rank") != std::string::npos);
}
