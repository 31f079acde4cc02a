#include "base/lines.hpp"
#include "support/support.hpp"

using namespace senteval;

TEST_CASE("lines are taken off a text without their feeds, and the last needs none")
{
    const auto lines = [](std::string_view text) {
        std::vector<std::string> all;
        base::for_each_line(text, [&](std::string_view line) { all.emplace_back(line); });
        return all;
    };
    CHECK(lines("a b\n\nc\r\n") == std::vector<std::string>{"a b", "", "c\r"});
    CHECK(lines("a\nb") == std::vector<std::string>{"a", "b"});
    CHECK(lines("").empty());
    CHECK(base::without_return("c\r") == "c");
    CHECK(base::without_return("\rc") == "\rc");
    CHECK(base::without_mark("\xEF\xBB\xBFx") == "x");
    CHECK(base::without_mark("x") == "x");
}
