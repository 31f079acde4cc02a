#include "base/error.hpp"
#include "support/support.hpp"
#include "tasks/readers/readers.hpp"

using namespace senteval;
using tasks::Dataset;

namespace {

Dataset read(const test::ScratchFolder& scratch, const std::string& input, const std::string& gold)
{
    scratch.write("sts/STS.input.one.txt", input);
    scratch.write("sts/STS.gs.one.txt", gold);
    task::DataFolder data(scratch.path());
    return tasks::sts_source("sts", {"one"}).read(data);
}

std::string error_of(const std::string& input, const std::string& gold)
{
    const test::ScratchFolder scratch;
    try {
        (void)read(scratch, input, gold);
    } catch (const base::Error& error) {
        std::string message = error.what();
        const std::string folder = scratch.path().string() + "/sts/";
        for (std::size_t at = 0; (at = message.find(folder)) != std::string::npos;)
            message.erase(at, folder.size());
        return message;
    }
    return {};
}

} // namespace

TEST_CASE("an STS subset is its scored pairs, sorted by lengths")
{
    const test::ScratchFolder scratch;
    const Dataset dataset = read(scratch, "a  b\tc d\tsource note\nx\ty\ni\tj k\n", "3.5\n\n1\n");
    REQUIRE(dataset.parts.size() == 1);
    const tasks::Part& part = dataset.parts.front();
    CHECK(part.name == "one");
    CHECK(part.tested);
    REQUIRE(part.size() == 2);
    CHECK(part.first[0].text == "a b");
    CHECK(part.second[0].text == "c d");
    CHECK(part.scores == std::vector<double>{3.5, 1.0});
    CHECK(part.order == std::vector<std::uint32_t>{1, 0});
    REQUIRE(dataset.samples.size() == 4);
    CHECK(dataset.samples[0].text == "i");
    CHECK(dataset.samples[3].text == "c d");
}

TEST_CASE("Windows line ends are read as any other")
{
    const test::ScratchFolder scratch;
    const Dataset dataset = read(scratch, "a\tb\r\nc\td\r\n", "1.0\r\n2.0\r\n");
    CHECK(dataset.parts.front().second[1].text == "d");
    CHECK(dataset.parts.front().scores == std::vector<double>{1.0, 2.0});
}

TEST_CASE("a broken STS subset is refused with file and line")
{
    CHECK(error_of("a\tb\nc\td\n", "1\n") ==
          "STS.input.one.txt has 2 lines, but STS.gs.one.txt has 1: line n of the one belongs to "
          "line n of the other");
    CHECK(error_of("a\tb\nno tab\n", "1\n2\n") ==
          "STS.input.one.txt:2: expected 2 columns separated by tabs, found 1");
    CHECK(error_of("a\tb\n", "high\n") ==
          "STS.gs.one.txt:1: 'high' is not a number, and a gold score is expected here");
    CHECK(error_of("a\tb\nb\xFFz\tc\n", "1\n2\n")
              .starts_with("STS.input.one.txt:2: the byte 0xFF is not valid UTF-8"));
    CHECK(error_of("", "") == "STS.gs.one.txt: there are no items in it");
    CHECK(error_of("a\tb\n", "\n") == "STS.gs.one.txt: there are no items in it");
}
