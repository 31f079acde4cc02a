#include "support/support.hpp"
#include "text/records.hpp"

using namespace senteval;
using text::RecordForm;

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// A file with this content, as it is read.
struct File {
    File(const std::string& content, RecordForm form, bool has_header)
        : path(scratch.write("file", content)),
          file(path.string(),
               base::MappedFile(path),
               text::Encoding::utf8,
               text::LineEnds::newlines,
               nullptr,
               true),
          records(file, form, has_header)
    {
    }

    Rows rows()
    {
        Rows rows;
        while (records.next()) {
            rows.emplace_back();
            for (std::size_t i = 0; i < records.size(); ++i)
                rows.back().emplace_back(records.field(i));
        }
        return rows;
    }

    test::ScratchFolder scratch;
    std::filesystem::path path;
    text::TextFile file;
    text::Records records;
};

Rows rows_of(const std::string& content, RecordForm form)
{
    return File(content, form, false).rows();
}

std::string failure_of(const std::string& content, RecordForm form)
{
    const std::string said = test::error_of<base::Error>([&] { return rows_of(content, form); });
    return said.substr(said.find("file:") + 5);
}

std::string gzipped(const std::string& content)
{
    const test::ScratchFolder scratch;
    scratch.write("plain", content);
    test::shell(0, "gzip " + test::quoted(scratch / "plain"));
    return base::read_file(scratch / "plain.gz");
}

} // namespace

TEST_CASE("CSV: quotes, line breaks in fields, blanks that belong to a field, empty lines, three "
          "separators")
{
    CHECK(rows_of("a,\"b, \"\"c\"\"\"\r\n\"two\nlines\", d \n\n,\n", RecordForm::csv) ==
          Rows{{"a", "b, \"c\""}, {"two\nlines", " d "}, {"", ""}});
    CHECK(rows_of("a;b,c;d\n1;2;3\n", RecordForm::csv) == Rows{{"a", "b,c", "d"}, {"1", "2", "3"}});
    CHECK(rows_of("a|b,c\n1|2\n", RecordForm::csv) == Rows{{"a|b", "c"}, {"1|2"}});
    CHECK(rows_of("a|b|c\n1,0|2|\n", RecordForm::csv) == Rows{{"a", "b", "c"}, {"1,0", "2", ""}});
    CHECK(rows_of("\"x;y\",b\n", RecordForm::csv) == Rows{{"x;y", "b"}});
    CHECK(rows_of("a\tb\n\"c\td\"\te", RecordForm::csv) == Rows{{"a", "b"}, {"c\td", "e"}});
    CHECK(rows_of("", RecordForm::csv).empty());
    CHECK(failure_of("a,b\n\"c\nd\n", RecordForm::csv).starts_with("2: "));
    CHECK(failure_of("a,b\nc,d\"e\"\n", RecordForm::csv).starts_with("2: "));
}

TEST_CASE("CSV: a header names the fields, and a record knows its first line")
{
    File file("text , label\n\"one\ntwo\",a\nthree,b\n", RecordForm::csv, true);
    CHECK(file.records.header() == std::vector<std::string>{"text", "label"});
    REQUIRE(file.records.next());
    CHECK(file.records.line_number() == 2);
    CHECK(file.records.field(1) == "a");
    REQUIRE(file.records.next());
    CHECK(file.records.line_number() == 4);
    CHECK_THROWS_AS((void)file.records.field(2), base::Error);
    CHECK_FALSE(file.records.next());
}

TEST_CASE("JSON lines: fields by the names of the first object, digits as they stand")
{
    File file("{\"text\": \"a\\tb\\n\", \"label\": 1.50, \"n\": 12345678901234567890123}\n"
              "{\"n\": -7, \"more\": {\"text\": [1]}, \"text\": true, \"label\": \"\\u00e9\"}\n"
              " \n{\"text\": null}\n\n",
              RecordForm::json_lines, false);
    CHECK(file.records.header() == std::vector<std::string>{"text", "label", "n"});
    for (const auto& fields :
         Rows{{"a\tb\n", "1.50", "12345678901234567890123"}, {"true", "\xC3\xA9", "-7"}}) {
        REQUIRE(file.records.next());
        for (const std::size_t i : {0U, 1U, 2U})
            CHECK(file.records.field(i) == fields[i]);
    }
    REQUIRE(file.records.next());
    CHECK(file.records.line_number() == 4); // an empty line is no record
    for (const std::size_t missing : {0U, 1U, 2U})
        CHECK_THROWS_AS((void)file.records.field(missing), base::Error);
    CHECK_FALSE(file.records.next());
}

