#include "compare/assemble.hpp"
#include "core/error.hpp"
#include "made_cells.hpp"
#include "report/html.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace senteval;

namespace {

report::Document assembled(std::vector<run::Cell> cells)
{
    compare::Results results(std::move(cells));
    compare::Options options;
    options.resampling.resamples = 200;
    compare::AssembleOptions assemble;
    assemble.program = "senteval 0";
    assemble.groups = {{"CR", "transfer"}, {"MR", "transfer"}, {"Length", "probing"}};
    assemble.resampling = options.resampling;
    return compare::assemble(results, compare::compare(results, options), assemble);
}

test::MadeCell cell_of(const std::string& encoder, const std::string& task, double accuracy)
{
    test::MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"vectors", "/somewhere/" + encoder + ".txt"}};
    cell.task = task;
    cell.metrics = {{"acc", accuracy}, {"devacc", 1.0}, {"deep", {{"er", 2.0}}}};
    std::vector<std::pair<int, int>> outcomes;
    for (int i = 0; i < 100; ++i)
        outcomes.emplace_back(1, i < accuracy ? 1 : 0);
    cell.items = test::class_items(outcomes, std::vector<std::uint32_t>(100, 5));
    return cell;
}

} // namespace

TEST_CASE("scores, intervals, ties, further metrics and seconds fill the report")
{
    const auto untrained = [](const std::string& encoder, const std::string& task,
                              double accuracy) {
        auto cell = cell_of(encoder, task, accuracy);
        cell.settings = {{"protocol", "similarity"}};
        return test::made(cell);
    };
    const auto document = assembled(
        {untrained("good", "CR", 80), untrained("bad", "CR", 50), untrained("good", "Own", 70)});
    REQUIRE(document.encoders.size() == 2);
    REQUIRE(document.tasks.size() == 2);
    CHECK(document.tasks[0].group == "transfer");
    CHECK(document.tasks[1].group == "custom");
    CHECK(document.tasks[0].unit == "accuracy, %");
    CHECK(document.tasks[0].items == 100);
    CHECK(document.encoders[0].identity == "test.encoder 1, vectors=good.txt");
    CHECK(document.subtitle == "senteval 0 · results up to 2026-01-31");

    const auto& best = document.cell(0, 0);
    CHECK(best.best);
    CHECK(best.score.value == 80);
    CHECK(best.score.low == doctest::Approx(71.11).epsilon(1e-3)); // Wilson, 80 of 100
    CHECK(best.score.high == doctest::Approx(86.66).epsilon(1e-3));
    CHECK(best.metrics == std::map<std::string, double>{{"acc", 80.0}, {"devacc", 1.0}});
    CHECK(best.seconds ==
          std::vector<std::pair<std::string, double>>{{"load", 1.0}, {"embed", 2.0}});
    CHECK_FALSE(document.cell(1, 0).tied);
    CHECK(document.cell(1, 0).p_versus_best < 0.001);
    CHECK_FALSE(document.cell(1, 1).score.known());

    CHECK(document.correlations.tasks.empty()); // two encoders say nothing
    CHECK_FALSE(document.published.empty());    // CR is among them
    CHECK(document.provenance.size() == 5);     // runs, protocols, two encoders, data
    CHECK(report::to_html(document).find("senteval 0") != std::string::npos);
}

TEST_CASE("without a verdict the report marks no best, and draws no difference")
{
    auto good = cell_of("good", "Own", 80);
    auto bad = cell_of("bad", "Own", 50);
    const auto document = assembled({test::made(good), test::made(bad)});
    REQUIRE_FALSE(document.cell(1, 0).undecided.empty());
    CHECK_FALSE(document.cell(0, 0).best);
    CHECK(std::isnan(document.cell(1, 0).p_versus_best));
    CHECK_FALSE(document.cell(1, 0).difference.has_interval());
    const std::string page = report::to_html(document);
    CHECK(page.find("<td class=\"best\"") == std::string::npos);
    CHECK(page.find("no verdict: one seed") != std::string::npos);
    CHECK(page.find("id=\"differences\"") == std::string::npos);
}

