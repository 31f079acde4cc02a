#include "support/reading.hpp"
#include "support/support.hpp"
#include "tasks/readers/readers.hpp"

using namespace senteval;
using tasks::Dataset;

namespace {

void write(const test::ScratchFolder& scratch,
           const std::string& part,
           const std::string& s1,
           const std::string& s2,
           const std::string& labels)
{
    scratch.write("s1." + part, s1);
    scratch.write("s2." + part, s2);
    scratch.write("labels." + part, labels);
}

tasks::Source source()
{
    return tasks::nli_source(".", text::Encoding::latin1, {"train", "dev", "test"});
}

} // namespace

TEST_CASE("NLI is sorted by hypothesis, premise and the label's name, and shown so to prepare")
{
    const test::ScratchFolder scratch;
    write(scratch, "train", "a b\nc\nd\ne\n", "f\ng h\ni\nj\n",
          "neutral\nentailment\nneutral\ncontradiction\n");
    write(scratch, "dev", "a\n", "b\n", "neutral\n");
    write(scratch, "test", "a\n", "b\n", "entailment\n");
    const Dataset dataset = test::read(source(), scratch);
    const tasks::Part& train = dataset.part("train");
    CHECK(train.labels == std::vector<std::uint32_t>{1, 0, 1, 2});
    // contradiction comes before neutral although its number is higher
    CHECK(train.order == std::vector<std::uint32_t>{3, 2, 0, 1});
    CHECK(dataset.samples[0].text == "e");
    CHECK(dataset.samples[4].text == "j");
    CHECK(dataset.part("test").tested);
}

TEST_CASE("NLI files of unequal length, unknown labels and empty files are refused")
{
    const test::ScratchFolder scratch;
    write(scratch, "train", "a\nb\nc\n", "a\nb\nc\n", "neutral\nentailment\n");
    CHECK_ERROR(base::Error, "s2.train has 3 lines, but ", test::read(source(), scratch));
    write(scratch, "train", "a\nb\n", "a\nb\n", "neutral\n-\n");
    CHECK_ERROR(base::Error, "labels.train:2: '-'", test::read(source(), scratch));
    write(scratch, "train", "", "", "");
    CHECK_ERROR(base::Error, "labels.train: there are no items in it",
                test::read(source(), scratch));
}

TEST_CASE("a letter that contains the byte 0x85 does not shift the lines")
{
    const test::ScratchFolder scratch;
    const std::string angstrom = "\xC3\x85";
    write(scratch, "train", angstrom + "re\nb\n", "c\nd\n", "neutral\nentailment\n");
    write(scratch, "dev", "a\n", "b\n", "neutral\n");
    write(scratch, "test", "a\n", "b\n", "neutral\n");
    const Dataset dataset = test::read(source(), scratch);
    CHECK(dataset.part("train").size() == 2);
    CHECK(dataset.part("train").first[0].text == "\xC3\x83 re"); // latin-1, as the original reads
}
