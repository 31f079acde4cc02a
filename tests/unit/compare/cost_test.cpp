// Quality beside cost: what dominates what, and which variant is as good as all of the vector.
#include "compare/cost.hpp"
#include "made_cells.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

using namespace senteval;

namespace {

/// Of 400 items the first `right` are right; of a variant where there is a label.
run::Cell cell(const std::string& encoder,
               const std::string& task,
               std::size_t right,
               std::size_t dimension,
               const std::string& variant = {})
{
    run::Cell one = test::untrained(encoder, task, 400, right);
    one.document["dimension"] = dimension;
    if (!variant.empty()) {
        one.document["protocol"]["settings"]["variant"] = {{"label", variant}};
        one.document["protocol"]["fingerprint"] = task + variant;
    }
    return one;
}

core::Json cost(const run::Cell& of, const std::string& computer, double speed, int megabytes)
{
    return {{"schema", "senteval-cost/1"},   {"encoder", of.document.at("encoder")},
            {"computer", computer},          {"threads", 2},
            {"sentences_per_second", speed}, {"peak_bytes", megabytes << 20}};
}

struct Found {
    compare::Results results;
    compare::Comparison comparison;
    compare::Costs costs;

    [[nodiscard]] std::size_t row(const std::string& label) const
    {
        for (std::size_t at = 0; at < comparison.rows.size(); ++at)
            if (comparison.rows[at] == label)
                return at;
        FAIL("no row ", label, " among ", fmt::format("{}", fmt::join(comparison.rows, "|")));
        return 0;
    }
    [[nodiscard]] const compare::CostRow& of(const std::string& label) const
    {
        return costs.rows[row(label)];
    }
    [[nodiscard]] std::string dominator(const std::string& label) const
    {
        const auto by = of(label).dominated_by;
        return by ? comparison.rows[*by] : "";
    }
};

Found found(std::vector<run::Cell> cells, std::vector<core::Json> costs, double margin = 0)
{
    compare::Results results(std::move(cells));
    results.know_costs(std::move(costs));
    compare::Options options;
    options.margin = margin;
    auto comparison = compare::compare(results, options);
    auto all = compare::costs_of(results, comparison);
    return {std::move(results), std::move(comparison), std::move(all)};
}

std::vector<run::Cell> with_variants()
{
    return {cell("m", "A", 300, 384),
            cell("m", "B", 200, 384),
            cell("m", "A", 300, 256, "256"),
            cell("m", "B", 200, 256, "256"),
            cell("m", "A", 299, 128, "128:int8"),
            cell("m", "B", 200, 128, "128:int8"),
            cell("m", "A", 250, 64, "64:binary"),
            cell("m", "B", 200, 64, "64:binary")};
}

} // namespace

TEST_CASE("bytes are of a vector in its precision, quality is the mean in points")
{
    const Found all = found(with_variants(), {});
    CHECK(all.of("m").bytes == 1536);
    CHECK(all.of("m 256").bytes == 1024);
    CHECK(all.of("m 128:int8").bytes == 128);
    CHECK(all.of("m 64:binary").bytes == 8);
    CHECK(all.of("m").quality == doctest::Approx((75 + 50) / 2.0));
    // of shares, of two tasks
    CHECK(all.of("m").standard_error ==
          doctest::Approx(100 * std::sqrt(0.75 * 0.25 / 400 + 0.25 / 400) / 2));
    CHECK(all.of("m 256").full == all.row("m"));
    CHECK(all.costs.tasks == std::vector<std::string>{"A", "B"});
    CHECK(all.dominator("m") == "m 256"); // the same quality in fewer bytes
    CHECK(all.dominator("m 128:int8").empty());
    CHECK(all.costs.verdicts.empty());
    CHECK_FALSE(all.costs.is_empty());
    CHECK(found({cell("m", "A", 300, 384)}, {}).costs.is_empty());
}

TEST_CASE("speed and memory count between rows of one computer")
{
    const auto good = cell("good", "A", 300, 100);
    const auto quick = cell("quick", "A", 280, 100);
    const auto poor = cell("poor", "A", 270, 100);
    const std::vector<run::Cell> cells = {good, quick, poor};
    CHECK(found(cells, {}).dominator("quick") == "good");
    const Found same =
        found(cells, {cost(good, "x", 10, 50), cost(quick, "x", 100, 50), cost(poor, "x", 90, 60)});
    CHECK(same.dominator("good").empty());
    CHECK(same.dominator("quick").empty());
    CHECK(same.dominator("poor") == "quick");
    CHECK(same.costs.computers.size() == 1);
    CHECK(same.of("quick").measured->per_second == 100);
    const Found other =
        found(cells, {cost(good, "x", 10, 50), cost(quick, "y", 100, 50), cost(quick, "x", 5, 50)});
    CHECK(other.dominator("quick") == "good"); // the latest
    const Found apart = found(cells, {cost(good, "x", 10, 50), cost(quick, "y", 100, 50)});
    CHECK(apart.dominator("quick") == "good"); // by quality: no time is compared
    CHECK(apart.costs.computers.size() == 2);
}

TEST_CASE("variants are within the margin from large to small, until one is not")
{
    const Found all = found(with_variants(), {}, 1.5);
    REQUIRE(all.costs.verdicts.size() == 1);
    const compare::VariantVerdict& verdict = all.costs.verdicts.front();
    CHECK(verdict.full == all.row("m"));
    REQUIRE(verdict.smallest);
    CHECK(*verdict.smallest == all.row("m 128:int8"));
    REQUIRE(verdict.stopped);
    CHECK(*verdict.stopped == all.row("m 64:binary"));
    CHECK(verdict.outside == std::vector<std::string>{"A"});
    CHECK(text_of(verdict, all.costs, all.comparison)
              .starts_with("m 128:int8 is within 1.5 points of the full vectors on all 2 tasks, at "
                           "1/12 of the bytes"));

    const Found narrow = found(with_variants(), {}, 0.2); // half a point is not within
    CHECK(*narrow.costs.verdicts.front().smallest == narrow.row("m 256"));
    CHECK(*narrow.costs.verdicts.front().stopped == narrow.row("m 128:int8"));
}
