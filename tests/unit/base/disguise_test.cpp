#include "base/disguise.hpp"
#include "base/files.hpp"
#include "support/support.hpp"

using namespace senteval;
using base::disguise_of;
using base::Wanted;
using namespace std::string_literals;

TEST_CASE("a file is told for what it is, with what to type")
{
    struct Row {
        std::string bytes;
        std::string problem;
        std::string text;    ///< in the advice to who reads lines
        std::string vectors; ///< to who reads vectors; empty: it is right there
    };
    const auto zip = [](const std::string& name) {
        return "PK\x03\x04" + std::string(70'000, ' ') + name + "PK\x05\x06";
    };
    const Row rows[] = {
        {zip("xl/workbook.xml"), "Excel", "read_excel", "read_excel"},
        {zip("archive/data.pkl"), "torch", "numbers", "torch.load"},
        {zip("a.npy"), "savez", "numbers", "numpy.load"},
        {zip("a.txt"), "zip", "unzip", "unzip"},
        {"PAR1\x15", "Parquet", "read_parquet", "read_parquet"},
        {"ARROW1\0\0"s, "Arrow", "read_feather", "read_feather"},
        {"\x80\x02}q", "pickle", "read_pickle", "read_pickle"},
        {"\x80\x04\x95\x10", "pickle", "read_pickle", "read_pickle"},
        {"\x93NUMPY\x01\x00"s, "numpy.save", "numbers", ""},
        {"\x80\x02\0\0\0\0\0\0{\"a\""s, "safetensors", "numbers", "safetensors.numpy.load_file"},
        {"\x1f\x8b\x08", "gzip", "gzip -d", "gzip -d"},
        {"BZh91AY", "bzip2", "bzip2 -d", "bzip2 -d"},
        {"\xfd\x37zXZ\0"s, "xz", "xz -d", "xz -d"},
        {"\x28\xb5\x2f\xfd x", "zstd", "zstd -d", "zstd -d"},
        {"\xff\xfe\0\0a\0\0\0"s, "UTF-32", "iconv -f utf-32", "iconv -f utf-32"},
        {"\xff\xfe"
         "a\0"s,
         "UTF-16", "iconv -f utf-16", "iconv -f utf-16"},
        {" <!DOCTYPE html>", "HTML", "", " "},
        {"version https://git-lfs.github.com", "LFS", "git lfs pull", "git lfs pull"},
        {"a\0b\0"s, "UTF-16", "utf-16le", ""},
        {"\0a\0b"s, "UTF-16", "utf-16be", ""},
        {"a\0b\0c"s, "bytes that are 0", "tr -d", ""},
        {"text\0,label\n"s, "bytes that are 0", "tr -d", ""},
        {"[\n {\"a\": 1}]", "JSON list", "json.load", ""},
        {"{\n \"a\": 1}", "JSON object", "read_json", ""},
        {"{\"a\":{\"0\":1}}", "JSON object", "read_json", "json.loads"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.problem);
        const auto as_text = disguise_of(row.bytes, Wanted::text);
        REQUIRE(as_text.has_value());
        CHECK(test::contains(as_text->problem, row.problem));
        CHECK(test::contains(as_text->advice, row.text));
        const auto as_vectors = disguise_of(row.bytes, Wanted::vectors);
        CHECK(as_vectors.has_value() == !row.vectors.empty());
        if (as_vectors && row.vectors != " ")
            CHECK(test::contains(as_vectors->advice, row.vectors));
    }
    for (const char* text :
         {"", "bzh is no word", "[ one ]", "[", "{\"a\": [1]}", "\xE2\x82\xAC 5"})
        CHECK_FALSE(disguise_of(text, Wanted::text).has_value());
}

TEST_CASE(
    "a reader's own form is no disguise, and weights that are a pickle say how they are converted")
{
    const std::string tensors = "\x80\x02\0\0\0\0\0\0{\"a\""s; // begins as a pickle does
    CHECK_FALSE(disguise_of(tensors, Wanted::model).has_value());
    CHECK_FALSE(disguise_of(tensors, Wanted::anything).has_value());
    CHECK_FALSE(disguise_of("\x93NUMPY", Wanted::anything).has_value());
    CHECK(test::contains(disguise_of("\x80\x02}q", Wanted::model).value().advice, "save_file"));
    CHECK(disguise_of("PK\x03\x04x", Wanted::anything).value().archive);
    CHECK_FALSE(disguise_of("PAR1", Wanted::anything).value().archive);
}

TEST_CASE("the commands for other forms than lines of UTF-8 give lines of UTF-8")
{
    const auto converted = [](const std::string& bytes) {
        const test::ScratchFolder scratch;
        scratch.write("FILE", bytes);
        const std::string advice = disguise_of(bytes, Wanted::text).value().advice;
        const std::string command = advice.substr(advice.find(": ") + 2);
        test::shell(0, "cd " + test::quoted(scratch.path()) + " && " + command);
        return base::read_file(scratch / advice.substr(advice.rfind(' ') + 1));
    };
    CHECK(converted("a\0\t\0b\0\n\0"s) == "a\tb\n");
    CHECK(converted("\xff\xfe"
                    "a\0\n\0"s) == "a\n");
    CHECK(converted("\xff\xfe\0\0a\0\0\0"s) == "a");
    CHECK(converted("\0a\0\t\0b\0\n"s) == "a\tb\n");
    CHECK(converted("a\0b\n"s) == "ab\n");
    CHECK(converted("[\n {\"a\": 1.50, \"b\": [2]}, {\"a\": 12345678901234567890}]") ==
          "{\"a\": \"1.50\", \"b\": [2]}\n{\"a\": 12345678901234567890}\n");
}

TEST_CASE("a line without a TAB names the key that reads its form")
{
    CHECK(base::disguise_of_line("a line of words").empty());
    CHECK(test::contains(base::disguise_of_line("text,label"), "format = \"csv\""));
    CHECK(test::contains(base::disguise_of_line("{\"a\": 1}"), "format = \"jsonl\""));
}