TEST_CASE("an encoder at several dimensions is a curve, with itself in it")
{
    auto small = cell_of("glove", "CR", 60);
    small.settings["projection"] = {{"kind", "random"}, {"dimension", 10}, {"seed", 1111}};
    small.projected_to = 10;
    const auto document = assembled({test::made(cell_of("glove", "CR", 80)), test::made(small),
                                     test::made(cell_of("unprojected", "CR", 50))});
    REQUIRE(document.encoders.size() == 3);
    CHECK(document.encoders[0].name == "glove");
    CHECK(document.encoders[0].dimension == 100);
    CHECK(document.encoders[1].name == "glove @10 random");
    CHECK(document.encoders[1].dimension == 10);
    REQUIRE(document.dimension_curves.size() == 1);
    const auto& curves = document.dimension_curves[0];
    CHECK(curves.projection == "random projection");
    CHECK(curves.dimensions == std::vector<std::size_t>{10, 100});
    REQUIRE(curves.encoders.size() == 1);
    CHECK(curves.encoders[0].name == "glove");
    CHECK(curves.encoders[0].values[0].value == 60);
    CHECK(curves.encoders[0].values[1].value == 80);
}

TEST_CASE("tasks are correlated over encoders, once each, and transfer is set against probing")
{
    const auto document =
        assembled({test::made(cell_of("a", "CR", 50)), test::made(cell_of("b", "CR", 60)),
                   test::made(cell_of("c", "CR", 70)), test::made(cell_of("a", "Length", 30)),
                   test::made(cell_of("b", "Length", 20)), test::made(cell_of("c", "Length", 10))});
    REQUIRE(document.correlations.tasks.size() == 2);
    CHECK(document.correlations.r[1] == doctest::Approx(-1));
    CHECK(document.correlations.n[1] == 3);
    CHECK(std::any_of(document.methods.begin(), document.methods.end(), [](const auto& text) {
        return text.find("transfer task and the order by a probing task correlate by -1.00") !=
               std::string::npos;
    }));
}

TEST_CASE("two classifiers stand side by side, and learned beside unlearned similarity")
{
    const auto under = [](test::MadeCell cell, const std::string& classifier) {
        cell.settings = {
            {"protocol", "nested"}, {"seed", 1}, {"classifier", {{"classifier", classifier}}}};
        return test::made(cell);
    };
    test::MadeCell plain;
    plain.task = "STSBenchmarkUnsupervised";
    plain.headline = "pearson";
    plain.metrics = {{"pearson", 0.5}};
    plain.settings = {{"protocol", "similarity"}};
    plain.parameters = {{"vectors", "/somewhere/a.txt"}};
    plain.encoder = "a";
    plain.items = test::pair_items({{1, 0.1}, {2, 0.2}, {3, 0.4}}, {0, 0, 0});
    auto learned = plain;
    learned.task = "STSBenchmark";
    learned.metrics = {{"pearson", 0.7}, {"mse", 1.25}};
    learned.settings = {{"protocol", "relatedness"}, {"seed", 1}};
    auto trained = test::made(learned); // on more files than are scored
    trained.document["data"]["files"] = {{"train.txt", "4567"},
                                         {"STSBenchmarkUnsupervised.txt", "0123"}};
    const auto document =
        assembled({under(cell_of("a", "CR", 60), "softmax"), under(cell_of("a", "CR", 65), "mlp"),
                   under(cell_of("b", "CR", 62), "softmax"), test::made(plain), trained});
    REQUIRE(document.side_by_side.size() == 2);
    const auto& similarity = document.side_by_side[0];
    REQUIRE(similarity.rows.size() == 1); // both rows of "a" have the same results
    CHECK(similarity.rows[0].left == 0.7);
    CHECK(similarity.rows[0].right == 0.5);
    CHECK(similarity.rows[0].encoder.find("MSE 1.250") != std::string::npos);
    const auto& classifiers = document.side_by_side[1];
    CHECK(classifiers.left == "softmax");
    CHECK(classifiers.right == "mlp");
    REQUIRE(classifiers.rows.size() == 1);
    CHECK(classifiers.rows[0].encoder == "a");
    CHECK(classifiers.rows[0].right == 65);
    CHECK(std::isnan(classifiers.rows[0].left_rank)); // of one row there is no order
}

