#include "support/support.hpp"
#include "text/text_file.hpp"

using namespace senteval;
using text::Encoding;
using text::LineEnds;
using text::TextFile;

namespace {

using Lines = std::vector<std::pair<std::size_t, std::string>>;

TextFile open(const test::ScratchFolder& scratch,
              std::string_view bytes,
              Encoding encoding = Encoding::utf8,
              LineEnds ends = LineEnds::newlines)
{
    return {"some/file.txt", base::MappedFile(scratch.write("file.txt", bytes)), encoding, ends};
}

Lines lines_of(std::string_view bytes,
               Encoding encoding = Encoding::utf8,
               LineEnds ends = LineEnds::newlines)
{
    const test::ScratchFolder scratch;
    TextFile file = open(scratch, bytes, encoding, ends);
    Lines lines;
    while (file.next())
        lines.emplace_back(file.line_number(), std::string(file.line()));
    CHECK_FALSE(file.next());
    return lines;
}

} // namespace

TEST_CASE("lines end at LF, CR LF and CR, and the last one needs no end")
{
    CHECK(lines_of("a\r\nb\rc\n\nd") == Lines{{1, "a"}, {2, "b"}, {3, "c"}, {4, ""}, {5, "d"}});
    CHECK(lines_of("a\n") == Lines{{1, "a"}});
    CHECK(lines_of("\n") == Lines{{1, ""}});
    CHECK(lines_of("").empty());
}

TEST_CASE("splitlines ends lines at more characters, which an editor does not count")
{
    const std::string bytes = "a\x1C"
                              "b\xC2\x85"
                              "c\nd\xE2\x80\xA8";
    CHECK(lines_of(bytes, Encoding::utf8, LineEnds::unicode) ==
          Lines{{1, "a"}, {1, "b"}, {1, "c"}, {2, "d"}});
    CHECK(lines_of(bytes).size() == 2);
    // in latin-1 the byte 0x85 is such a character, also inside what was meant as one letter
    CHECK(lines_of("\xC3\x85\n", Encoding::latin1, LineEnds::unicode) ==
          Lines{{1, "\xC3\x83"}, {1, ""}});
    CHECK(lines_of("\xC3\x85x\n", Encoding::latin1, LineEnds::unicode).size() == 2);
}

TEST_CASE("a byte-order mark is no part of the first word")
{
    CHECK(lines_of("\xEF\xBB\xBF"
                   "a\nb") == Lines{{1, "a"}, {2, "b"}});
    CHECK(lines_of("\xEF\xBB\xBF"
                   "a\n",
                   Encoding::latin1, LineEnds::unicode) == Lines{{1, "a"}});
    CHECK(lines_of("\xEF\xBB\xBF").empty());
}

TEST_CASE("lines and labels are counted for those who ask")
{
    const test::ScratchFolder scratch;
    text::Counts counts;
    TextFile file("x", base::MappedFile(scratch.write("x", "b\na\r\nb")), Encoding::utf8,
                  LineEnds::newlines, &counts);
    while (file.next())
        file.count(file.line());
    CHECK(counts.lines == 3);
    CHECK(counts.labels.at("b") == 2);
    CHECK(counts.labels.at("a") == 1);
}

TEST_CASE("latin-1 bytes become the characters of the same number, Windows-1252 what people mean")
{
    CHECK(lines_of("a\xE9z\x95\xA0\xFF", Encoding::latin1, LineEnds::newlines) ==
          Lines{{1, "a\u00E9z\u0095\u00A0\u00FF"}});
    CHECK(lines_of("\x80\x81\x95\xFF", Encoding::windows, LineEnds::newlines) ==
          Lines{{1, "\u20AC\u0081\u2022\u00FF"}});
}

TEST_CASE("invalid UTF-8 is refused with its line")
{
    const test::ScratchFolder scratch;
    const std::string said =
        test::error_of<base::Error>([&] { return open(scratch, "good\r\ngood\nb\xE9te\n"); });
    CHECK(test::contains(said, {"some/file.txt:3: ", "0xE9"}));
}

TEST_CASE("columns are cut at tabs and counted")
{
    const test::ScratchFolder scratch;
    TextFile file = open(scratch, "a\t\tc\nx\ty\n");
    REQUIRE(file.next());
    const auto columns = file.columns(file.line(), 3);
    CHECK(std::vector<std::string>(columns.begin(), columns.end()) ==
          std::vector<std::string>{"a", "", "c"});
    REQUIRE(file.next());
    CHECK_ERROR(base::Error, "some/file.txt:2: expected 3 columns separated by tabs, found 2",
                file.columns(file.line(), 3));
}

TEST_CASE("numbers are read as Python reads them, and nothing else is a number")
{
    const test::ScratchFolder scratch;
    TextFile file = open(scratch, "line\n");
    REQUIRE(file.next());
    CHECK(file.number("4.400", "score") == 4.4);
    CHECK(file.number(" +1e1 ", "score") == 10.0);
    CHECK(file.number("-.5", "score") == -0.5);
    CHECK(file.integer(" 3\t", "label") == 3);
    for (const char* wrong : {"", "four", "1.0x", "nan", "inf", "-inf", "1e999", "+-1", "1 2"})
        CHECK_THROWS_AS((void)file.number(wrong, "score"), base::Error);
    for (const char* wrong : {"1e300", "-1e31"}) // no correlation could be computed of them
        CHECK_ERROR(base::Error, "beyond any scale", file.number(wrong, "score"));
    for (const char* wrong : {"", "1.5", "99999999999", "x"})
        CHECK_THROWS_AS((void)file.integer(wrong, "label"), base::Error);
    CHECK_ERROR(base::Error, "some/file.txt:1: 'four'", file.number("four", "gold score"));
}

TEST_CASE("what a message quotes is short and cut between characters")
{
    CHECK(text::quote("short") == "'short'");
    CHECK(text::quote(std::string(39, 'x') + "\xC3\xA9" + "tail") ==
          "'" + std::string(39, 'x') + "...'");
}

TEST_CASE("a line of a megabyte is one line")
{
    const std::string line(1 << 20, 'x');
    CHECK(lines_of(line + "\nshort\n", Encoding::latin1, LineEnds::unicode) ==
          Lines{{1, line}, {2, "short"}});
}
