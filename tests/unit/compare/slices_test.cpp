#include "compare/slices.hpp"
#include "made_cells.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

std::vector<compare::Slices> slices_of(std::vector<results::Cell> cells)
{
    const compare::Results results(std::move(cells));
    return compare::slices_of(results, compare::compare(results, {}));
}

const compare::Slices* find(const std::vector<compare::Slices>& all, const std::string& by)
{
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const auto& slices) { return slices.by.starts_with(by); });
    return at == all.end() ? nullptr : &*at;
}

} // namespace

TEST_CASE("single sentences are sliced by length and gold class")
{
    test::MadeCell cell;
    cell.items = test::class_items({{0, 0}, {0, 1}, {1, 1}, {1, 1}, {1, 0}}, {3, 4, 5, 9, 30});
    const auto all = slices_of({test::made(cell)});
    CHECK(all.size() == 2); // no unknown words, no pairs

    const auto* length = find(all, "sentence length");
    REQUIRE(length != nullptr);
    CHECK(length->parts == std::vector<std::string>{"≤ 4", "5–9", "≥ 30"});
    CHECK(length->items == std::vector<std::size_t>{2, 2, 1});
    REQUIRE(length->rows.size() == 1);
    CHECK(length->scores[0][0].value == doctest::Approx(50));
    CHECK(length->scores[0][1].value == doctest::Approx(100));
    CHECK(std::isnan(length->scores[0][1].interval.low)); // two items tell nothing

    const auto* label = find(all, "gold class");
    REQUIRE(label != nullptr);
    CHECK(label->parts == std::vector<std::string>{"no", "yes"});
    CHECK(label->scores[0][0].value == doctest::Approx(50));
    CHECK(label->scores[0][1].value == doctest::Approx(100 * 2.0 / 3));
}

TEST_CASE("pairs are sliced by the longer sentence and by overlap, over all subsets")
{
    test::MadeCell cell;
    cell.task = "STS12";
    cell.headline = "all.pearson.wmean";
    cell.metrics = {{"all", {{"pearson", {{"wmean", 0.5}}}}}};
    cell.settings = {{"protocol", "similarity"}};
    // Tokens 4, 5, ..., 13 and overlap 0, 0.1, ..., 0.9.
    cell.items = test::pair_items({{0, 0.1},
                                   {1, 0.3},
                                   {2, 0.2},
                                   {3, 0.5},
                                   {4, 0.4},
                                   {5, 0.7},
                                   {1, 0.1},
                                   {2, 0.2},
                                   {3, 0.3},
                                   {4, 0.4}},
                                  {0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
    const auto all = slices_of({test::made(cell)});
    const auto* length = find(all, "length of the longer");
    REQUIRE(length != nullptr);
    CHECK(length->parts == std::vector<std::string>{"≤ 4", "5–9", "10–14"});
    CHECK(length->items.back() == 4);
    CHECK(length->scores[0].back().value == doctest::Approx(1));
    CHECK(std::isnan(length->scores[0].front().value)); // one pair has no correlation

    const auto* overlap = find(all, "overlap");
    REQUIRE(overlap != nullptr);
    CHECK(overlap->items == std::vector<std::size_t>{3, 2, 2, 2, 1});
    CHECK(overlap->metric.axis() == "Pearson's r");
    CHECK(find(all, "share of unknown") == nullptr); // all in one part
}

TEST_CASE("vocabularies that divide the items differently get blocks of their own")
{
    test::MadeCell cell;
    cell.items = test::class_items({{0, 0}, {1, 1}, {1, 0}, {0, 1}}, {5, 5, 5, 5});
    for (auto& traits : cell.items.traits)
        traits.unknown = 0;
    cell.items.traits[0].unknown = 0.1F; // the share 1/10 is stored a little above it
    const auto first = test::made(cell);
    cell.encoder = "other";
    cell.items.traits[0].unknown = 0.6F;
    cell.items.traits[1].unknown = 0.2F;
    const auto all = slices_of({first, test::made(cell)});
    std::vector<const compare::Slices*> unknown;
    for (const auto& slices : all)
        if (slices.by.starts_with("share of unknown"))
            unknown.push_back(&slices);
    REQUIRE(unknown.size() == 2);
    CHECK(unknown[0]->rows == std::vector<std::string>{"glove"});
    CHECK(unknown[0]->parts == std::vector<std::string>{"0", "≤ 10"});
    CHECK(unknown[1]->parts == std::vector<std::string>{"0", "10–25", "> 50"});
}