TEST_CASE("side by side only what can be compared is ranked, and equal results share a rank")
{
    const auto cells_under = [](const std::string& classifier) {
        std::vector<run::Cell> cells;
        for (const auto& [encoder, right] : {std::pair("a", 60), std::pair("b", 62),
                                             std::pair("b's twin", 62), std::pair("few", 30)}) {
            auto cell = cell_of(encoder, "CR", right);
            const int items = cell.encoder == "few" ? 90 : 100; // of other test items
            std::vector<std::pair<int, int>> outcomes;
            for (int i = 0; i < items; ++i)
                outcomes.emplace_back(1, i < right ? 1 : 0);
            cell.items = test::class_items(
                outcomes, std::vector<std::uint32_t>(static_cast<std::size_t>(items), 1));
            cell.settings = {
                {"protocol", "nested"}, {"seed", 1}, {"classifier", {{"classifier", classifier}}}};
            cells.push_back(test::made(cell));
        }
        return cells;
    };
    auto cells = cells_under("softmax");
    for (const run::Cell& cell : cells_under("mlp"))
        cells.push_back(cell);
    const auto document = assembled(cells);
    REQUIRE(document.side_by_side.size() == 1);
    const auto& rows = document.side_by_side[0].rows;
    REQUIRE(rows.size() == 4);
    const auto unranked = static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [](const auto& row) { return std::isnan(row.left_rank); }));
    CHECK(unranked == 1);
    for (const auto& row : rows) {
        CAPTURE(row.encoder);
        if (row.encoder == "few")
            CHECK(std::isnan(row.right_rank));
        else
            CHECK(row.left_rank == (row.encoder == "a" ? 3 : 1.5));
    }
}

TEST_CASE("the spread over seeds is split between encoder and classifier")
{
    std::vector<run::Cell> cells;
    // Scores add up from the two seeds: no interaction.
    for (const int encoder : {0, 1})
        for (const int classifier : {0, 1}) {
            auto cell = cell_of("random " + std::to_string(encoder), "CR",
                                60 + 4 * encoder + 2 * classifier);
            cell.parameters = core::Json::object(); // of a default nothing is written down
            if (encoder > 0)
                cell.parameters = {{"seed", encoder}};
            cell.settings["seed"] = classifier;
            cells.push_back(test::made(cell));
        }
    const auto document = assembled(std::move(cells));
    REQUIRE(document.seeds.size() == 1);
    const auto& spread = document.seeds[0];
    CHECK(spread.encoder == "random 0 and 1 with other seeds");
    CHECK(spread.runs == 4);
    CHECK(spread.mean == 63);
    CHECK(spread.encoder_seed == doctest::Approx(8));    // variance of 61 and 65
    CHECK(spread.classifier_seed == doctest::Approx(2)); // of 62 and 64
    CHECK(spread.interaction == doctest::Approx(0));
    CHECK(spread.test_sampling > 20); // 100 p (1 - p), in per cent
}

TEST_CASE("a score that published figures do not compare with takes them from no other row")
{
    auto clean = test::made(cell_of("clean", "CR", 80));
    auto seen = test::made(cell_of("seen", "CR", 70));
    seen.document["overlap"] = {{"items", 3}, {"of", 100}};
    auto doubtful = test::made(cell_of("doubtful", "CR", 60));
    doubtful.document["data"]["doubts"] = {"CR.txt has 600 lines"};
    const auto document = assembled({clean, seen});
    CHECK_FALSE(document.published.empty());
    CHECK(document.cell(0, 0).is_of_published_set());
    CHECK(document.cell(1, 0).trained_on == "trained on sentences of 3 of 100 test items");
    CHECK_FALSE(document.cell(1, 0).is_of_published_set());
    const std::string page = report::to_html(document);
    std::string published = page.substr(page.find("<section id=\"published\""));
    published.resize(published.find("</section>"));
    CHECK(published.find(">clean</bdi>") != std::string::npos);
    CHECK(published.find(">seen</bdi>") == std::string::npos);
    CHECK(assembled({seen, doubtful}).published.empty());
}

TEST_CASE("published figures never stand beside a score on other data, and the page says so")
{
    auto clean = test::made(cell_of("clean", "CR", 80));
    auto doubtful = test::made(cell_of("doubtful", "CR", 60));
    doubtful.document["data"]["doubts"] = {"CR.txt has 600 lines"};
    const auto says_so = [](const report::Document& document) {
        return std::any_of(
            document.methods.begin(), document.methods.end(), [](const std::string& text) {
                return text.find("Published figures are left out on CR") != std::string::npos;
            });
    };
    const auto mixed = assembled({clean, doubtful});
    CHECK(mixed.published.empty());
    CHECK(says_so(mixed));
    const auto alone = assembled({clean});
    CHECK_FALSE(alone.published.empty());
    CHECK_FALSE(says_so(alone));
}
