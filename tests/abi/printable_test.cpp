#include "support/support.hpp"

#include <senteval/printable.hpp>

namespace sdk = senteval::sdk;

TEST_CASE("what a terminal would obey is shown by its number")
{
    CHECK(sdk::printable("plain, \u00e9, \u4e2d, \U0001F600\tand\nlines") ==
          "plain, \u00e9, \u4e2d, \U0001F600\tand\nlines");
    CHECK(sdk::printable("\x1b[31m\r") == "\\x1b[31m\\x0d");
    CHECK(sdk::printable(std::string(1, '\0') + "\x7f\u009b") == "\\x00\\x7f\\xc2\\x9b");
}

TEST_CASE("what turns or hides the text around it is shown by its number")
{
    // NOLINTNEXTLINE(misc-misleading-bidirectional): what is shown must not mislead
    CHECK(sdk::printable("a\u202Eb\u2066c\u200Bd\uFEFFe\u2028f") ==
          "a\\u202eb\\u2066c\\u200bd\\ufeffe\\u2028f");
    CHECK(sdk::printable("\U000E0041") == "\\U000e0041");
}

TEST_CASE("bytes that are no UTF-8 are shown one by one")
{
    CHECK(sdk::printable("\xff\xc3") == "\\xff\\xc3");
    CHECK(sdk::printable("\xc0\x80") == "\\xc0\\x80");          // overlong
    CHECK(sdk::printable("\xed\xa0\x80") == "\\xed\\xa0\\x80"); // half a surrogate pair
    CHECK(sdk::printable("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
}

TEST_CASE("a part of a line has no line ends, and says how much was left out")
{
    CHECK(sdk::printable_line("a\nb\tc\rd\"", 100) == "a\\nb\\tc\\rd\"");
    CHECK(sdk::printable_line("say \"a\\b\"", 100, true) == R"("say \"a\\b\"")");
    CHECK(sdk::printable_line("0123456789", 4) == "0123... (6 bytes more)");
    CHECK(sdk::printable_line("abc\u00e9", 4) == "abc... (2 bytes more)"); // not inside a character
}