TEST_CASE(
    "JSON lines: what is no flat object, and a key that stands twice, are refused with their line")
{
    for (const char* line :
         {"{\"a\": 1, \"a\": 2}", "[1]", "3", "{\"a\": 1} {}", "{\"a\": ", "text"}) {
        CAPTURE(line);
        CHECK(failure_of("{\"a\": 1}\n" + std::string(line) + "\n", RecordForm::json_lines)
                  .starts_with("2: "));
    }
    File nested("{\"a\": {\"a\": 1, \"b\": [{\"c\": 4}]}, \"c\": 2}\n", RecordForm::json_lines,
                false);
    REQUIRE(nested.records.next());
    CHECK(nested.records.header() == std::vector<std::string>{"a", "c"});
    CHECK_THROWS_AS((void)nested.records.field(0), base::Error);
    CHECK(nested.records.field(1) == "2");
}

TEST_CASE("JSON lines: lists of texts and numbers keep their digits, others are no lists")
{
    File file("{\"a\": [\"x\", 1.50, true], \"b\": []}\n"
              "{\"a\": [[1], 2], \"b\": [null]}\n{\"a\": \"x\", \"b\": {\"c\": [\"d\"]}}\n{}\n",
              RecordForm::json_lines, false);
    REQUIRE(file.records.next());
    CHECK(file.records.list(0) == std::vector<std::string>{"x", "1.50", "true"});
    CHECK(file.records.list(1).empty());
    CHECK_THROWS_AS((void)file.records.field(0), base::Error);
    for (int line = 2; line < 5; ++line) {
        REQUIRE(file.records.next());
        CHECK_THROWS_AS((void)file.records.list(0), base::Error);
        CHECK_THROWS_AS((void)file.records.list(1), base::Error);
    }
    CHECK_THROWS_AS((void)file.records.list(7), base::Error);
}

TEST_CASE("TSV is not quoted; an empty line is a record without fields")
{
    CHECK(rows_of("\"a\tb\"\n\nc\td\n", RecordForm::tsv) == Rows{{"\"a", "b\""}, {}, {"c", "d"}});
}

TEST_CASE("compressed, UTF-16 and UTF-32 files are read as their text")
{
    const std::string csv = "a,b\nc,d\n";
    const Rows rows{{"a", "b"}, {"c", "d"}};
    CHECK(rows_of(gzipped(csv), RecordForm::csv) == rows);
    CHECK(rows_of(gzipped("a,b\n") + gzipped("c,d\n"), RecordForm::csv) == rows);
    std::string little("\xFF\xFE", 2);
    std::string big("\xFE\xFF", 2);
    std::string wide("\xFF\xFE\0\0", 4);
    for (const char c : csv) {
        wide += {c, '\0', '\0', '\0'};
        little += {c, '\0'};
        big += {'\0', c};
    }
    CHECK(rows_of(little, RecordForm::csv) == rows);
    CHECK(rows_of(big, RecordForm::csv) == rows);
    CHECK(rows_of(wide, RecordForm::csv) == rows);
    CHECK(rows_of(gzipped(little), RecordForm::csv) == rows);
    const std::string whole = gzipped(std::string(1000, 'x') + csv);
    CHECK_THROWS_AS((void)rows_of(whole.substr(0, whole.size() - 9), RecordForm::csv), base::Error);
    CHECK_THROWS_AS((void)rows_of(little.substr(0, 5), RecordForm::csv), base::Error);
}

TEST_CASE("the form of a file is told by its name")
{
    CHECK(text::record_form_of("a.csv") == RecordForm::csv);
    CHECK(text::record_form_of("b/a.csv.gz") == RecordForm::csv);
    CHECK(text::record_form_of("a.jsonl.gz") == RecordForm::json_lines);
    CHECK(text::record_form_of("a.json") == RecordForm::json_lines);
    CHECK(text::record_form_of("a.ndjson") == RecordForm::json_lines);
    CHECK(text::record_form_of("csv") == RecordForm::tsv);
    CHECK(text::record_form_of("a.tsv.gz") == RecordForm::tsv);
}
