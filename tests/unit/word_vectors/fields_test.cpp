#include "support/support.hpp"
#include "word_vectors/fields.hpp"

#include <bit>

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

TEST_CASE("every short or long decimal is the correctly rounded one, bit for bit")
{
    std::mt19937_64 random(7);
    for (int round = 0; round < 200'000; ++round) {
        // 1 to 20 digits, a point anywhere or nowhere, a sign, sometimes an exponent
        std::string text = std::to_string(random() >> (random() % 60));
        if (random() % 8 != 0)
            text.insert(random() % (text.size() + 1), ".");
        if (random() % 2 == 0)
            text.insert(0, "-");
        if (random() % 16 == 0)
            text += "e-" + std::to_string(random() % 30);
        text += round % 2 == 0 ? "" : " 1";
        std::string_view rest = text;
        double number = 0.0;
        char* end = nullptr;
        const double wanted = std::strtod(text.c_str(), &end);
        CAPTURE(text);
        REQUIRE(take_number(rest, number));
        REQUIRE(std::bit_cast<std::uint64_t>(number) == std::bit_cast<std::uint64_t>(wanted));
        REQUIRE(rest.data() == text.data() + (end - text.c_str()));
    }
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
