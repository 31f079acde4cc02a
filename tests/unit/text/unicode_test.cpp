#include "text/unicode.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace senteval;

namespace {

std::string utf8(char32_t code_point)
{
    const auto c = static_cast<unsigned>(code_point);
    const auto byte = [](unsigned value) { return static_cast<char>(value); };
    if (c < 0x80)
        return {byte(c)};
    if (c < 0x800)
        return {byte(0xC0 | (c >> 6)), byte(0x80 | (c & 0x3F))};
    if (c < 0x10000)
        return {byte(0xE0 | (c >> 12)), byte(0x80 | ((c >> 6) & 0x3F)), byte(0x80 | (c & 0x3F))};
    return {byte(0xF0 | (c >> 18)), byte(0x80 | ((c >> 12) & 0x3F)), byte(0x80 | ((c >> 6) & 0x3F)),
            byte(0x80 | (c & 0x3F))};
}

bool is_python_space(char32_t c)
{
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
           c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 ||
           c == 0x202F || c == 0x205F || c == 0x3000;
}

bool is_python_line_end(char32_t c)
{
    return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 ||
           c == 0x2029;
}

} // namespace

TEST_CASE("white space and line ends are Python's, for every character")
{
    std::vector<unsigned> wrong;
    for (char32_t c = 0; c < 0x110000; ++c) {
        if (c >= 0xD800 && c < 0xE000)
            continue;
        const std::string text = utf8(c) + "x";
        const std::size_t length = text.size() - 1;
        if (text::leading_space(text) != (is_python_space(c) ? length : 0) ||
            text::leading_line_end(text) != (is_python_line_end(c) ? length : 0))
            wrong.push_back(static_cast<unsigned>(c));
    }
    CHECK(wrong.empty());
    CHECK(text::leading_line_end("\r\nx") == 2);
    CHECK(text::leading_line_end("") == 0);
    CHECK(text::leading_space("") == 0);
}

TEST_CASE("strip takes white space of every width from the ends only")
{
    CHECK(text::strip("\xC2\xA0 \t a \xE2\x80\x89 b \xE3\x80\x80\r\n") == "a \xE2\x80\x89 b");
    CHECK(text::strip_right(" a \xC2\x85\x1F") == " a");
    CHECK(text::strip(" \n ").empty());
    CHECK(text::strip("").empty());
    // a letter whose last byte is that of a space: U+00E0 and U+2168
    CHECK(text::strip("\xC3\xA0") == "\xC3\xA0");
    CHECK(text::strip("\xE2\x85\xA8") == "\xE2\x85\xA8");
}

TEST_CASE("a sentence is its words, joined by one space")
{
    text::Arena arena;
    const auto sentence = text::make_sentence("  The\tcat \xC2\xA0sat\x1F.\xE2\x80\xA8 ", arena);
    CHECK(sentence.text == "The cat sat .");
    CHECK(sentence.tokens == 4);
    CHECK(text::make_sentence("", arena).tokens == 0);
    CHECK(text::make_sentence(" \n\t", arena).text.empty());
    CHECK(text::make_sentence("one", arena).text == "one");
}

TEST_CASE("a sentence of a megabyte keeps every word")
{
    std::string line;
    for (int word = 0; word < 250000; ++word)
        line += "ab  ";
    text::Arena arena;
    const auto sentence = text::make_sentence(line, arena);
    CHECK(sentence.tokens == 250000);
    CHECK(sentence.text.size() == 250000 * 3 - 1);
}

TEST_CASE("a verbatim sentence is the text as it is; its tokens are its words")
{
    text::Arena arena;
    const auto sentence = text::verbatim_sentence(" one\r\n\ttwo\xC2\xA0three ", arena);
    CHECK(sentence.text == " one\r\n\ttwo\xC2\xA0three ");
    CHECK(sentence.tokens == 3);
    CHECK(sentence.verbatim);
    CHECK(!text::make_sentence("one", arena).verbatim);
    CHECK(text::verbatim_sentence(" \n", arena).tokens == 0);
}

TEST_CASE("latin-1 bytes become the characters of the same number")
{
    CHECK(text::latin1_to_utf8("a\xE9z") == "a\xC3\xA9z");
    CHECK(text::latin1_to_utf8("\x85\xA0\xFF") == "\xC2\x85\xC2\xA0\xC3\xBF");
    // an accented letter of a UTF-8 file falls apart, as in the original: A tilde and a space
    text::Arena arena;
    CHECK(text::make_sentence(text::latin1_to_utf8("voil\xC3\xA0 !"), arena).text ==
          "voil\xC3\x83 !");
}

TEST_CASE("invalid UTF-8 is found where it begins")
{
    constexpr std::size_t none = std::string_view::npos;
    CHECK(text::find_invalid_utf8("plain") == none);
    CHECK(text::find_invalid_utf8("") == none);
    CHECK(text::find_invalid_utf8("caf\xC3\xA9 \xF0\x9F\x98\x80 \xEF\xBF\xBF") == none);
    CHECK(text::find_invalid_utf8("ab\xFFz") == 2);
    CHECK(text::find_invalid_utf8("a\xC3") == 1);             // cut off
    CHECK(text::find_invalid_utf8("\xC0\xAF") == 0);          // overlong
    CHECK(text::find_invalid_utf8("a\xED\xA0\x80") == 1);     // a surrogate
    CHECK(text::find_invalid_utf8("a\xF4\x90\x80\x80") == 1); // above U+10FFFF
}

TEST_CASE("no byte sequence is too strange to split")
{
    text::Arena arena;
    std::string bytes;
    for (unsigned i = 0; i < 65536; ++i) {
        bytes += static_cast<char>(i >> 8);
        bytes += static_cast<char>(i & 0xFF);
    }
    const auto sentence = text::make_sentence(bytes, arena);
    CHECK(sentence.tokens > 1);
    CHECK(text::strip(bytes).size() <= bytes.size());
}
