#include "base/unicode.hpp"
#include "support/support.hpp"
#include "text/sentence.hpp"

using namespace senteval;

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
    CHECK(base::strip(bytes).size() <= bytes.size());
}
