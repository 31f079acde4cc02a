#include "base/terminal.hpp"
#include "support/support.hpp"

using senteval::base::wrapped;

TEST_CASE("text is broken between words, under its own beginning")
{
    CHECK(wrapped("one two three", 80, 10) == "one two three");
    CHECK(wrapped("one two three", 14, 6) == "one two\n      three");
    CHECK(wrapped("one two three", 13, 6) == "one two\n      three");
    CHECK(wrapped("one two three", 12, 6) == "one\n      two\n      three");
    CHECK(wrapped("unbreakable word", 4, 0) == "unbreakable\nword");
    CHECK(wrapped("", 80, 4) == "");
    CHECK(wrapped("at 5 % of", 5, 0) == "at\n5 %\nof"); // a sign that begins no line
}

TEST_CASE("line ends and the blanks that begin a line stay")
{
    CHECK(wrapped("Example:\n  one  two\n\nend", 80, 0) == "Example:\n  one  two\n\nend");
    CHECK(wrapped("a\nb", 80, 2) == "a\n  b");
}

TEST_CASE("wide characters take two columns, marks on top of others none")
{
    using senteval::base::display_width;
    CHECK(display_width("±0.25") == 5);
    CHECK(display_width("\u6f22\u5b57") == 4);
    CHECK(display_width("e\u0301") == 1);
    CHECK(display_width("\xff\xfe") == 2); // no UTF-8: byte by byte
}

TEST_CASE("long words stay whole, or are broken after their joints where that is asked for")
{
    using senteval::base::LongWords;
    CHECK(wrapped("see /a/long/path now", 8, 2) == "see\n  /a/long/path\n  now");
    CHECK(wrapped("see /a/long/path now", 8, 2, LongWords::broken) ==
          "see\n  /a/\n  long/\n  path\n  now");
}
