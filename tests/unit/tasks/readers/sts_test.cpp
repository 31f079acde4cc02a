#include "support/reading.hpp"
#include "support/support.hpp"
#include "tasks/readers/readers.hpp"

using namespace senteval;
using tasks::Dataset;

namespace {

Dataset read(const test::ScratchFolder& scratch, const std::string& input, const std::string& gold)
{
    scratch.write("sts/STS.input.one.txt", input);
    scratch.write("sts/STS.gs.one.txt", gold);
    return test::read(tasks::sts_source("sts", {"one"}), scratch);
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
    using Broken = std::array<std::string, 3>; // input, scores, what the error names
    for (const auto& [input, gold, named] :
         {Broken{"a\tb\nc\td\n", "1\n", "input.one.txt has 2 lines, but "},
          Broken{"a\tb\nno tab\n", "1\n2\n", "input.one.txt:2: expected 2 columns"},
          Broken{"a\tb\n", "high\n", "gs.one.txt:1: 'high'"},
          Broken{"a\tb\nb\xFFz\tc\n", "1\n2\n", "input.one.txt:2: the byte 0xFF"},
          Broken{"", "", "gs.one.txt: there are no items"},
          Broken{"a\tb\n", "\n", "gs.one.txt: there are no items"}}) {
        const test::ScratchFolder scratch;
        CHECK_ERROR(base::Error, "/sts/STS." + named, read(scratch, input, gold));
    }
}
