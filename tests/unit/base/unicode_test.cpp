#include "base/unicode.hpp"

#include "base/files.hpp"
#include "base/json.hpp"
#include "support/support.hpp"

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
        if (base::leading_space(text) != (is_python_space(c) ? length : 0) ||
            base::leading_line_end(text) != (is_python_line_end(c) ? length : 0))
            wrong.push_back(static_cast<unsigned>(c));
    }
    CHECK(wrong.empty());
    CHECK(base::leading_line_end("\r\nx") == 2);
    CHECK(base::leading_line_end("") == 0);
    CHECK(base::leading_space("") == 0);
}

TEST_CASE("characters are appended, read, counted and not cut, whatever their width")
{
    std::string text;
    for (const char32_t c : {U'x', U'\u00e9', U'\u3042', U'\U0001F600'}) {
        const std::size_t begin = text.size();
        base::append_character(text, c);
        CHECK(text.substr(begin) == utf8(c));
        CHECK(base::bytes_from(text[begin]) == text.size() - begin);
        CHECK(base::character_before(text, text.size()) == begin);
        CHECK(base::first_characters(text, text.size() - 1) == text.substr(0, begin));
        std::size_t at = begin;
        CHECK(base::next_or_replacement(text, at) == c);
        CHECK(at == text.size());
    }
    CHECK(base::count_characters(text) == 4);
    CHECK(base::first_characters(text, text.size()) == text);
    CHECK(base::first_characters(text, 0).empty());
    std::size_t at = 0;
    CHECK(base::next_or_replacement("\xc3(", at) == 0xFFFD);
    CHECK(at == 1);
}

TEST_CASE("strip takes white space of every width from the ends only")
{
    CHECK(base::strip("\xC2\xA0 \t a \xE2\x80\x89 b \xE3\x80\x80\r\n") == "a \xE2\x80\x89 b");
    CHECK(base::strip_right(" a \xC2\x85\x1F") == " a");
    CHECK(base::strip(" \n ").empty());
    CHECK(base::strip("").empty());
    // a letter whose last byte is that of a space: U+00E0 and U+2168
    CHECK(base::strip("\xC3\xA0") == "\xC3\xA0");
    CHECK(base::strip("\xE2\x85\xA8") == "\xE2\x85\xA8");
}

TEST_CASE("invalid UTF-8 is found where it begins")
{
    constexpr std::size_t none = std::string_view::npos;
    CHECK(base::find_invalid_utf8("plain") == none);
    CHECK(base::find_invalid_utf8("") == none);
    CHECK(base::find_invalid_utf8("caf\xC3\xA9 \xF0\x9F\x98\x80 \xEF\xBF\xBF") == none);
    CHECK(base::find_invalid_utf8("ab\xFFz") == 2);
    CHECK(base::find_invalid_utf8("a\xC3") == 1);             // cut off
    CHECK(base::find_invalid_utf8("\xC0\xAF") == 0);          // overlong
    CHECK(base::find_invalid_utf8("a\xED\xA0\x80") == 1);     // a surrogate
    CHECK(base::find_invalid_utf8("a\xF4\x90\x80\x80") == 1); // above U+10FFFF
}

TEST_CASE("words lie between white space, as Python's split() has it")
{
    std::vector<std::string_view> words;
    base::for_each_word(" a  b\u00a0c d\te\u3000f\u202f\u00e9\u200b\x1fg\n",
                        [&](std::string_view word) { words.push_back(word); });
    CHECK(words ==
          std::vector<std::string_view>{"a", "b", "c", "d", "e", "f", "\u00e9\u200b", "g"});
    words.clear();
    base::for_each_word("", [&](std::string_view word) { words.push_back(word); });
    base::for_each_word("  ", [&](std::string_view word) { words.push_back(word); });
    CHECK(words.empty());
}

TEST_CASE(
    "lower case and the characters of words are those of Python 3.11, whatever ICU is installed")
{
    const auto lower = [](std::string_view text) {
        std::string result;
        base::append_lower_case(result, text);
        return result;
    };
    CHECK(lower("") == "");
    CHECK(lower("aB-9 \u00c9\u0130") == "ab-9 \u00e9i\u0307");
    CHECK(lower("\u03a3 \u03a3\u0391\u03a3 \u0391\u03a3\u0391") ==
          "\u03c3 \u03c3\u03b1\u03c2 \u03b1\u03c3\u03b1");
    CHECK(lower("A\u00b7'\u03a3'.") == "a\u00b7'\u03c2'."); // signs without case do not count
    CHECK(lower("A\u03a3'A A \u03a3") ==
          "a\u03c3'a a \u03c3"); // a letter behind it; a blank before
    CHECK(lower("x\xff") == "x\ufffd");
    CHECK(lower("\ua7dc") == "\ua7dc"); // of Unicode 16
    for (const char32_t c : {U'a', U'Z', U'_', U'7', U'\u00e9', U'\u00bd', U'\u2167', U'\u4e2d'})
        CHECK(base::is_word_character(c));
    for (const char32_t c :
         {U' ', U'-', U'\'', U'\u0301', U'\u200d', U'\u203f', U'\ua7dc', U'\U0001f600'})
        CHECK(!base::is_word_character(c));

    const auto file = test::shared_or_skip("reference/retrieval/bm25/unicode.json");
    if (!file)
        return;
    const base::Json expected = base::parse_json(base::read_file(*file));
    std::vector<bool> is_word(0x110000);
    for (const base::Json& range : expected.at("word"))
        std::fill(is_word.begin() + range[0].get<int>(), is_word.begin() + range[1].get<int>() + 1,
                  true);
    std::map<char32_t, std::string> lowered;
    for (const auto& [hexadecimal, text] : expected.at("lower").items())
        lowered[static_cast<char32_t>(std::stoul(hexadecimal, nullptr, 16))] = text;
    std::vector<unsigned> wrong;
    for (char32_t c = 0; c < 0x110000; ++c) {
        if (c >= 0xD800 && c < 0xE000)
            continue;
        const auto found = lowered.find(c);
        if (base::is_word_character(c) != is_word[c] ||
            lower(utf8(c)) != (found == lowered.end() ? utf8(c) : found->second))
            wrong.push_back(static_cast<unsigned>(c));
    }
    CHECK(wrong == std::vector<unsigned>{});
}
