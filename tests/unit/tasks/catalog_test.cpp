#include "base/error.hpp"
#include "support/no_descriptors.hpp"
#include "support/support.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"

using namespace senteval;

TEST_CASE("what is trained knows of halves of its training part")
{
    task::Settings half;
    half.resample = 3;
    std::size_t trained = 0;
    for (const auto& task : tasks::catalog()) {
        CAPTURE(task->info().name);
        const auto& groups = task->info().groups;
        if (std::ranges::find(groups, "mteb") != groups.end())
            continue; // those draw their training items themselves
        const bool has_seed = task->protocol_settings({}).contains("seed");
        trained += has_seed ? 1U : 0U;
        CHECK(task->protocol_settings(half).contains("resample") == has_seed);
        CHECK_FALSE(task->protocol_settings({}).contains("resample"));
    }
    CHECK(trained > 20);
}

TEST_CASE("where the system refuses to open data, nobody is sent to fetch it again" *
          doctest::skip(test::is_sanitized))
{
    const task::Tasks catalog = tasks::catalog();
    const auto reason_of = [&] {
        task::DataFolder data(test::source_dir() / "data/samples", 0);
        try {
            (void)task::select(catalog, "CR").front()->load(data);
        } catch (const base::Error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(reason_of().empty());
    const std::string reason = [&] {
        const test::NoDescriptors none;
        return reason_of();
    }();
    CHECK(test::contains(reason, "Too many open files"));
    CHECK(!test::contains(reason, "data fetch"));
}

TEST_CASE("all names of SentEval are in the catalogue, and groups hold what users expect")
{
    const task::Tasks catalog = tasks::catalog();
    CHECK_NOTHROW(task::select(
        catalog,
        "CR,MR,MPQA,SUBJ,SST2,SST5,TREC,MRPC,SICKRelatedness,SICKEntailment,STSBenchmark,"
        "SNLI,ImageCaptionRetrieval,STS12,STS13,STS14,STS15,STS16,Length,WordContent,Depth,"
        "TopConstituents,BigramShift,Tense,SubjNumber,ObjNumber,OddManOut,"
        "CoordinationInversion"));
    CHECK(task::select(catalog, "MultiNLI").size() == 2);
    CHECK(task::select(catalog, "probing").size() == 10);
    CHECK(task::select(catalog, "retrieval").size() == 1);
    CHECK(task::select(catalog, "sts").size() == 7);
    CHECK(task::select(catalog, "learned").size() == 2);
    CHECK(task::select(catalog, "modern") == task::select(catalog, "mteb")); // its older name
    CHECK(task::select(catalog, "all").size() == catalog.size());
}

TEST_CASE("what the literature calls the tasks means one of them, or those that share the name")
{
    const task::Tasks catalog = tasks::catalog();
    const auto chosen = [&](std::string_view name) {
        std::string names;
        for (const task::Task* task : task::select(catalog, name))
            names += task->info().name + " ";
        return names;
    };
    for (const char* both : {"STSB", "stsbench", "STS-B", "sts_b"}) // learned and, since 2020, not
        CHECK(chosen(both) == "STSBenchmark STSBenchmarkUnsupervised ");
    CHECK(chosen("SICK-R") == "SICKRelatedness SICKRelatednessUnsupervised ");
    CHECK(chosen("STSBenchmark") == "STSBenchmark ");
    CHECK(chosen("SICK-E") == "SICKEntailment ");
    CHECK(chosen("SST-2,sst5") == "SST2 SST5 ");
    CHECK(chosen("MNLI") == "MultiNLIMatched MultiNLIMismatched ");
    CHECK(chosen("SOMO,BShift") == "BigramShift OddManOut ");
    CHECK(chosen("STS1*") == "STS12 STS13 STS14 STS15 STS16 ");
    CHECK(chosen("STS1*Raw") == "STS12Raw STS13Raw STS14Raw STS15Raw STS16Raw ");
    std::set<std::string> names;
    for (const auto& task : catalog)
        names.insert(task->info().name);
    for (const auto& task : catalog)
        for (const std::string& alias : task->info().aliases)
            CHECK_FALSE(names.contains(alias));
}
