#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "model_files/files.hpp"
#include "support/support.hpp"

#include <sys/stat.h>

using namespace senteval;
using model_files::Json;
using test::ScratchFolder;

namespace {

Json json(const std::string& text)
{
    return model_files::parse_json("FILE", text);
}

std::string json_refusal(const std::string& text)
{
    return test::error_of<sdk::Error>([&] { return json(text); });
}

} // namespace

TEST_CASE("numbers are read as the tokenizers library reads them")
{
    // One unit in the last place off the nearest double, each as that library has it.
    CHECK(json("-10.123456789012345") == doctest::Approx(-10.123456789012345));
    CHECK(json("1e-12").get<double>() == 1e-12);
    CHECK(json("-0.5").get<double>() == -0.5);
    CHECK(json("2.5E+3").get<double>() == 2500.0);
    CHECK(json("1.8446744073709551616").get<double>() == doctest::Approx(1.8446744073709551616));
    CHECK(json("123456789012345678901234567890.5").get<double>() ==
          doctest::Approx(1.2345678901234568e29));
    CHECK(json("7").get<int>() == 7);
}

TEST_CASE("what is no JSON is refused with the name of the file")
{
    for (const char* const text : {"", "{", "{\"a\": 1", "nonsense", "[1,]", "1e999"})
        CHECK(json_refusal(text).starts_with("FILE: "));
    CHECK(test::contains(json_refusal(std::string(100, '[')), "levels"));
    CHECK(test::contains(json_refusal("version https://git-lfs.github.com/spec/v1\noid"),
                         "git lfs pull"));
    CHECK(json_refusal(std::string(40, '[') + std::string(40, ']')).empty());
}

TEST_CASE("lines of a file, whatever ends them")
{
    const ScratchFolder scratch;
    CHECK(model_files::read_lines(scratch.write("a", "x\r\n\ny")) ==
          std::vector<std::string>{"x", "", "y"});
    CHECK(model_files::read_json_if(scratch / "absent.json").empty());
    CHECK_THROWS_AS(model_files::read_json(scratch / "absent.json"), sdk::Error);
    REQUIRE(::mkfifo((scratch / "pipe.json").c_str(), 0600) == 0); // on which reading would wait
    CHECK_THROWS_AS(model_files::read_json(scratch / "pipe.json"), sdk::Error);
    CHECK_THROWS_AS(base::fingerprint_file(scratch / "pipe.json"), base::Error);
    scratch.write("long.json", "");
    std::filesystem::resize_file(scratch / "long.json", std::size_t{1} << 30U);
    CHECK(test::contains(
        test::error_of<sdk::Error>([&] { return model_files::read_json(scratch / "long.json"); }),
        "1073741824"));
}
