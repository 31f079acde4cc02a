#include "word_vectors/text_case.hpp"

#include <doctest/doctest.h>

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
