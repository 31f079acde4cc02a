// Which rows are ranked over the tasks.
#include "compare/across.hpp"
#include "compare/across_text.hpp"
#include "compare/alike_tasks.hpp"
#include "compare/block.hpp"
#include "compare/comparison.hpp"
#include "compare/formats.hpp"
#include "compare/verdict.hpp"
#include "made_cells.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;

namespace {

const std::vector<std::string> task_names = {"P", "Q", "R", "S", "T", "U", "V"};

compare::Comparison ranked(std::vector<run::Cell> cells)
{
    compare::Options options;
    options.across_tasks = true;
    options.resampling.resamples = 300;
    return compare::compare(compare::Results(std::move(cells)), options);
}

std::vector<std::string> all_formats(const compare::Comparison& comparison)
{
    return {compare::to_terminal(comparison, {}), compare::to_markdown(comparison),
            compare::to_latex(comparison), compare::to_csv(comparison),
            compare::to_json(comparison).dump()};
}

} // namespace

TEST_CASE(
    "tasks of the same sources are named, since each counts as if it told something of its own")
{
    using Groups = std::vector<std::vector<std::string>>;
    const std::vector<std::string> tasks = {"TREC", "STS12", "SICKEntailment", "STS14", "Own"};
    CHECK(compare::alike_tasks(tasks) == Groups{{"STS12", "STS14"}});
    CHECK(compare::alike_in_words(tasks).ends_with(": STS12, STS14."));
    const std::vector<std::string> others = {"TREC", "STS12", "SICKEntailment", "MR"};
    CHECK(compare::alike_tasks(others).empty());
    CHECK(compare::alike_in_words(others).empty());
}

TEST_CASE("two encoders of which one was tested on other items are not ranked over the tasks")
{
    std::vector<run::Cell> cells;
    for (std::size_t at = 0; at < task_names.size(); ++at) {
        cells.push_back(test::untrained("whole", task_names[at], 200, 120 + at));
        cells.push_back(test::untrained("sample", task_names[at], 40, 36));
    }
    const auto comparison = ranked(cells);
    REQUIRE(comparison.across.has_value());
    CHECK(comparison.across->rows.empty());
    CHECK(comparison.across->pairs.empty());
    CHECK(compare::rank_diagram(comparison).encoders.empty());
    for (const std::string& sentence : compare::verdict_sentences(comparison))
        CHECK(sentence.find("mean rank") == std::string::npos);
    for (const std::string& text : all_formats(comparison))
        CHECK(text.find("better on") == std::string::npos);
    CHECK(compare::to_csv(comparison).find(",better,") == std::string::npos);
    CHECK(compare::to_terminal(comparison, {}).find("sample against whole: other test items") !=
          std::string::npos);
}

TEST_CASE("encoders of the same mean rank share the best")
{
    std::vector<run::Cell> cells;
    for (std::size_t at = 0; at < task_names.size(); ++at) {
        const bool is_last = at + 1 == task_names.size();
        cells.push_back(
            test::untrained("a", task_names[at], 200, is_last ? 130 : 120 + at % 2 * 30));
        cells.push_back(
            test::untrained("b", task_names[at], 200, is_last ? 130 : 150 - at % 2 * 30));
    }
    const auto comparison = ranked(cells);
    REQUIRE(comparison.across.has_value());
    REQUIRE(comparison.across->mean_ranks.size() == 2);
    CHECK(comparison.across->mean_ranks[0] == doctest::Approx(1.5));
    CHECK(comparison.across->mean_ranks[1] == doctest::Approx(1.5));
    CHECK(compare::verdict_sentences(comparison).back().find("share the best mean rank (1.50).") !=
          std::string::npos);
}

TEST_CASE("rows on other items are left out by name, and every format says so")
{
    std::vector<run::Cell> cells;
    for (std::size_t at = 0; at < task_names.size(); ++at) {
        cells.push_back(test::untrained("sample", task_names[at], 40, 36));
        cells.push_back(test::untrained("a", task_names[at], 200, 150 + at));
        cells.push_back(test::untrained("b", task_names[at], 200, 120));
    }
    const auto comparison = ranked(cells);
    REQUIRE(comparison.across.has_value());
    REQUIRE(comparison.across->rows.size() == 2);
    CHECK(comparison.rows[comparison.across->rows.front()] == "a");
    for (const std::string& text : all_formats(comparison)) {
        CAPTURE(text);
        CHECK(text.find("sample") != std::string::npos);
        CHECK(text.find("other test items: 7 tasks") != std::string::npos);
    }
    const auto sentence = compare::verdict_sentences(comparison).back();
    CAPTURE(sentence);
    CHECK(sentence.find("a has the best mean rank") != std::string::npos);
    CHECK(sentence.find("told from b") != std::string::npos);
    CHECK(sentence.find("Left out: sample (other test items: 7 tasks).") != std::string::npos);
    const std::string csv = compare::to_csv(comparison);
    const auto lines = std::count(csv.begin(), csv.end(), '\n');
    const auto head = csv.substr(0, csv.find('\n'));
    CHECK(std::count(csv.begin(), csv.end(), ',') ==
          lines * std::count(head.begin(), head.end(), ','));
}

