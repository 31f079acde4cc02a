#include "support/reading.hpp"
#include "support/support.hpp"
#include "tasks/readers/readers.hpp"

using namespace senteval;
using tasks::Dataset;

TEST_CASE("probing classes are the training labels, sorted as strings")
{
    const test::ScratchFolder scratch;
    scratch.write("probe.txt", "tr\t5\ta b\ntr\t10\tc\nva\t5\td\nte\t10\tmore\te f \ntr\t11\tg\n");
    const Dataset dataset = test::read(tasks::probing_source("probe.txt"), scratch);
    CHECK(dataset.classes == std::vector<std::string>{"10", "11", "5"});
    CHECK(dataset.part("train").labels == std::vector<std::uint32_t>{2, 0, 1});
    CHECK(dataset.part("train").order == std::vector<std::uint32_t>{1, 2, 0});
    CHECK(dataset.part("test").first[0].text == "e f");
    CHECK(dataset.part("test").tested);
    CHECK(dataset.samples.size() == 5);
    CHECK(dataset.samples[3].text == "d");
}

TEST_CASE("a broken probing file is refused with its line")
{
    const test::ScratchFolder scratch;
    for (const auto& [bytes, named] : std::vector<std::pair<std::string, std::string>>{
             {"tr\t1\ta\ntr\t2\tb\nva\t3\tc\n", ":3: the label '3'"},
             {"tr\t1\ta\nxx\t1\ta\n", ":2: the first column is 'xx'"},
             {"tr\t1\n", ":1: expected 3 columns separated by tabs, found 2"},
             {"tr\t1\ta\ntr\t2\tb\nva\t1\tc\n", ": there is no test item"},
             {"tr\t1\ta\nva\t1\tb\nte\t1\tc\n", ": all 1 items have the same class"},
             {"", ": there is no train item"},
             {"tr\t1\ta\n\xFF\n", ":2: the byte 0xFF"}}) {
        scratch.write("probe.txt", bytes);
        CHECK_ERROR(base::Error, "probe.txt" + named,
                    test::read(tasks::probing_source("probe.txt"), scratch));
    }
}
