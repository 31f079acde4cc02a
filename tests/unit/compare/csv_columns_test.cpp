// The page about the CSV files names the columns that are written.
#include "compare/formats.hpp"
#include "core/files.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace senteval;

TEST_CASE("the page on the CSV of a comparison has its columns, in their order")
{
    const std::string page =
        core::read_file(test::source_dir() / "framework" / "compare" / "README.md");
    const auto begin = page.find("## `senteval compare --format csv`");
    const auto end = page.find("## `senteval export");
    REQUIRE(begin < end);
    REQUIRE(end != std::string::npos);
    std::string columns;
    for (auto at = page.find("\n| `", begin); at < end; at = page.find("\n| `", at + 1))
        columns +=
            (columns.empty() ? "" : ",") + page.substr(at + 4, page.find('`', at + 4) - at - 4);
    CHECK(compare::to_csv(compare::Comparison{}) == columns + "\n");
}