TEST_CASE("of so few tasks that no test can tell encoders apart that is said")
{
    const auto caution_of = [](std::size_t encoders, std::size_t tasks) {
        std::vector<run::Cell> cells;
        for (std::size_t at = 0; at < tasks; ++at)
            for (std::size_t encoder = 0; encoder < encoders; ++encoder)
                cells.push_back(test::untrained(std::string(1, static_cast<char>('a' + encoder)),
                                                task_names[at], 200, 150 - 20 * encoder));
        const auto comparison = ranked(cells);
        const bool told = std::ranges::any_of(comparison.across->pairs, [](const auto& pair) {
            return pair.p_wilcoxon <= compare::level;
        });
        const auto caveats = compare::caveats_of(comparison);
        CHECK(told == caveats.empty());
        return caveats.empty() ? std::string() : caveats.front();
    };
    CHECK(caution_of(2, 5) ==
          "5 tasks are too few to tell 2 encoders apart over tasks: Wilcoxon's test needs 6.");
    CHECK(caution_of(2, 6).empty());
    CHECK(caution_of(3, 6) == "6 tasks are too few to tell 3 encoders apart over tasks: Wilcoxon's "
                              "test of all pairs, adjusted by Holm, needs 7.");
    CHECK(caution_of(3, 7).empty());
}

TEST_CASE("a task is left out for the sake of those that have no result of it")
{
    std::vector<run::Cell> cells;
    for (std::size_t at = 0; at < task_names.size(); ++at)
        for (const std::string encoder : {"a", "b", "c"})
            if (!(encoder == "a" && at == 1) && !(encoder == "c" && at == 0))
                cells.push_back(
                    test::untrained(encoder, task_names[at], 200, 120 + 10 * (encoder == "b")));
    const auto comparison = ranked(cells);
    REQUIRE(comparison.across.has_value());
    const auto& left_out = comparison.across->left_out;
    REQUIRE(left_out.size() == 2);
    CHECK(left_out[0].name == "P");
    CHECK(left_out[0].reason == "no result: c");
    CHECK(left_out[1].name == "Q");
    CHECK(left_out[1].reason == "no result: a");
}

TEST_CASE("the diagram of two encoders speaks of the one test that decides")
{
    std::vector<run::Cell> cells;
    for (std::size_t at = 0; at < task_names.size(); ++at)
        for (const auto& [encoder, lead] : {std::pair("a", std::size_t{at + 1}), {"b", 0}})
            cells.push_back(
                test::untrained(encoder, task_names[at], 200, (at == 0 ? 125 : 120) + lead));
    const auto comparison = ranked(cells);
    const auto diagram = compare::rank_diagram(comparison);
    CHECK(diagram.caption.find("Friedman") == std::string::npos);
    CHECK(diagram.caption.find("Wilcoxon's test p 0.0156") != std::string::npos);
    CHECK(diagram.groups.empty());
    CHECK(compare::verdict_sentences(comparison).back().find("told from b") != std::string::npos);
}

TEST_CASE("a p-value over the tasks is named after the test that it is of")
{
    // b beats c always; a and d are like them by turns: of so few tasks Friedman's p is the larger.
    std::vector<run::Cell> cells;
    const std::vector<std::vector<std::size_t>> right = {{130, 120, 110}, {110, 121, 112}};
    for (std::size_t at = 0; at < right.size(); ++at)
        for (const auto& [encoder, row] : {std::pair("a", std::size_t{0}), {"b", 1}, {"c", 2}})
            cells.push_back(test::untrained(encoder, task_names[at], 200, right[at][row]));
    const auto comparison = ranked(cells);
    REQUIRE(comparison.across.has_value());
    for (const auto& pair : comparison.across->pairs)
        CHECK(pair.p_value == std::max(pair.p_wilcoxon, comparison.across->friedman.p_value));
    const auto told = [](const compare::Comparison& of) {
        const std::string text = compare::across_to_text(of, 1000);
        std::size_t count = 0;
        for (auto at = text.find(" against "); at != std::string::npos;
             at = text.find(" against ", at + 1))
            ++count;
        return count;
    };
    CHECK(told(comparison) == 2); // with the best
    compare::Options all_pairs;
    all_pairs.across_tasks = all_pairs.all_pairs = true;
    CHECK(told(compare::compare(compare::Results(std::move(cells)), all_pairs)) == 3);
    const core::Json document = compare::to_json(comparison);
    for (const auto& pair : document.at("across_tasks").at("pairs")) {
        CHECK(pair.contains("p"));
        CHECK(pair.at("p").get<double>() >= pair.at("p_wilcoxon_holm").get<double>());
    }
}

