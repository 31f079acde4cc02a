// A protocol that nobody here has heard of: its description is all that comparisons, slices, reports
// and exports need. Here the V-measures of ten clusterings, and a distance of which less is better.
#include "compare/assemble.hpp"
#include "compare/comparison.hpp"
#include "compare/formats.hpp"
#include "compare/mteb.hpp"
#include "made_cells.hpp"
#include "report/html.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

using namespace senteval;

namespace {

run::Cell clustering(const std::string& encoder, double level)
{
    test::MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"name", encoder}};
    cell.task = "NewsClustering";
    cell.headline = "v.measure";
    cell.settings = {{"protocol", "clustering"}, {"seed", 7}};
    cell.described = {
        {"v.measure", "V-measure", task::percent, 1, true, {"mean", ""}},
        {"spread", "distance within clusters", "distance", 3, false, {"mean", "distance"}}};
    cell.items.outcomes.kind = "value";
    cell.items.outcomes.groups = {""};
    cell.items.outcomes.further = {{"distance", {}}};
    double sum = 0;
    for (std::uint32_t split = 0; split < 10; ++split) {
        const double value = level + 0.01 * split + (split % 3 == 0 ? 0.002 : 0.0);
        sum += value / 10;
        cell.items.outcomes.rows.push_back({split, 0, 0, value, value});
        cell.items.outcomes.further[0].predictions.push_back(2 - value);
        cell.items.traits.push_back({0, 0, std::numeric_limits<float>::quiet_NaN(),
                                     std::numeric_limits<float>::quiet_NaN()});
    }
    cell.metrics = {{"v.measure", 100 * sum}, {"spread", 2 - sum}};
    return test::made(cell);
}

} // namespace

TEST_CASE("a new protocol needs no line in compare, report or exchange")
{
    const compare::Results results({clustering("good", 0.6), clustering("bad", 0.3)});
    compare::Options options;
    options.resampling.resamples = 2000;
    options.population = stats::Population::items; // of one seed nothing more is known
    for (const char* metric : {"", "spread"}) {
        options.metric = metric;
        const auto comparison = compare::compare(results, options);
        const auto& entries = comparison.tasks.at(0).entries;
        CHECK(entries[0].is_best);
        CHECK(entries[1].verdict == compare::Verdict::worse);
        CHECK(entries[1].difference.p_value < 0.05);
        CHECK(entries[0].score.interval.low < entries[0].score.value);
        CHECK(entries[0].score.interval.high > entries[0].score.value);
    }
    options.metric.clear();
    const auto comparison = compare::compare(results, options);
    CHECK(compare::to_terminal(comparison, {}).find("= good  64.6 ") != std::string::npos);
    CHECK(compare::to_latex(comparison).find("NewsClustering: V-measure, \\%") !=
          std::string::npos);

    compare::AssembleOptions assemble;
    assemble.resampling = options.resampling;
    const auto document = compare::assemble(results, comparison, assemble);
    CHECK(document.tasks.at(0).unit == "V-measure, %");
    CHECK(document.tasks.at(0).decimals == 1);
    CHECK(document.slices.empty()); // clusterings have no length
    CHECK(report::to_html(document).find("NewsClustering") != std::string::npos);

    std::vector<std::string> problems;
    const auto files = compare::to_mteb(results, problems);
    CHECK(problems.empty());
    REQUIRE(files.size() == 4);
    CHECK(files[1].content.at("scores").at("test").at(0).at("main_score") ==
          doctest::Approx(0.6458));
}
