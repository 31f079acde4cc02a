#include "compare/slices.hpp"
#include "made_cells.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

using namespace senteval;

namespace {

std::vector<report::Slices> slices_of(std::vector<run::Cell> cells,
                                      const std::string& baseline = "",
                                      std::optional<stats::Population> population = {})
{
    const compare::Results results(std::move(cells));
    compare::Options options;
    options.baseline = baseline;
    options.population = population;
    options.resampling.resamples = 200;
    return compare::slices_of(results, compare::compare(results, options), options.resampling);
}

const report::Slices* find(const std::vector<report::Slices>& all, const std::string& by)
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
    REQUIRE(length->encoders.size() == 1);
    CHECK(length->encoders[0].values[0].value == doctest::Approx(50));
    CHECK(length->encoders[0].values[1].value == doctest::Approx(100));
    CHECK_FALSE(length->encoders[0].values[1].has_interval()); // two items tell nothing

    const auto* label = find(all, "gold class");
    REQUIRE(label != nullptr);
    CHECK(label->parts == std::vector<std::string>{"no", "yes"});
    CHECK(label->encoders[0].values[0].value == doctest::Approx(50));
    CHECK(label->encoders[0].values[1].value == doctest::Approx(100 * 2.0 / 3));
}

TEST_CASE("pairs are sliced by the longer sentence and by overlap, over all subsets")
{
    test::MadeCell cell;
    cell.task = "STS12";
    cell.headline = "all.pearson.wmean";
    cell.metrics = {{"all", {{"pearson", {{"wmean", 0.5}}}}}};
    cell.settings = {{"protocol", "similarity"}};
    // Tokens 4, 5, ..., 13 and overlap 0, 0.1, ..., 0.9; the last four pairs have >= 10 tokens.
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
    CHECK(length->parts == std::vector<std::string>{"≤ 4", "5", "6", "7", "8", "9", "≥ 10"});
    CHECK(length->items.back() == 4);
    CHECK(length->encoders[0].values.back().value == doctest::Approx(1));
    CHECK_FALSE(length->encoders[0].values.front().known()); // one pair has no correlation

    const auto* overlap = find(all, "overlap");
    REQUIRE(overlap != nullptr);
    CHECK(overlap->items == std::vector<std::size_t>{3, 2, 2, 2, 1});
    CHECK(overlap->unit == "Pearson's r");
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
    std::vector<const report::Slices*> unknown;
    for (const auto& slices : all)
        if (slices.by.starts_with("share of unknown"))
            unknown.push_back(&slices);
    REQUIRE(unknown.size() == 2);
    CHECK(unknown[0]->by == "share of unknown words, %; glove");
    CHECK(unknown[0]->parts == std::vector<std::string>{"0", "≤ 10"});
    CHECK(unknown[1]->parts == std::vector<std::string>{"0", "10–25", "> 50"});

    const auto text = compare::slices_to_terminal(all, 100);
    CHECK(text.find("CR by share of unknown words, %; other") != std::string::npos);
    CHECK(text.find("> 50   1 item\n") != std::string::npos);
    const auto json = compare::slices_to_json(all);
    CHECK(json.size() == all.size());
    CHECK(json.at(0).at("parts").at(0).at("scores").at(0).at("encoder") == "glove");
}

TEST_CASE("parts with items enough have Wilson's interval, and a paired difference to the best")
{
    std::vector<std::pair<int, int>> right(80, {1, 1});
    std::vector<std::uint32_t> tokens(80, 3);
    std::fill(tokens.begin() + 40, tokens.end(), 30);
    test::MadeCell good;
    good.encoder = "good";
    good.items = test::class_items(right, tokens);
    good.metrics = {{"acc", 100.0}};
    good.settings = {{"protocol", "similarity"}}; // nothing is trained
    test::MadeCell bad = good;
    bad.encoder = "bad";
    bad.parameters = {{"name", "bad"}};
    bad.metrics = {{"acc", 75.0}};
    for (std::size_t i = 0; i < 20; ++i)
        right[i].second = 0;
    bad.items = test::class_items(right, tokens);
    const auto all = slices_of({test::made(good), test::made(bad)});
    const auto* length = find(all, "sentence length");
    REQUIRE(length != nullptr);
    CHECK(length->reference == "good");
    // Wilson, 40 of 40: low = n / (n + z^2) = 40 / 43.8415
    CHECK(length->encoders[0].values[0].low == doctest::Approx(91.238).epsilon(1e-4));
    CHECK_FALSE(length->differences[0].values[0].known());
    CHECK(length->differences[1].values[0].value == doctest::Approx(-50));
    CHECK(length->differences[1].values[0].high < 0);
    CHECK(length->differences[1].values[1].value == doctest::Approx(0));
}

