#include "support/reading.hpp"
#include "support/support.hpp"
#include "tasks/readers/readers.hpp"

using namespace senteval;
using tasks::Dataset;
using tasks::Part;
using Labels = std::vector<std::uint32_t>;

TEST_CASE("a binary set is one file per class, the class 1 first, sorted by length and label")
{
    const test::ScratchFolder scratch;
    scratch.write("good", "very good\r\n\ncaf\xE9\n");
    scratch.write("bad", "bad\n");
    const auto source = tasks::binary_source({"positive", "good"}, {"negative", "bad"});
    CHECK(source.files == std::vector<std::string>{"good", "bad"});
    const Dataset dataset = test::read(source, scratch);
    CHECK(dataset.classes == std::vector<std::string>{"negative", "positive"});
    REQUIRE(dataset.parts.size() == 1);
    const Part& part = dataset.parts.front();
    CHECK(part.labels == Labels{1, 1, 1, 0});
    CHECK(part.first[1].tokens == 0);
    CHECK(part.first[2].text == "caf\xC3\xA9");
    CHECK(part.order == Labels{1, 3, 2, 0});
    CHECK(part.tested);
    CHECK(dataset.samples.size() == 4);

    scratch.write("bad", "");
    CHECK_ERROR(base::Error, "bad: there are no items in it", test::read(source, scratch));
}

TEST_CASE("SST-2 is a sentence and a label, SST-5 a label and a sentence")
{
    const test::ScratchFolder scratch;
    const auto write = [&](const std::string& train, const std::string& rest) {
        scratch.write("sentiment-train", train);
        scratch.write("sentiment-dev", rest);
        scratch.write("sentiment-test", rest);
    };
    write("a good film\t1\nbad\t0\r\n", "fine\t1\n");
    const Dataset two = test::read(tasks::sst2_source("."), scratch);
    REQUIRE(two.parts.size() == 3);
    CHECK(two.part("train").labels == Labels{1, 0});
    CHECK(two.part("train").order == Labels{1, 0});
    CHECK_FALSE(two.part("dev").tested);
    CHECK(two.part("test").tested);
    CHECK(two.samples.size() == 4);

    write("4 a great film\n0 awful\n", "2 so so\n");
    const Dataset five = test::read(tasks::sst5_source("."), scratch);
    CHECK(five.classes.size() == 5);
    CHECK(five.part("train").labels == Labels{4, 0});
    CHECK(five.part("train").first[0].text == "a great film");

    CHECK_ERROR(base::Error, "sentiment-train:1: expected 2 columns",
                test::read(tasks::sst2_source("."), scratch));
    write("good\t1\nbad\t0\nodd\t7\n", "x\t1\n");
    CHECK_ERROR(base::Error, "sentiment-train:3: label 7 is outside 0 to 1",
                test::read(tasks::sst2_source("."), scratch));
    write("good\t1\nbetter\t1\n", "x\t1\n");
    CHECK_ERROR(base::Error, "sentiment-train: all 2 items have the same class",
                test::read(tasks::sst2_source("."), scratch));
    write("word\n", "x\t1\n");
    CHECK_ERROR(base::Error, "sentiment-train:1: expected a label",
                test::read(tasks::sst5_source("."), scratch));
}

TEST_CASE("a missing split is named")
{
    const test::ScratchFolder scratch;
    scratch.write("sentiment-train", "a\t1\nb\t0\n");
    CHECK_ERROR(base::Error, "sentiment-dev", test::read(tasks::sst2_source("."), scratch));
}

TEST_CASE("TREC's class is the coarse label, and the fine one is dropped")
{
    const test::ScratchFolder scratch;
    scratch.write("train_5500.label", "NUM:dist How far : is it ?\nDESC:manner Why\xA0so ?\n");
    scratch.write("TREC_10.label", "HUM:ind Who ?\n");
    const Dataset dataset = test::read(tasks::trec_source("."), scratch);
    CHECK(dataset.part("train").labels == Labels{5, 1});
    CHECK(dataset.part("train").first[0].text == "How far : is it ?");
    CHECK(dataset.part("train").first[1].text == "Why so ?");
    CHECK(dataset.part("test").labels == Labels{3});

    scratch.write("TREC_10.label", "HUM:ind Who ?\nNUN:x What ?\n");
    CHECK_ERROR(base::Error, "TREC_10.label:2: 'NUN'",
                test::read(tasks::trec_source("."), scratch));
}

TEST_CASE("MRPC has a header and two sentences")
{
    const test::ScratchFolder scratch;
    const std::string header = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n";
    scratch.write("msr_paraphrase_train.txt", header + "1\t1\t2\ta b\tc\n0\t3\t4\td\te f\n");
    scratch.write("msr_paraphrase_test.txt", header + "1\t5\t6\tg\th\n");
    const Dataset dataset = test::read(tasks::mrpc_source("."), scratch);
    const Part& train = dataset.part("train");
    CHECK(train.labels == Labels{1, 0});
    CHECK(train.second[1].text == "e f");
    CHECK(train.order == Labels{1, 0});
    // all first sentences of a part, then all second ones
    CHECK(dataset.samples[1].text == "d");
    CHECK(dataset.samples[2].text == "c");

    scratch.write("msr_paraphrase_test.txt", header);
    CHECK_ERROR(base::Error, "msr_paraphrase_test.txt: there are no items in it",
                test::read(tasks::mrpc_source("."), scratch));
}

TEST_CASE("SICK gives labels to one task and scores to the other")
{
    const test::ScratchFolder scratch;
    const std::string header = "pair_ID\tA\tB\tscore\tlabel\r\n";
    const std::string lines = "1\ta\tb\t3.6\tNEUTRAL\r\n2\tc\td\t1.5\tENTAILMENT\r\n";
    for (const char* part : {"train", "trial", "test_annotated"})
        scratch.write(std::string("SICK_") + part + ".txt", header + lines);
    const Dataset entailment = test::read(tasks::sick_entailment_source("."), scratch);
    CHECK(entailment.part("dev").labels == Labels{1, 2});
    const Dataset relatedness = test::read(tasks::sick_relatedness_source("."), scratch);
    CHECK(relatedness.part("test").scores == std::vector<double>{3.6, 1.5});
    CHECK(relatedness.part("test").order == Labels{1, 0});
    CHECK(relatedness.part("test").labels.empty());
    scratch.write("SICK_trial.txt", header + "1\ta\tb\t?\tNEUTRAL\n");
    CHECK_ERROR(base::Error, "SICK_trial.txt:2: '?'",
                test::read(tasks::sick_relatedness_source("."), scratch));
}

TEST_CASE("the STS Benchmark ignores columns after the sentences")
{
    const test::ScratchFolder scratch;
    for (const char* part : {"train", "dev", "test"})
        scratch.write(std::string("sts-") + part + ".csv",
                      "g\tf\ty\t1\t0.0\ta b\tc\n"
                      "g\tf\ty\t2\t5.000\td\te\tlicence\tnote\n");
    const Dataset dataset = test::read(tasks::sts_benchmark_source("."), scratch);
    CHECK(dataset.part("train").scores == std::vector<double>{0, 5});
    CHECK(dataset.part("train").second[1].text == "e");
}
