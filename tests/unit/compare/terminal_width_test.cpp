// Whatever the terminal's width, no line of a table is wider.
#include "compare/comparison.hpp"
#include "compare/formats.hpp"
#include "compare/slices.hpp"
#include "made_cells.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace senteval;

namespace {

const std::string with_blanks = "GloVe and a long label of sixty characters, as people write ";
const std::string without_blanks =
    "glove/another-long-label_without-blanks/pooling=max,unknown=zero";

/// Similarities and trained classifiers, by several seeds; one row was tested on other items.
std::vector<run::Cell> many_cells(bool several_seeds)
{
    std::vector<run::Cell> cells;
    const std::vector<std::string> encoders = {"glove", "größe 漢字", with_blanks + "±",
                                               without_blanks, "other"};
    for (std::size_t encoder = 0; encoder < encoders.size(); ++encoder)
        for (int number = 0; number < 12; ++number)
            for (int seed = 1; seed <= (several_seeds ? 3 : 1); ++seed) {
                test::MadeCell cell;
                cell.encoder = encoders[encoder];
                cell.parameters = {{"name", cell.encoder}};
                cell.task = "SomeTaskOfMine" + std::to_string(number);
                const bool is_trained = number % 2 == 1;
                if (!is_trained && seed > 1)
                    continue;
                cell.settings = {{"protocol", is_trained ? "nested" : "similarity"}};
                if (is_trained)
                    cell.settings["seed"] = seed;
                const std::size_t items = cell.encoder == "other" ? 40 : 90;
                const auto right = 38 + static_cast<std::size_t>(seed) - encoder;
                cell.metrics = {
                    {"acc", 100.0 * static_cast<double>(right) / static_cast<double>(items)}};
                std::vector<std::pair<int, int>> outcomes;
                for (std::size_t i = 0; i < items; ++i)
                    outcomes.emplace_back(1, i < right ? 1 : 0);
                std::vector<std::uint32_t> tokens(items, 3);
                std::fill(tokens.begin() + 20, tokens.end(), 30);
                cell.items = test::class_items(outcomes, tokens);
                cells.push_back(test::made(cell));
                cells.back().document["data"]["doubts"] = {
                    "/a/folder/with/a/long/name/that/has/no/blanks/in/it/and/goes/on/SomeTask.txt"
                    " has 600 lines, the published set 5331"};
            }
    return cells;
}

void check_width(const std::string& text, std::size_t width)
{
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        CHECK_MESSAGE(report::display_width(line) <= width, line);
}

} // namespace

TEST_CASE("no line of a comparison is wider than the terminal")
{
    for (const bool several_seeds : {false, true}) {
        const compare::Results results(many_cells(several_seeds));
        for (const std::string& baseline : {std::string(), results.rows()[1].label})
            for (const std::string& metric : {std::string(), std::string("acc")}) {
                compare::Options options;
                options.baseline = baseline;
                options.metric = metric;
                options.all_pairs = baseline.empty();
                options.across_tasks = metric.empty();
                options.margin = 5;
                options.resampling.resamples = 100;
                const auto comparison = compare::compare(results, options);
                for (const std::size_t width : {60U, 80U, 120U}) {
                    CAPTURE(width);
                    const std::string text = compare::to_terminal(comparison, {.width = width});
                    check_width(text, width);
                    CHECK(text.find("größe 漢字") != std::string::npos);
                }
            }
    }
}

TEST_CASE("no line of a run's table, or of slices, is wider than the terminal")
{
    const compare::Results results(many_cells(true));
    compare::Options options;
    options.resampling.resamples = 100;
    const auto comparison = compare::compare(results, options);
    const auto slices = compare::slices_of(results, comparison, options.resampling);
    REQUIRE(!slices.empty());
    for (const std::size_t width : {60U, 80U, 120U}) {
        CAPTURE(width);
        check_width(compare::to_terminal_table(compare::tabulate(results), {.width = width}),
                    width);
        check_width(compare::slices_to_terminal(slices, width), width);
    }
}

TEST_CASE("rows stand on one line where they fit, else below their labels with all that they say")
{
    std::vector<run::Cell> cells = many_cells(false);
    std::erase_if(cells, [](const run::Cell& cell) {
        const std::string label = cell.document.at("encoder").at("label");
        return label != "glove" && label != without_blanks;
    });
    compare::Options options;
    options.resampling.resamples = 100;
    const auto comparison = compare::compare(compare::Results(std::move(cells)), options);
    const std::string wide = compare::to_terminal(comparison, {.width = 160});
    const std::string narrow = compare::to_terminal(comparison, {.width = 60});
    CAPTURE(narrow);
    CHECK(wide.find("  = glove  ") != std::string::npos);
    CHECK(wide.find("  p ") != std::string::npos);
    CHECK(narrow.find("  = glove\n      43.33* [") != std::string::npos);
    CHECK(narrow.find("\n      40.00* [30.49, 50.33]\n") ==
          std::string::npos); // what it says goes on
    CHECK(narrow.find("  p ") != std::string::npos);
    CHECK(narrow.find(without_blanks) == std::string::npos); // folded after a sign
    CHECK(narrow.find("pooling=max,\n    unknown=zero\n") != std::string::npos);
}