TEST_CASE("of one seed a slice has no interval of differences, and the block says why")
{
    const auto cells = [](int seeds) {
        std::vector<run::Cell> all;
        for (const auto& [encoder, right] : {std::pair("a", 50), {"b", 20}})
            for (int seed = 1; seed <= seeds; ++seed) {
                test::MadeCell cell;
                cell.encoder = encoder;
                cell.parameters = {{"name", encoder}};
                cell.settings = {{"protocol", "split"}, {"seed", seed}};
                cell.metrics = {{"acc", 100.0 * (right + seed) / 60}};
                std::vector<std::pair<int, int>> outcomes;
                std::vector<std::uint32_t> tokens;
                for (int i = 0; i < 120; ++i) {
                    outcomes.emplace_back(i % 2, i / 2 < right + seed ? i % 2 : 1 - i % 2);
                    tokens.push_back(i % 2 == 0 ? 3U : 30U);
                }
                cell.items = test::class_items(outcomes, tokens);
                all.push_back(test::made(cell));
            }
        return all;
    };
    for (const auto& block : slices_of(cells(1))) {
        CAPTURE(block.by);
        const auto& difference = block.differences[1].values[0];
        CHECK(difference.value == doctest::Approx(-50));
        CHECK_FALSE(difference.has_interval());
        CHECK(block.encoders[1].values[0].has_interval());
        CHECK(block.note.find("these trained classifiers on new items") != std::string::npos);
        CHECK(block.note.find("run with --seeds 5") != std::string::npos);
        CHECK(block.note.find("not adjusted for the number of slices") != std::string::npos);
    }
    const auto several = slices_of(cells(3));
    REQUIRE(several.size() == 2);
    CHECK(several[0].differences[1].values[0].has_interval());
    CHECK(several[0].note.find("these encoders under new seeds") != std::string::npos);
    CHECK(compare::slices_to_terminal(several, 1000).find("not adjusted") != std::string::npos);
    CHECK(compare::slices_to_json(several)[0].at("note") == several[0].note);

    // Where the items alone are asked for, seeds add nothing, and one seed is enough.
    const auto by_items = slices_of(cells(3), "", stats::Population::items);
    const auto width = [](const report::Measured& of) { return of.high - of.low; };
    CHECK(width(by_items[0].differences[1].values[0]) < width(several[0].differences[1].values[0]));
    for (const auto& blocks : {by_items, slices_of(cells(1), "", stats::Population::items)}) {
        CHECK(blocks[0].differences[1].values[0].has_interval());
        CHECK(blocks[0].note.find("these trained classifiers on new items.") != std::string::npos);
        CHECK(blocks[0].note.find("have none") == std::string::npos);
    }
}

TEST_CASE("slices go by resampled training sets, and have no verdict where the whole set has none")
{
    const auto cells = [](int halves) {
        std::vector<run::Cell> all;
        for (const auto& [encoder, right] : {std::pair("a", 50), {"b", 20}})
            for (int run = 0; run < 3 + halves; ++run) {
                test::MadeCell cell;
                cell.encoder = encoder;
                cell.parameters = {{"name", encoder}};
                cell.settings = {{"protocol", "split"}, {"seed", run + 1}};
                if (run >= 3)
                    cell.settings["resample"] = run - 2;
                cell.metrics = {{"acc", 100.0 * (right + run) / 60}};
                std::vector<std::pair<int, int>> outcomes;
                for (int i = 0; i < 120; ++i)
                    outcomes.emplace_back(i % 2, i / 2 < right + run ? i % 2 : 1 - i % 2);
                cell.items = test::class_items(outcomes, std::vector<std::uint32_t>(120, 3));
                all.push_back(test::made(cell));
                all.back().document["details"]["trained_on"] = 300;
            }
        return all;
    };
    const auto without = slices_of(cells(0));
    REQUIRE(without.size() == 1);
    CHECK(without[0].differences[1].values[0].known());
    CHECK_FALSE(without[0].differences[1].values[0].has_interval());
    CHECK(without[0].note.find(
              "no verdict on the whole set have none (one training set, of fewer than") !=
          std::string::npos);
    const auto with = slices_of(cells(6));
    REQUIRE(with.size() == 1);
    CHECK(with[0].differences[1].values[0].has_interval());
    CHECK(with[0].note.find("new training sets") != std::string::npos);
    CHECK(with[0].encoders[0].values[0].high - with[0].encoders[0].values[0].low >
          without[0].encoders[0].values[0].high - without[0].encoders[0].values[0].low);
}

TEST_CASE("differences on parts are to the baseline, where there is one")
{
    std::vector<run::Cell> cells;
    for (const auto& [encoder, right] : {std::pair("low", 60), {"high", 90}}) {
        test::MadeCell cell;
        cell.encoder = encoder;
        cell.parameters = {{"name", encoder}};
        cell.settings = {{"protocol", "similarity"}};
        cell.metrics = {{"acc", right}};
        std::vector<std::pair<int, int>> outcomes;
        for (int i = 0; i < 100; ++i)
            outcomes.emplace_back(i % 2, i < right ? i % 2 : 1 - i % 2);
        cell.items = test::class_items(outcomes, std::vector<std::uint32_t>(100, 3));
        cells.push_back(test::made(cell));
    }
    const auto to_best = slices_of(cells);
    REQUIRE_FALSE(to_best.empty());
    CHECK(to_best.front().reference == "high");
    const auto to_baseline = slices_of(cells, "low");
    CHECK(to_baseline.front().reference == "low");
    for (std::size_t row = 0; row < 2; ++row) {
        const bool is_high = to_baseline.front().encoders[row].name == "high";
        CHECK(to_baseline.front().differences[row].values.front().known() == is_high);
    }
}

TEST_CASE("pairs of long sentences are not all in one part")
{
    const auto parts_of = [](std::uint32_t shortest) {
        test::MadeCell cell;
        std::vector<std::pair<int, int>> outcomes;
        std::vector<std::uint32_t> tokens;
        for (std::uint32_t i = 0; i < 40; ++i) {
            outcomes.emplace_back(i % 2, 0);
            tokens.push_back(shortest + i % 20);
        }
        cell.items = test::class_items(outcomes, tokens);
        for (run::ItemTraits& traits : cell.items.traits)
            traits.overlap = 0.5F;
        const auto all = slices_of({test::made(cell)});
        const auto* length = find(all, "length of the longer");
        REQUIRE(length != nullptr);
        return length->parts;
    };
    CHECK(parts_of(3).size() == 7); // 13 of 20 have ten tokens or more
    const auto parts = parts_of(9);
    CHECK(parts == std::vector<std::string>{"5–9", "10–14", "15–19", "20–29"});
}
