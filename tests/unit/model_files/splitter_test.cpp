#include "model_files/splitter.hpp"
#include "support/support.hpp"

using namespace senteval;
using model_files::Json;

namespace {

using List = std::vector<std::string>;

List words_of(const Json& spec, const std::string& text, bool at_start = true)
{
    model_files::Words words{text, {{0, text.size()}}, at_start};
    model_files::splitter_of(spec)(words);
    List list;
    for (const auto range : words.ranges)
        list.emplace_back(words[range]);
    return list;
}

Json metaspace(const char* scheme, bool splits = true)
{
    return {
        {"type", "Metaspace"}, {"replacement", "_"}, {"prepend_scheme", scheme}, {"split", splits}};
}

Json split(const Json& pattern, const char* behavior)
{
    return {{"type", "Split"}, {"pattern", pattern}, {"behavior", behavior}};
}

Json sequence(const Json& one, const Json& two)
{
    return {{"type", "Sequence"}, {"pretokenizers", {one, two}}};
}

const char* const gpt2 =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

std::string newer(const std::string& letters, const std::string& digits, const std::string& others)
{
    return R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?)" + letters + R"(+|\p{N})" + digits +
           R"(| ?[^\s)" + others + R"(\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
}

} // namespace

TEST_CASE("Metaspace in all its spellings")
{
    CHECK(words_of(metaspace("always"), "a  b") == List{"_a", "_", "_b"});
    CHECK(words_of(metaspace("always"), " a") == List{"_a"});
    CHECK(words_of(metaspace("always"), "_a b", false) == List{"_a", "_b"});
    CHECK(words_of(metaspace("always", false), "a b") == List{"_a_b"});
    CHECK(words_of(metaspace("never"), "a b") == List{"a", "_b"});
    CHECK(words_of(metaspace("first"), "a b") == List{"_a", "_b"});
    CHECK(words_of(metaspace("first"), "a b", false) == List{"a", "_b"});
    const Json old = {{"type", "Metaspace"}, {"replacement", "_"}, {"str_rep", "_"}};
    CHECK(words_of(old, "a b") == List{"_a", "_b"});
    Json without = old;
    without["add_prefix_space"] = false;
    CHECK(words_of(without, "a b") == List{"a", "_b"});
    const Json space = {{"type", "WhitespaceSplit"}};
    CHECK(words_of(space, " a\u00A0b\u3000\n") == List{"a", "b"});
    CHECK(words_of(sequence(space, old), "a\tb ") == List{"_a", "_b"});
    CHECK(words_of(sequence(space, metaspace("first")), "a b") == List{"_a", "b"});
    CHECK(words_of(sequence(space, metaspace("first")), " a b") == List{"a", "b"});
}

TEST_CASE("bytes become letters")
{
    const Json plain = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
    CHECK(words_of(plain, "a b\n") == List{"a", "\u0120b", "\u010A"});
    CHECK(words_of(plain, "\u00E9\u00AD") == List{"\u00C3\u00A9", "\u00C2\u0143"});
    CHECK(words_of({{"type", "ByteLevel"}}, "a b") == List{"\u0120a", "\u0120b"});
    CHECK(words_of({{"type", "ByteLevel"}, {"use_regex", false}}, "a b") == List{"\u0120a\u0120b"});
    CHECK(words_of({{"type", "ByteLevel"}}, " a") == List{"\u0120a"});
    Json many = plain; // each makes two bytes of a byte
    for (int i = 0; i < 60; ++i)
        many = sequence(plain, many);
    CHECK_THROWS_AS(words_of(many, "\n"), sdk::Error);
}

TEST_CASE("words of GPT-2, and of newer models")
{
    const auto old = [](const char* text) {
        return words_of(split({{"Regex", gpt2}}, "Isolated"), text);
    };
    CHECK(old("it's IT'S") == List{"it", "'s", " IT", "'", "S"});
    CHECK(old("a  12\u00BD?! \t b\u0301") ==
          List{"a", " ", " 12\u00BD", "?!", " \t", " b", "\u0301"});
    CHECK(old("x \n\ny  ") == List{"x", " \n", "\n", "y", "  "});

    const auto qwen = [](const char* text) {
        return words_of(split({{"Regex", newer(R"(\p{L})", "", R"(\p{L})")}}, "Isolated"), text);
    };
    CHECK(qwen("it'S it'\u017Fa we'RE") == List{"it", "'S", " it", "'\u017F", "a", " we", "'RE"});
    CHECK(qwen("\"a 12\tb") == List{"\"a", " ", "1", "2", "\tb"});
    CHECK(qwen("x \n \n  y") == List{"x", " \n \n", " ", " y"});
    CHECK(qwen("a ?!\r\n\nb\u0301c") == List{"a", " ?!\r\n\n", "b", "\u0301c"});
    CHECK(qwen("x\u00A0\u00A0y") == List{"x", "\u00A0", "\u00A0y"});
    CHECK(qwen("\U0002EBF0\u1C89") == List{"\U0002EBF0\u1C89"}); // newer than Unicode 15

    const Json llama = split({{"Regex", newer(R"(\p{L})", "{1,3}", R"(\p{L})")}}, "Isolated");
    CHECK(words_of(llama, "12345 6") == List{"123", "45", " ", "6"});
    const Json marks =
        split({{"Regex", newer(R"([\p{L}\p{M}])", "", R"(\p{L}\p{M})")}}, "Isolated");
    CHECK(words_of(marks, "b\u0301c \u0301!") == List{"b\u0301c", " \u0301", "!"});
    CHECK_THROWS(words_of(split({{"Regex", "x+"}}, "Isolated"), "x"));
    CHECK_THROWS(words_of(split({{"Regex", gpt2}}, "Removed"), "x"));
}

TEST_CASE("splits at a text")
{
    const Json blank = {{"String", "--"}};
    const char* const text = "--a----b--";
    CHECK(words_of(split(blank, "Removed"), text) == List{"a", "b"});
    CHECK(words_of(split(blank, "Isolated"), text) == List{"--", "a", "--", "--", "b", "--"});
    CHECK(words_of(split(blank, "MergedWithPrevious"), text) == List{"--", "a--", "--", "b--"});
    CHECK_THROWS(words_of(split(blank, "Contiguous"), text));
    CHECK_THROWS(words_of(split({{"String", ""}}, "Removed"), text));
    Json inverted = split(blank, "Removed");
    inverted["invert"] = true;
    CHECK_THROWS(words_of(inverted, text));
}
