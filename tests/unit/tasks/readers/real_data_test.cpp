// The prepared datasets have the sizes that their papers and readmes give.
#include "data/manifest.hpp"
#include "support/support.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"

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
             {"MRPC", 2UL * (4076 + 1725), 1725},
             {"SICKEntailment", 2UL * 9927, 4927},
             {"SICKRelatedness", 2UL * 9927, 4927},
             {"STSBenchmark", 2UL * (5749 + 1500 + 1379), 1379},
             {"STS12", 2UL * 3108, 3108}, // pairs with a score
             {"STS13", 2UL * 1500, 1500},
             {"STS14", 2UL * 3750, 3750},
             {"STS15", 2UL * 3000, 3000},
             {"STS16", 2UL * 1186, 1186},
             {"SNLI", 2UL * (8330 + 9842 + 9824),
              9824}, // training part: a substitute of 8330 pairs
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

TEST_CASE("readers find the lines and labels that the manifest states")
{
    const auto folder = test::shared_or_skip("senteval_data");
    if (!folder)
        return;
    std::size_t compared = 0;
    for (const auto& task : tasks::catalog()) {
        const std::string& name = task->info().name;
        const data::Dataset* dataset = data::builtin_manifest().for_task(name);
        // the folder has samples of the probing files, and a substitute for SNLI's training part
        if (dataset == nullptr || dataset->group == "probing" || name == "SNLI" ||
            !std::filesystem::exists(*folder / task->info().files.front()))
            continue;
        CAPTURE(name);
        task::DataFolder data(*folder);
        (void)task->load(data);
        for (const data::File& file : dataset->files) {
            CAPTURE(file.path);
            const auto read = data.contents().find(file.path);
            REQUIRE(read != data.contents().end());
            CHECK(read->second.lines == file.lines);
            if (!file.labels.empty() && !read->second.labels.empty())
                CHECK(std::map<std::string, std::uint64_t>(
                          read->second.labels.begin(), read->second.labels.end()) == file.labels);
            ++compared;
        }
    }
    CHECK(compared >= 60);
}
