// A protocol that nobody here has heard of: its description is all that comparisons, slices, reports
// and exports need. Here the V-measures of ten clusterings, and a distance of which less is better.
#include "compare/comparison.hpp"
#include "compare/slices.hpp"
#include "exchange/mteb.hpp"
#include "made_cells.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

results::Cell clustering(const std::string& encoder, double level)
{
    test::MadeCell cell;
    cell.encoder = encoder;
    cell.parameters = {{"name", encoder}};
    cell.task = "NewsClustering";
    cell.headline = "v.measure";
    cell.settings = {{"protocol", "clustering"}, {"seed", 7}};
    cell.described = {
        {"v.measure", "V-measure", results::percent, 1, true, {"mean", ""}},
        {"spread", "distance within clusters", "distance", 3, false, {"mean", "distance"}}};
    cell.items.outcomes.kind = "value";
    cell.items.outcomes.groups = {""};
    cell.items.outcomes.further = {{"distance", {}}};
    double sum = 0;
    for (std::uint32_t split = 0; split < 40; ++split) {
        const double value =
            level + 0.0025 * split + (split % (encoder == "good" ? 3 : 4) == 0 ? 0.002 : 0.0);
        sum += value / 40;
        cell.items.outcomes.rows.push_back({split, 0, 0, value, value});
        cell.items.outcomes.further[0].predictions.push_back(2 - value);
        cell.items.traits.push_back({0, 0, std::numeric_limits<float>::quiet_NaN(),
                                     std::numeric_limits<float>::quiet_NaN()});
    }
    cell.metrics = {{"v.measure", 100 * sum}, {"spread", 2 - sum}};
    return test::made(cell);
}

} // namespace

TEST_CASE("a new protocol needs no line in compare or exchange")
{
    const compare::Results results({clustering("good", 0.6), clustering("bad", 0.3)});
    compare::Options options;
    options.items_only = true; // of one seed nothing more is known
    for (const char* metric : {"", "spread"}) {
        options.metric = metric;
        const auto comparison = compare::compare(results, options);
        const auto& entries = comparison.tasks.at(0).entries;
        CHECK(entries[1].verdict == compare::Verdict::reference);
        CHECK(entries[0].verdict == compare::Verdict::worse);
        CHECK(entries[0].difference.p_adjusted < 0.05);
        CHECK(entries[0].score.interval.low < entries[0].score.value);
        CHECK(entries[0].score.interval.high > entries[0].score.value);
    }
    CHECK(compare::slices_of(results, compare::compare(results, {})).empty()); // of no length

    std::vector<std::string> problems;
    const auto files = exchange::to_mteb(results, problems);
    CHECK(problems.empty());
    REQUIRE(files.size() == 4);
    CHECK(files[1].content.at("scores").at("test").at(0).at("main_score").is_number());
}

TEST_CASE("a mean over experiments is told without its items")
{
    test::MadeCell cell;
    cell.described = {
        {"acc", "accuracy", results::percent, 2, true, {"accuracy", "experiment", {}}}};
    cell.described.front().source.fits = 10;
    const compare::Comparison table =
        compare::tabulate(compare::Results({test::made(cell)}), {}, {});
    CHECK(table.tasks.at(0).entries.at(0).score.value == 75);
}