TEST_CASE("a task of doubtful data is marked over the tasks too, in every format")
{
    std::vector<run::Cell> cells;
    for (std::size_t at = 0; at < task_names.size(); ++at)
        for (const auto& [encoder, lead] : {std::pair("a", std::size_t{5}), {"b", 0}}) {
            cells.push_back(test::untrained(encoder, task_names[at], 200, 120 + lead));
            if (at == 2)
                cells.back().document["data"]["doubts"] = {"it is a sample"};
        }
    const auto comparison = ranked(cells);
    REQUIRE(comparison.across.has_value());
    CHECK(compare::across_to_text(comparison, 1000).find("(P, Q, R*, S, T, U, V)") !=
          std::string::npos);
    CHECK(compare::across_to_latex(comparison).find("(P, Q, R*, S, T, U, V)") != std::string::npos);
    CHECK(compare::rank_diagram(comparison).tasks[2] == "R"); // a key: the caption says it
    CHECK(compare::rank_diagram(comparison).caption.find("published data: R*.") !=
          std::string::npos);
    CHECK(compare::verdict_sentences(comparison).back().find("published data: R*.") !=
          std::string::npos);
    const std::string csv = compare::across_to_csv(comparison);
    CHECK(std::count(csv.begin(), csv.end(), '*') == std::count(csv.begin(), csv.end(), '\n'));
    CHECK(compare::to_json(comparison).at("across_tasks").at("doubtful_tasks") ==
          core::Json::array({"R"}));
}

TEST_CASE("a pair that is not told apart and that no bar can join is named")
{
    // b is worse than a on all tasks by a little; c is worse by much on all but one, where it is far better.
    std::vector<run::Cell> cells;
    for (std::size_t at = 0; at < task_names.size(); ++at)
        for (const auto& [encoder, right] :
             {std::pair("a", std::size_t{140}), {"b", 139 - at}, {"c", at == 0 ? 195 : 100 + at}})
            cells.push_back(test::untrained(encoder, task_names[at], 200, right));
    const auto comparison = ranked(cells);
    const auto& across = *comparison.across;
    using Places = std::vector<std::pair<std::size_t, std::size_t>>;
    CHECK(across.groups == Places{{1, 2}});
    CHECK(across.without_bar == Places{{0, 2}});
    const std::string sentence = "Not told apart, and joined by no bar, since an encoder between "
                                 "them is told from one of the two: a and c.";
    CHECK(compare::across_to_text(comparison, 1000).find(sentence) != std::string::npos);
    CHECK(compare::verdict_sentences(comparison).back().find("; c cannot be told from it.") !=
          std::string::npos);
}

TEST_CASE("values that differ by their last places share a rank, whatever order seeds come in")
{
    std::vector<run::Cell> cells;
    for (const std::string& name : task_names)
        for (const auto& [encoder, seeds] :
             {std::pair("a", std::array{121, 124, 130}), {"b", std::array{130, 121, 124}}})
            for (std::size_t seed = 0; seed < seeds.size(); ++seed) {
                cells.push_back(
                    test::as_in_the_table(encoder, seeds[seed], {{"/seed", seed}}, 333));
                auto& task = cells.back().document["task"];
                task["name"] = name;
                cells.back().document["protocol"]["fingerprint"] = name + std::to_string(seed);
            }
    const auto comparison = ranked(cells);
    REQUIRE(comparison.across->rows.size() == 2);
    CHECK(comparison.across->mean_ranks == std::vector<double>{1.5, 1.5});
    CHECK(comparison.across->pairs.front().better_on == 0);
    for (const auto& task : comparison.tasks)
        CHECK(task.entries[0].score.value == task.entries[1].score.value);
}

