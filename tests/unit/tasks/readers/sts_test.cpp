#include "core/error.hpp"
#include "support/support.hpp"
#include "tasks/catalog.hpp"
#include "tasks/readers/readers.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

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
    } catch (const core::Error& error) {
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
    CHECK(error_of("a\tb\n", "1\n2\n3\n") ==
          "STS.gs.one.txt has 3 lines, but STS.input.one.txt has 1: line n of the one belongs to "
          "line n of the other");
    CHECK(error_of("a\tb\nno tab\n", "1\n2\n") ==
          "STS.input.one.txt:2: expected 2 columns separated by tabs, found 1");
    CHECK(error_of("a\tb\n", "high\n") ==
          "STS.gs.one.txt:1: 'high' is not a number, and a gold score is expected here");
    CHECK(error_of("a\tb\n", "nan\n").starts_with("STS.gs.one.txt:1: 'nan' is not a number"));
    CHECK(error_of("a\tb\nb\xFFz\tc\n", "1\n2\n")
              .starts_with("STS.input.one.txt:2: the byte 0xFF is not valid UTF-8"));
    CHECK(error_of("", "") == "STS.gs.one.txt: there are no items in it");
    CHECK(error_of("a\tb\n", "\n") == "STS.gs.one.txt: there are no items in it");
}

TEST_CASE("a missing STS file is named")
{
    const test::ScratchFolder scratch;
    task::DataFolder data(scratch.path());
    const std::string message = [&] {
        try {
            (void)tasks::sts_source("sts", {"one"}).read(data);
        } catch (const core::Error& error) {
            return std::string(error.what());
        }
        return std::string();
    }();
    CHECK(message.find("sts/STS.input.one.txt") != std::string::npos);
}

TEST_CASE("a pair of megabyte sentences is read whole")
{
    const test::ScratchFolder scratch;
    std::string sentence;
    for (int i = 0; i < 1 << 19; ++i)
        sentence += "w ";
    const Dataset dataset = read(scratch, sentence + "\t" + sentence + "\n", "1\n");
    CHECK(dataset.parts.front().second.front().tokens == 1 << 19);
}

TEST_CASE("the real STS sets have the published numbers of pairs")
{
    const auto folder = test::shared_or_skip("senteval_data/downstream/STS");
    if (!folder)
        return;
    // dataset readmes; 2015 and 2016 after dropping the pairs without a score
    const std::map<std::string, std::vector<std::size_t>> published = {
        {"STS12", {750, 750, 459, 750, 399}},      {"STS13", {189, 750, 561}},
        {"STS14", {450, 300, 750, 750, 750, 750}}, {"STS15", {375, 750, 375, 750, 750}},
        {"STS16", {254, 249, 230, 244, 209}},
    };
    const test::ScratchFolder scratch;
    for (const auto& task : tasks::catalog()) {
        const auto counts = published.find(task->info().name);
        if (counts == published.end())
            continue;
        CAPTURE(task->info().name);
        task::DataFolder data(folder->parent_path().parent_path());
        const auto loaded = task->load(data);
        std::size_t pairs = 0;
        for (const std::size_t count : counts->second)
            pairs += count;
        CHECK(loaded->samples().size() == 2 * pairs);
        CHECK(loaded->item(static_cast<std::uint32_t>(pairs - 1)).is_pair);
        CHECK_THROWS_AS((void)loaded->item(static_cast<std::uint32_t>(pairs)), core::Error);
        CHECK(data.fingerprints().size() == 2 * counts->second.size());
    }
}
