// Quality beside cost, and what smaller vectors lose.
#include "compare/cost.hpp"
#include "compare/loss.hpp"
#include "made_cells.hpp"
#include "support/support.hpp"

#include <fmt/format.h>

#include <tuple>

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
    std::vector<compare::Losses> losses;

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
    [[nodiscard]] const compare::VariantLoss& loss(const std::string& name) const
    {
        for (const compare::VariantLoss& variant : losses.at(0).variants)
            if (variant.name == name)
                return variant;
        FAIL("no variant ", name);
        return losses.at(0).variants.at(0);
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
    auto losses = compare::losses_of(results, comparison);
    return {std::move(results), std::move(comparison), std::move(all), std::move(losses)};
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
    CHECK_FALSE(all.costs.is_empty());
    CHECK(found({cell("m", "A", 300, 384)}, {}).costs.is_empty());
}

TEST_CASE("what a client measures is of another computer than what is measured whole")
{
    const auto here = cell("here", "A", 300, 100);
    auto server = cell("server", "A", 280, 100);
    server.result.encoder.id = "senteval.http";
    const Found all = found({here, server}, {cost(here, "x", 10, 50), cost(server, "x", 100, 50)});
    REQUIRE(all.costs.computers.size() == 2);
    CHECK(all.costs.computers[0] == "x, 2 threads");
    CHECK(all.of("server").measured->computer == all.costs.computers[1]);
}

TEST_CASE("a variant that fails ends its family, not the other")
{
    auto cells = with_variants();
    for (const auto& [label, dimension, right] :
         {std::tuple("int8", 384, 298U), std::tuple("binary", 384, 240U),
          std::tuple("32", 32, 260U)})
        for (const char* task : {"A", "B"})
            cells.push_back(
                cell("m", task, *task == 'A' ? right : 200, std::size_t(dimension), label));
    const Found all = found(cells, {}, 1.5);
    REQUIRE(all.losses.size() == 1);
    std::vector<std::pair<std::string, std::string>> verdicts;
    for (const auto& variant : all.losses[0].variants)
        verdicts.emplace_back(variant.name, variant.verdict);
    CHECK(verdicts == std::vector<std::pair<std::string, std::string>>{{"int8", "equal"},
                                                                       {"binary", "worse"},
                                                                       {"256", "equal"},
                                                                       {"32", "worse"},
                                                                       {"128:int8", "not tested"},
                                                                       {"64:binary", "worse"}});
    CHECK(all.losses[0].variants.at(*all.losses[0].smallest).name == "int8");
    CHECK(all.loss("128:int8").share == doctest::Approx(1 / 12.0));
    const Found alone = found(with_variants(), {}, 1.5);
    CHECK(alone.losses[0].variants.at(*alone.losses[0].smallest).name == "128:int8");
    CHECK(alone.losses[0].open == compare::Open::no);
    const Found narrow = found(with_variants(), {}, 0.2); // half a point is not within
    CHECK(narrow.loss("256").verdict == "equal");
    CHECK(narrow.loss("128:int8").verdict == "undecided");
    CHECK(found(with_variants(), {}).loss("256").verdict.empty());
    CHECK(found({cell("m", "A", 300, 384), cell("m", "A", 350, 256, "256")}, {}, 1)
              .loss("256")
              .verdict == "better");
}

TEST_CASE("the mean loss has a paired interval over the tasks, which are independent")
{
    const Found all = found(with_variants(), {});
    const compare::VariantLoss& small = all.loss("64:binary");
    const double share = 50 / 400.0; // of the items of A, of which only the full vectors are right
    const double half =
        stats::t_quantile(0.05, 399) * 100 * std::sqrt((share - share * share) / 399) / 2;
    CHECK(small.mean == doctest::Approx(6.25));
    CHECK(small.interval.low == doctest::Approx(6.25 - half));
    CHECK(small.interval.high == doctest::Approx(6.25 + half));
    CHECK(all.losses[0].tasks[small.worst].task == "A");
    CHECK(small.verdict == "worse");
    CHECK(all.losses[0].loss(0, all.row("m 64:binary")) == doctest::Approx(12.5));
}

TEST_CASE("a task without a value or a verdict leaves none on the mean; each unit has its own")
{
    auto cells = with_variants();
    cells.pop_back(); // 64:binary on B
    const Found missing = found(cells, {}, 1.5);
    CHECK(std::isnan(missing.loss("64:binary").mean));
    CHECK(missing.loss("64:binary").verdict == "undecided");
    for (const char* variant : {"", "256"}) {
        cells.push_back(cell("m", "C", *variant == 0 ? 20 : 15, 256, variant));
        cells.back().items.outcomes.rows.resize(20);
        cells.back().items.traits.resize(20);
        results::Cell pairs = test::scored("m", "D", {{1, 1}, {2, 3}, {3, 2}});
        pairs.result.protocol = cells.back().result.protocol;
        pairs.result.protocol.fingerprint += "D";
        pairs.result.dimension = 256;
        cells.push_back(std::move(pairs));
    }
    const Found all = found(cells, {}, 1.5);
    REQUIRE(all.losses.size() == 2);
    CHECK(all.losses[0].tasks.size() == 3);
    CHECK(all.losses[1].tasks.at(0).task == "D");
    CHECK(all.loss("256").verdict == "no verdict");
    CHECK(std::isnan(all.loss("256").interval.low));
    CHECK(all.losses[0].open == compare::Open::few_items);
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
    CHECK(all.of("m").quality == doctest::Approx(62.5));
    CHECK(all.of("m").undefined.empty());
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