TEST_CASE("tasks without a verdict of their own are named where they are ranked")
{
    std::vector<run::Cell> cells;
    for (std::size_t at = 0; at < task_names.size(); ++at)
        for (const auto& [encoder, lead] : {std::pair("a", std::size_t{5}), {"b", 0}}) {
            cells.push_back(test::untrained(encoder, task_names[at], 200, 120 + lead));
            if (at == 1) // of a kind of which nobody knows how much seeds matter
                cells.back().document["protocol"]["settings"] = {{"protocol", "split"},
                                                                 {"seed", 1}};
        }
    const auto comparison = ranked(cells);
    REQUIRE(comparison.across.has_value());
    CHECK(comparison.tasks[1].entries[1].verdict == compare::Verdict::undecided);
    CHECK(comparison.across->without_verdict == std::vector<std::string>{"Q"});
    CHECK(comparison.across->row_without_verdict == std::vector<std::vector<std::string>>(2));
    const std::string caveat = "No two of these encoders have a verdict of the task's own on Q";
    CHECK(compare::caveats_of(comparison).back().starts_with(caveat));
    CHECK(compare::to_json(comparison).at("across_tasks").at("tasks_without_verdict") ==
          core::Json::array({"Q"}));
}

TEST_CASE("a row that has no verdict where the others have one is named, with the tasks")
{
    const auto trained = [](const std::string& encoder, const std::string& task, int right,
                            int seed, const char* normalise) {
        auto cell = test::trained(encoder, right, seed);
        cell.task = task;
        cell.settings["normalise"] = normalise;
        return test::made(cell);
    };
    std::vector<run::Cell> cells;
    for (const std::string& task : task_names) {
        for (int seed = 1; seed <= 4; ++seed)
            for (const auto& [encoder, right] : {std::pair("b", 160), {"c", 120}})
                cells.push_back(trained(encoder, task, right + seed % 3, seed, "none"));
        cells.push_back(
            trained("a", task, 180, 1, "l2")); // of one seed, and trained as nobody else
    }
    const auto comparison = ranked(cells);
    REQUIRE(comparison.across->rows.size() == 3);
    CHECK(comparison.across->without_verdict.empty());
    const auto caveats = compare::caveats_of(comparison);
    CHECK(std::ranges::count(caveats, "a has no verdict on P, Q, R, S, T, U, V.") == 1);
    CHECK(compare::across_to_csv(comparison).find("no verdict of its own on P, Q, R") !=
          std::string::npos);
}

TEST_CASE("a line of mean ranks has its verdict against the best rank, baseline or not")
{
    std::vector<run::Cell> cells;
    for (std::size_t at = 0; at < task_names.size(); ++at)
        for (const auto& [encoder, lead] : {std::pair("a", std::size_t{at + 1}), {"b", 0}})
            cells.push_back(test::untrained(encoder, task_names[at], 200, 120 + lead));
    compare::Options options;
    options.across_tasks = true;
    options.baseline = "b";
    const auto comparison = compare::compare(compare::Results(std::move(cells)), options);
    const std::string csv = compare::across_to_csv(comparison);
    CHECK(csv.find("a,(over 7 tasks),mean rank,1,,,,,,7,,,,,,,,,,,,,1,1,,reference,,,,,,,,\n") ==
          0);
    CHECK(csv.find("b,(over 7 tasks),mean rank,2,,,,,,7,a,,,,,,,0.015625,tasks,,,,0,0,,worse,") !=
          std::string::npos);
    CHECK(compare::across_to_text(comparison, 1000)
              .find("against a, which has the best mean rank; the baseline, b, is that of each "
                    "task alone") != std::string::npos);
}

TEST_CASE("rows with one of two tasks do not take the other from those that have both")
{
    const auto block = compare::complete_block(
        {{true, false}, {true, true}, {true, false}, {true, true}, {true, false}});
    CHECK(block.rows == std::vector<std::size_t>{1, 3});
    CHECK(block.tasks == std::vector<std::size_t>{0, 1});
}

TEST_CASE("rows and tasks with holes are left out until nothing is missing")
{
    const auto block =
        compare::complete_block({{true, true, true}, {true, true, true}, {false, false, true}});
    CHECK(block.rows == std::vector<std::size_t>{0, 1});
    CHECK(block.tasks == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("where no two rows share two tasks, each says what keeps it from the first")
{
    const std::vector<run::Cell> cells = {
        test::untrained("a", "P", 200, 120), test::untrained("a", "Q", 200, 120),
        test::untrained("b", "P", 40, 30), test::untrained("b", "R", 200, 130)};
    const auto comparison = ranked(cells);
    REQUIRE(comparison.across.has_value());
    CHECK(comparison.across->rows.empty());
    CHECK(compare::left_out_in_words(*comparison.across) ==
          "a (no result: R), b against a (no result: Q; other test items: P)");
}
