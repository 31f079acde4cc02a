#include "bm25/vocabulary.hpp"

#include "base/files.hpp"
#include "base/json.hpp"
#include "bm25/stemmers.hpp"
#include "support/support.hpp"

using namespace senteval;
using bm25::Vocabulary;

namespace {

using Words = std::vector<std::string>;

Words tokens_of(std::string_view text)
{
    Words words;
    std::string buffer;
    bm25::for_each_token(text, buffer, [&](std::string_view word) { words.emplace_back(word); });
    return words;
}

std::string stem(std::string_view word)
{
    return bm25::english_stem(word, bm25::Edition::snowball_3);
}

/// What is left of a text: no stop words, stems.
Words stems_of(std::string_view text)
{
    Vocabulary vocabulary(stem, true);
    Words stems;
    for (const std::string& word : tokens_of(text))
        if (vocabulary.add(word) != Vocabulary::no_term)
            stems.push_back(stem(word));
    return stems;
}

} // namespace

TEST_CASE("words of texts with everything that Unicode has")
{
    const auto file = test::shared_or_skip("reference/retrieval/bm25/tokens.json");
    if (!file)
        return;
    const base::Json cases = base::parse_json(base::read_file(*file));
    CHECK(cases.size() >= 60);
    for (const base::Json& one : cases) {
        const auto text = one.at("text").get<std::string>();
        CAPTURE(text);
        CHECK(tokens_of(text) == one.at("a").get<Words>());
        CHECK(stems_of(text) == one.at("b").get<Words>());
    }
}

TEST_CASE("a word is a run of at least two letters, numbers and underscores, in lower case")
{
    CHECK(tokens_of("") == Words{});
    CHECK(tokens_of("a") == Words{});
    CHECK(tokens_of("AB") == Words{"ab"});
    CHECK(tokens_of("Don't co-operate, e.g. in 3.14 x_2!") ==
          Words{"don", "co", "operate", "in", "14", "x_2"});
    CHECK(tokens_of("\u00c9t\u00e9 \u00e9") == Words{"\u00e9t\u00e9"});
    CHECK(tokens_of("e\u0301te\u0301") == Words{"te"}); // marks are not of a word
    CHECK(tokens_of(std::string("nu\0ll", 5)) == Words{"nu", "ll"});
    CHECK(tokens_of("\xff\xfe"
                    "ab\xc3") == Words{"ab"});
}

TEST_CASE("terms are numbered as they come, and words of one stem are one term")
{
    Vocabulary words({}, false);
    CHECK(words.add("runs") == 0);
    CHECK(words.add("the") == 1);
    CHECK(words.add("running") == 2);
    CHECK(words.add("runs") == 0);
    CHECK(words.size() == 3);
    CHECK(words.find("running") == 2);
    CHECK(words.find("run") == Vocabulary::no_term);

    Vocabulary stems(stem, true);
    CHECK(stems.add("runs") == 0);
    CHECK(stems.add("the") == Vocabulary::no_term);
    CHECK(stems.add("running") == 0);
    CHECK(stems.add("thes") == 1); // its stem is a stop word: those are dropped before
    CHECK(stems.size() == 2);
    CHECK(stems.find("run") == 0); // no document has it so
    CHECK(stems.find("the") == Vocabulary::no_term);
    CHECK(stems.find("walk") == Vocabulary::no_term);
}
