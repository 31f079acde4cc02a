#include "base/csv.hpp"
#include "base/printed_text.hpp"
#include "support/support.hpp"

using senteval::base::PrintedText;

namespace {

struct Log {
    std::vector<std::string> lines;
    PrintedText text{[this](std::string_view line) { lines.emplace_back(line); }};
};

} // namespace

TEST_CASE("printed text comes line by line, whatever the pieces")
{
    Log log;
    for (const char* piece : {"one\ntw", "o\r\n", "\nth", "ree"})
        log.text.add(piece);
    CHECK(log.lines == std::vector<std::string>{"one", "two", ""});
    log.text.end();
    CHECK(log.lines.back() == "three");
    log.text.end();
    CHECK(log.lines.size() == 4);
}

TEST_CASE("printed text obeys no control characters")
{
    Log log;
    log.text.add(std::string("\x1b[2J\rgone\0!\n", 12));
    CHECK(log.lines == std::vector<std::string>{"\\x1b[2J\\x0dgone\\x00!"});
}

TEST_CASE("a printed line without an end is cut, and says by how much")
{
    Log log;
    for (int i = 0; i < 1000; ++i)
        log.text.add(std::string(1000, 'x'));
    log.text.add("\nnext\n");
    REQUIRE(log.lines.size() == 2);
    CHECK(log.lines[0] == std::string(1000, 'x') + "... (999000 bytes more)");
    CHECK(log.lines[1] == "next");
}

TEST_CASE("printed text beyond a bound is not shown")
{
    Log log;
    constexpr std::size_t size = 100;
    for (int i = 10'000; i < 20'000; ++i)
        log.text.add(std::string(size - 6, 'x') + std::to_string(i) + "\n");
    log.text.end();
    const std::size_t shown = PrintedText::most / size + 1;
    REQUIRE(log.lines.size() == shown + 1);
    CHECK(log.lines[shown] == "(further output is not shown)");
}

TEST_CASE("printed lines that come again are counted, and told at the end")
{
    std::vector<std::string> lines;
    {
        PrintedText text([&](std::string_view line) { lines.emplace_back(line); });
        for (int i = 0; i < 54; ++i)
            text.add("a batch\n" + std::string(i % 2 == 0 ? "even\n" : "\n"));
        text.add("last\n");
        CHECK(lines == std::vector<std::string>{"a batch", "even", "", "last"});
    }
    CHECK(lines == std::vector<std::string>{"a batch", "even", "", "last",
                                            "a batch (again 53 times)", "even (again 26 times)"});
}

TEST_CASE("a CSV cell that a spreadsheet would take for a formula is made harmless")
{
    CHECK(senteval::base::csv_field("=1+1") == "'=1+1");
    CHECK(senteval::base::csv_field("@x") == "'@x");
    CHECK(senteval::base::csv_field("-a,b") == "\"'-a,b\"");
    CHECK(senteval::base::csv_field("+x") == "'+x");
    for (const char* harmless : {"-0.5", "-.5", "=", "a=b", "", "mean"})
        CHECK(senteval::base::csv_field(harmless) == harmless);
    for (const std::string hidden :
         {" =1", "\u200B=1", "\t@x", "\u3000\uFF1D1", "\uFF0B1", "\uFF20a"})
        CHECK(senteval::base::csv_field(hidden) == "'" + hidden);
}
