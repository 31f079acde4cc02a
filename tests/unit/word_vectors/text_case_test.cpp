#include "support/support.hpp"
#include "word_vectors/text_case.hpp"

using namespace senteval;
using namespace senteval::word_vectors;

TEST_CASE("case changes by Unicode's simple mappings")
{
    CHECK(lower_case("Hello WORLD 7!") == "hello world 7!");
    CHECK(lower_case("ÉÄΩЖ") == "éäωж");
    CHECK(lower_case("").empty());
    CHECK(capitalised("hELLO") == "Hello");
    CHECK(capitalised("éCOLE") == "École");
    CHECK(capitalised("").empty());
}

TEST_CASE("bytes that are not UTF-8 keep their place")
{
    CHECK(lower_case("A\xff"
                     "B") == "a\xff"
                             "b");
    CHECK(capitalised("\xc3") == "\xc3");
}

TEST_CASE("further spellings compose and decompose accents, and know the final sigma")
{
    using word_vectors::further_spellings;
    const auto has = [](const char* word, const char* spelling) {
        const auto all = further_spellings(word);
        return std::find(all.begin(), all.end(), spelling) != all.end();
    };
    const char* composed = "caf\u00e9";
    const char* decomposed = "cafe\u0301";
    CHECK(has(decomposed, composed));
    CHECK(has(composed, decomposed));
    CHECK(has("CAFE\u0301", composed));
    CHECK(has("ΟΔΟΣ", "οδος"));
    CHECK(has("ΟΔΟΣ", "Οδος"));
    CHECK(has("ΟΔΟΣ", "οδοσ"));
    CHECK(further_spellings("plain").empty());
    CHECK(has("A\xff", "A\xff")); // no UTF-8: as it is
}
