#include "remote/text.hpp"
#include "support/support.hpp"

namespace remote = senteval::remote;

TEST_CASE("what others said is shown without what a terminal would obey")
{
    CHECK(remote::shown("plain") == "\"plain\"");
    CHECK(remote::shown("a\"b\\\n\r\t\x1b[0m\x7f") == R"("a\"b\\\n\r\t\x1b[0m\x7f")");
    CHECK(remote::shown(std::string("\0", 1)) == R"("\x00")");
    CHECK(remote::shown("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80") ==
          "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
    CHECK(remote::shown("\xc2\x9b \xff \xc0\x80 \xed\xa0\x80 \xe2\x82") ==
          R"("\xc2\x9b \xff \xc0\x80 \xed\xa0\x80 \xe2\x82")");
    CHECK(remote::printable("a \"b\"\n", 100) == "a \"b\"\\n");
    CHECK(remote::shown("abcdef", 4) == "\"abcd\"... (2 bytes more)");
    CHECK(remote::shown("ab\xe2\x82\xac", 4) == "\"ab\"... (3 bytes more)");
}

TEST_CASE("sentences that another program was given are told by the first and the longest")
{
    const std::string_view first = "a man";
    CHECK(remote::sentences({}) == "no sentences");
    CHECK(remote::sentences({&first, 1}) == "1 sentence (\"a man\")");
    const std::string longest(70, 'x');
    const std::vector<std::string_view> all = {first, longest, "b"};
    CHECK(remote::sentences(all) == "3 sentences (the first \"a man\", the longest \"" +
                                        longest.substr(0, 60) + "\"... (10 bytes more))");
}

TEST_CASE("JSON of others is read within bounds")
{
    CHECK(remote::read_json(R"({"a": [1, 2.5]})").at("a").at(1) == 2.5);
    CHECK_ERROR(std::runtime_error, "byte 7", remote::read_json("{\"a\": }"));
    CHECK_ERROR(remote::CutOff, "after 6 bytes", remote::read_json("{\"a\": "));
    CHECK_ERROR(std::runtime_error, "is not JSON", remote::read_json("\xff"));
    CHECK_ERROR(std::runtime_error, "has a number that no double can hold",
                remote::read_json("[1e999]"));
    CHECK_ERROR(std::runtime_error, "64 levels", remote::read_json(std::string(1'000'000, '[')));
}
