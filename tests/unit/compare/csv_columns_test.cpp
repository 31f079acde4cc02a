// The page about the CSV files names the columns that are written.
#include "compare/formats.hpp"
#include "compare/items_csv.hpp"
#include "core/files.hpp"
#include "core/nan.hpp"
#include "made_cells.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

using namespace senteval;

namespace {

/// The names in the first column of the table below a heading of the page.
std::string columns_below(std::string_view heading)
{
    const std::string page =
        core::read_file(test::source_dir() / "framework" / "compare" / "README.md");
    const auto begin = page.find(heading);
    REQUIRE(begin != std::string::npos);
    const auto end = std::min(page.find("\n## ", begin), page.size());
    std::string columns;
    for (auto at = page.find("\n| `", begin); at < end; at = page.find("\n| `", at + 1))
        columns +=
            (columns.empty() ? "" : ",") + page.substr(at + 4, page.find('`', at + 4) - at - 4);
    return columns + "\n";
}

} // namespace

TEST_CASE("the page on the CSV of a comparison has its columns, in their order")
{
    CHECK(compare::to_csv(compare::Comparison{}) ==
          columns_below("## `senteval compare --format csv`"));
}

TEST_CASE("the page on the CSV of test items has its columns, and every line has all of them")
{
    test::MadeCell cell;
    cell.encoder = "one, \"two\"";
    cell.items = test::class_items({{0, 0}, {0, 1}}, {1, 1});
    const auto files = compare::items_to_csv(compare::Results({test::made(cell)}));
    REQUIRE(files.size() == 1);
    const std::string& csv = files.front().content;
    CHECK(csv.starts_with(columns_below("## `senteval export --format items`")));
    CHECK(csv.find("\n\"one, \"\"two\"\"\",") != std::string::npos);
}

TEST_CASE("of a test item what is unknown is empty")
{
    test::MadeCell cell;
    cell.items = test::class_items({{0, 1}}, {1});
    run::Cell made = test::made(cell);
    made.items.outcomes.rows.front().score = core::nan;
    const auto files = compare::items_to_csv(compare::Results({made}));
    CHECK(files.front().content.find("nan") == std::string::npos);
}
