#include "base/error.hpp"
#include "support/support.hpp"
#include "text/sentence_lines.hpp"

using namespace senteval;
using text::read_sentence_lines;
using text::Role;
using text::SentenceLine;

TEST_CASE("a file of sentences has one a line, as it stands")
{
    CHECK(read_sentence_lines("f", "").empty());
    CHECK(read_sentence_lines("f", "a b\r\n\n{\"text\":1}") ==
          std::vector<SentenceLine>{
              {"a b", Role::none}, {"", Role::none}, {"{\"text\":1}", Role::none}});
}

TEST_CASE("what is written as JSON lines is read as it was")
{
    const std::vector<SentenceLine> lines = {{"a\n\"b\"\t\xc3\xa9", Role::none},
                                             {"", Role::query},
                                             {std::string("a\0b", 3), Role::document}};
    std::string file;
    for (const SentenceLine& line : lines)
        file += text::json_line(line) + "\n";
    CHECK(read_sentence_lines("f", file) == lines);
    CHECK(text::json_line({"a", Role::query}) == R"({"text":"a","role":"query"})");
}

TEST_CASE("a line that is none is named")
{
    const std::string first = "{\"text\":\"a\"}\n";
    for (const char* line : {"", "x", "[]", "{}", R"({"text":1})",
                             R"({"text":"a","role":"answer"})", R"({"text":"a","role":1})"}) {
        CAPTURE(line);
        CHECK_ERROR(base::Error, "f:2: ", read_sentence_lines("f", first + line + "\n"));
    }
}
