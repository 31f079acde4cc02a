#include "word_vectors/fields.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace senteval::word_vectors;

TEST_CASE("fields are counted between runs of spaces and tabs")
{
    CHECK(count_fields("") == 0);
    CHECK(count_fields("the") == 1);
    CHECK(count_fields("the 0.1 0.2") == 3);
    CHECK(count_fields("the\t0.1  0.2") == 3);
    CHECK(count_fields(" the 0.1") == 2);
    CHECK(count_fields("a\xc2\xa0z 1") == 2); // a no-break space is part of the word
}

TEST_CASE("fields are counted in lines longer than a block of the counter")
{
    std::string line = "word";
    for (int i = 0; i < 1000; ++i)
        line += " 1";
    CHECK(count_fields(line) == 1001);
}

TEST_CASE("the last field and the end of a line")
{
    CHECK(line_at("a b\nc") == "a b");
    CHECK(line_at("a b") == "a b");
    CHECK(without_end("a b \r") == "a b");
    CHECK(without_end(" \t\r").empty());
    CHECK(last_field("a b cd") == "cd");
    CHECK(last_field("a") == "a");
    CHECK(last_field("").empty());
}

TEST_CASE("numbers are taken off a text as strtod reads them")
{
    const auto take = [](std::string_view text) {
        double number = -77.0;
        return take_number(text, number) ? number : -77.0;
    };
    CHECK(take("0.1") == 0.1);
    CHECK(take("-1.5e-3 2") == -1.5e-3);
    CHECK(take("+2") == 2.0);
    CHECK(take(".5") == 0.5);
    CHECK(take("1e-400") == 0.0);
    CHECK(take("0.12345678901234567890123") == 0.12345678901234567890123);

    CHECK(take("+-2") == -77.0);
    CHECK(take("x") == -77.0);
    CHECK(take("") == -77.0);
    CHECK(take("nan") == -77.0);
    CHECK(take("inf") == -77.0);
    CHECK(take("1e400") == -77.0);
}

TEST_CASE("a text that is no number is left as it was")
{
    std::string_view text = "abc";
    double number = 0.0;
    CHECK_FALSE(take_number(text, number));
    CHECK(text == "abc");
    text = "12 abc";
    CHECK(take_number(text, number));
    CHECK(text == " abc");
    CHECK(is_number("12"));
    CHECK_FALSE(is_number("12a"));
    CHECK_FALSE(is_number("."));
}
