// The prepared datasets have the sizes that their papers and readmes give.
#include "support/support.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace senteval;

namespace {

struct Facts {
    const char* task;
    std::size_t samples;
    std::uint32_t test_items;
};

} // namespace

TEST_CASE("the real transfer datasets have their published sizes")
{
    const auto folder = test::shared_or_skip("senteval_data/downstream");
    if (!folder)
        return;
    const task::Tasks catalog = tasks::catalog();
    for (const Facts& facts : {
             Facts{"MR", 10662, 10662},
             {"CR", 3775, 3775},
             {"SUBJ", 10000, 10000},
             {"MPQA", 10606, 10606},
             {"SST2", 67349 + 872 + 1821, 1821},
             {"SST5", 8544 + 1101 + 2210, 2210},
             {"TREC", 5452 + 500, 500},
             {"MRPC", 2 * (4076 + 1725), 1725},
             {"SICKEntailment", 2 * 9927, 4927},
             {"SICKRelatedness", 2 * 9927, 4927},
             {"STSBenchmark", 2 * (5749 + 1500 + 1379), 1379},
             {"SNLI", 2 * (8330 + 9842 + 9824), 9824}, // training part: a substitute of 8330 pairs
         }) {
        CAPTURE(facts.task);
        task::DataFolder data(folder->parent_path());
        const auto loaded = task::select(catalog, facts.task).front()->load(data);
        CHECK(loaded->samples().size() == facts.samples);
        CHECK_NOTHROW((void)loaded->item(facts.test_items - 1));
        CHECK_THROWS((void)loaded->item(facts.test_items));
    }
}

TEST_CASE("the real probing samples are read")
{
    const auto folder = test::shared_or_skip("senteval_data/probing");
    if (!folder)
        return;
    const task::Tasks catalog = tasks::catalog();
    std::size_t sentences = 0;
    for (const task::Task* task : task::select(catalog, "probing")) {
        task::DataFolder data(folder->parent_path());
        sentences += task->load(data)->samples().size();
    }
    CHECK(sentences == 1238);
}
