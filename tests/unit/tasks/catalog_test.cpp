#include "support/evaluate.hpp"
#include "support/support.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace senteval;

TEST_CASE("every task of the catalogue has a name of its own, groups, files and a headline")
{
    std::set<std::string> names;
    for (const auto& task : tasks::catalog()) {
        const task::Info& info = task->info();
        CAPTURE(info.name);
        CHECK(names.insert(info.name).second);
        CHECK_FALSE(info.groups.empty());
        CHECK_FALSE(info.protocol.empty());
        CHECK_FALSE(info.files.empty());
        CHECK_FALSE(info.headline.empty());
    }
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
    CHECK(task::select(catalog, "transfer").size() == 12);
    CHECK(task::select(catalog, "similarity").size() == 9);
    CHECK(task::select(catalog, "nli").size() == 4);
    CHECK(task::select(catalog, "MultiNLI").size() == 2);
    CHECK(task::select(catalog, "probing").size() == 10);
    CHECK(task::select(catalog, "retrieval").size() == 1);
    CHECK(task::select(catalog, "all").size() == catalog.size());
}

TEST_CASE("the sample images and captions are ranked both ways")
{
    const task::Tasks catalog = tasks::catalog();
    const task::Task* task = task::select(catalog, "ImageCaptionRetrieval").front();
    const task::Result result = test::evaluate(*task, test::source_dir() / "data" / "samples");
    const auto& metrics = result.metrics;
    REQUIRE(metrics["acc"].size() == 2);
    CHECK(metrics["acc"][0][0] == metrics["image_to_text"]["r1"]);
    CHECK(metrics["acc"][1][3] == metrics["text_to_image"]["median_rank"]);
    // ten hits of twelve images are chance in a part of twelve images
    CHECK(metrics["image_to_text"]["r10"].get<double>() > 50.0);
    CHECK(metrics["ndev"] == 250);
    CHECK(metrics["ntest"] == 300);
    CHECK(result.details["passes"] > 0);
}
