// Quality beside cost: what dominates what, and which variant is as good as all of the vector.
#include "compare/cost.hpp"
#include "made_cells.hpp"
#include "support/support.hpp"

#include <fmt/format.h>

using namespace senteval;

namespace {

/// Of 400 items the first `right` are right; of a variant where there is a label.
results::Cell cell(const std::string& encoder,
                   const std::string& task,
                   std::size_t right,
                   std::size_t dimension,
                   const std::string& variant = {})
{
    results::Cell one = test::untrained(encoder, task, 400, right);
    one.result.dimension = dimension;
    if (!variant.empty()) {
        const std::string precision = variant.substr(variant.rfind(':') + 1);
        one.result.protocol.settings["variant"] = {{"label", variant}, {"precision", precision}};
        one.result.protocol.fingerprint = task + variant;
    }
    return one;
}

results::Cost cost(const results::Cell& of, const std::string& where, double speed, int megabytes)
{
    results::Cost one;
    one.encoder = of.result.encoder;
    one.where = where;
    one.threads = 2;
    one.sentences_per_second = speed;
    one.peak_bytes = static_cast<std::uint64_t>(megabytes) << 20U;
    return one;
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

Found found(std::vector<results::Cell> cells, std::vector<results::Cost> costs, double margin = 0)
{
    compare::Results results(std::move(cells));
    results.know_costs(std::move(costs));
    compare::Options options;
    options.margin = margin;
    auto comparison = compare::compare(results, options);
    auto all = compare::costs_of(results, comparison);
    return {std::move(results), std::move(comparison), std::move(all)};
}

std::vector<results::Cell> with_variants()
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
    const std::vector<results::Cell> cells = {good, quick, poor};
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
    CHECK(apart.dominator("quick").empty()); // no time can be compared
    CHECK(apart.costs.computers.size() == 2);
    CHECK(found(cells, {cost(good, "x", 10, 50)}).dominator("quick").empty()); // it may be quicker
    const Found near =
        found(cells, {cost(good, "x", 99, 50), cost(quick, "x", 100, 50), cost(poor, "x", 90, 0)});
    CHECK(near.dominator("quick") == "good"); // 1 % of time is a tie
    CHECK(near.dominator("poor").empty());    // of which no memory is known
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

TEST_CASE("the measurements of other computers stay, the latest of each")
{
    const auto dated = [&](const std::string& computer, double speed, const char* date) {
        results::Cost one = cost(cell("m", "A", 300, 384), computer, speed, 50);
        one.date = date;
        return one;
    };
    const Found all = found(with_variants(), {dated("x", 3, "2026-03"), dated("y", 1, "2026-01"),
                                              dated("y", 2, "2026-02"), dated("x", 4, "2026-01")});
    CHECK(all.of("m").measured->per_second == 3);
    REQUIRE(all.of("m").elsewhere.size() == 1);
    CHECK(all.of("m").elsewhere.front().per_second == 2);
    CHECK(all.costs.computers.size() == 1);
}

TEST_CASE("a row whose score is undefined is left out of quality, not the others")
{
    auto cells = with_variants();
    cells.push_back(cell("m", "A", 300, 1, "1"));
    cells.back().result.metrics["acc"] = nullptr;
    cells.push_back(cell("m", "B", 200, 1, "1"));
    const Found all = found(cells, {});
    CHECK(all.costs.tasks == std::vector<std::string>{"A", "B"});
    CHECK(std::isnan(all.of("m 1").quality));
    CHECK(all.of("m 1").undefined == std::vector<std::string>{"A"});
    CHECK(all.of("m 1").dominated_by == std::nullopt);
    CHECK(all.of("m").quality == doctest::Approx(62.5));
    CHECK(all.of("m").undefined.empty());
}

TEST_CASE("a verdict names what it stopped at and why, and what it did not test")
{
    auto cells = with_variants();
    cells[2] = cell("m", "A", 350, 256, "256");
    cells.erase(cells.begin() + 3); // no result on B
    const Found all = found(cells, {}, 1.5);
    const compare::VariantVerdict& verdict = all.costs.verdicts.front();
    CHECK_FALSE(verdict.smallest);
    CHECK(*verdict.stopped == all.row("m 256"));
    CHECK(verdict.better == std::vector<std::string>{"A"});
    CHECK(verdict.missing == std::vector<std::string>{"B"});
    CHECK(verdict.outside.empty());
    CHECK(verdict.tested == std::vector{all.row("m 256")});
    CHECK(verdict.untested == std::vector{all.row("m 128:int8"), all.row("m 64:binary")});
}

TEST_CASE("rows stand by encoder, all of the vector first, then from large to small")
{
    auto cells = with_variants();
    cells.push_back(cell("m", "A", 300, 384, "float16"));
    cells.push_back(cell("m", "A", 300, 192, "192"));
    cells.push_back(cell("a", "A", 300, 100));
    cells.push_back(cell("m2", "A", 300, 100));
    CHECK(found(cells, {}).comparison.rows ==
          std::vector<std::string>{"a", "m", "m 256", "m float16", "m 192", "m 128:int8",
                                   "m 64:binary", "m2"});
}

TEST_CASE("bytes are a whole fraction of the full ones from a half on, or a share")
{
    const auto text = [](std::size_t dimension) {
        const Found all = found(
            {cell("m", "A", 300, 384), cell("m", "A", 300, dimension, std::to_string(dimension))},
            {}, 1);
        return text_of(all.costs.verdicts.front(), all.costs, all.comparison);
    };
    CHECK(text(192).ends_with("at 1/2 of the bytes"));
    CHECK(text(320).ends_with("at 83 % of the bytes"));
    CHECK(text(7).ends_with("at 1.8 % of the bytes"));
}
