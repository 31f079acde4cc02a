#include "report/table.hpp"

#include <doctest/doctest.h>

using senteval::report::wrapped;

TEST_CASE("text is broken between words, under its own beginning")
{
    CHECK(wrapped("one two three", 80, 10) == "one two three");
    CHECK(wrapped("one two three", 14, 6) == "one two\n      three");
    CHECK(wrapped("one two three", 13, 6) == "one two\n      three");
    CHECK(wrapped("one two three", 12, 6) == "one\n      two\n      three");
    CHECK(wrapped("unbreakable word", 4, 0) == "unbreakable\nword");
    CHECK(wrapped("", 80, 4) == "");
}

TEST_CASE("line ends and the blanks that begin a line stay")
{
    CHECK(wrapped("Example:\n  one  two\n\nend", 80, 0) == "Example:\n  one  two\n\nend");
    CHECK(wrapped("a\nb", 80, 2) == "a\n  b");
}

TEST_CASE("characters count, not bytes")
{
    CHECK(wrapped("\u00e4\u00e4\u00e4 \u00e4\u00e4", 6, 0) == "\u00e4\u00e4\u00e4 \u00e4\u00e4");
    CHECK(wrapped("\u00e4\u00e4\u00e4 \u00e4\u00e4\u00e4", 6, 0) ==
          "\u00e4\u00e4\u00e4\n\u00e4\u00e4\u00e4");
}
