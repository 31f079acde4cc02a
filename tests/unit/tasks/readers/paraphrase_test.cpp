#include "base/error.hpp"
#include "support/support.hpp"
#include "task/data_folder.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"
#include "tasks/readers/readers.hpp"

using namespace senteval;
using tasks::Dataset;

namespace {

Dataset read_tweets(const test::ScratchFolder& scratch,
                    const std::string& dev,
                    const std::string& test,
                    const std::string& label)
{
    scratch.write("pit/dev.data", dev);
    scratch.write("pit/test.data", test);
    scratch.write("pit/test.label", label);
    task::DataFolder data(scratch.path());
    return tasks::twitter_similarity_source("pit").read(data);
}

} // namespace

TEST_CASE("tweets have the share of votes, or the organisers' score")
{
    const test::ScratchFolder scratch;
    const Dataset dataset = read_tweets(
        scratch,
        "1\tRain\tit rains again\train again\t(4, 1)\ttags\n1\tRain\twet\tdry\t(0, 5)\ttags\n",
        "2\tSun\tsun at last\tthe sun is out\t3\ttags\n2\tSun\thot\tcold today\t0\ttags\n",
        "----\t0.6000\nfalse\t0.2\n");
    REQUIRE(dataset.parts.size() == 2);
    const tasks::Part& dev = dataset.part("dev");
    CHECK_FALSE(dev.tested);
    CHECK(dev.scores == std::vector<double>{0.8, 0});
    CHECK(dev.first[0].text == "it rains again");
    CHECK(dev.second[1].text == "dry");
    const tasks::Part& part = dataset.part("test");
    CHECK(part.tested);
    CHECK(part.scores == std::vector<double>{0.6, 0.2});
    CHECK(part.second[0].text == "the sun is out");
    CHECK(dataset.samples.size() == 8);
}

TEST_CASE("tweets that cannot be read are refused with file and line")
{
    const std::string test = "2\tSun\ta\tb\t3\n";
    const auto refuse = [&](const std::string& votes, const std::string& label,
                            const std::string& why) {
        const test::ScratchFolder scratch;
        CHECK_ERROR(base::Error, why,
                    read_tweets(scratch, "1\tR\ta\tb\t" + votes + "\n", test, label));
    };
    refuse("(3, 1)", "true\t1\n", "dev.data:1: expected the votes of five people");
    refuse("3", "true\t1\n", "dev.data:1: expected the votes of five people");
    refuse("(3, 2)", "true\t1.5\n", "test.label:1");
    refuse("(3, 2)", "true\n", "test.label:1");
    refuse("(3, 2)", "true\t1\ntrue\t1\n", "test.label");
}

TEST_CASE("scored phrase pairs are read in both layouts")
{
    const test::ScratchFolder scratch;
    scratch.write("a/annotated-ppdb-dev", "to be sure\tcertainly\t4.6\n");
    scratch.write("a/annotated-ppdb-test", "a small dog\ta dog\t3\nhot\tcold\t1\n");
    scratch.write("p/JHUppdb", "hot\tcold\t1.2\nthe end\tthe finish\t4.8\n");
    task::DataFolder data(scratch.path());
    const Dataset annotated = tasks::annotated_ppdb_source("a").read(data);
    CHECK(annotated.part("dev").scores == std::vector<double>{4.6});
    CHECK(annotated.part("test").scores == std::vector<double>{3, 1});
    CHECK(annotated.part("test").tested);
    const Dataset pavlick = tasks::pavlick_source("p").read(data);
    CHECK(pavlick.part("test").scores == std::vector<double>{1.2, 4.8});
    CHECK(pavlick.part("test").second[1].text == "the finish");
    scratch.write("p/JHUppdb", "hot\tcold\t1.2\nthe end\tthe finish\t5.8\n");
    CHECK_ERROR(base::Error, "JHUppdb:2", tasks::pavlick_source("p").read(data));
}

TEST_CASE(
    "the Spanish-English pairs of STS 2016 are a task of two subsets, with the accents they have")
{
    const test::ScratchFolder scratch;
    const std::string folder = "downstream/STS/STS16-cross-lingual-test/";
    scratch.write(folder + "STS.input.news.txt",
                  "El ni\xC3\xB1o come una manzana.\tThe boy eats an apple.\n"
                  "Llueve en M\xC3\xA1laga\tIt is sunny in Oslo\n");
    scratch.write(folder + "STS.gs.news.txt", "4.8\n0.4\n");
    scratch.write(
        folder + "STS.input.multisource.txt",
        "Nobody answered.\tNadie respondi\xC3\xB3.\tnote\nAn unjudged one\tUno sin juicio\n"
        "One\tDos\n");
    const auto gold = scratch.write(folder + "STS.gs.multisource.txt", "5\n\n2\n");
    const task::Tasks catalog = tasks::catalog();
    const auto found = task::select(catalog, "SpanishEnglish");
    REQUIRE(found.size() == 1);
    CHECK(found.front()->info().name == "CrossLingualSTS16");
    CHECK(found.front()->info().files.size() == 4);
    task::DataFolder data(scratch.path());
    const auto loaded = found.front()->load(data);
    std::set<std::string> sentences;
    for (const text::Sentence& sentence : loaded->samples())
        sentences.insert(std::string(sentence.text));
    CHECK(sentences.size() == 8); // of four judged pairs
    CHECK(sentences.contains("El ni\xC3\xB1o come una manzana."));
    CHECK(sentences.contains("Nadie respondi\xC3\xB3."));
    CHECK_FALSE(sentences.contains("An unjudged one"));
    // In a group of its own, so that no run of the English sets waits for it.
    for (const task::Task* const task : task::select(catalog, "similarity"))
        CHECK(task != found.front());
    std::filesystem::remove(gold);
    task::DataFolder incomplete(scratch.path());
    CHECK_ERROR(base::Error, "STS.gs.multisource.txt", found.front()->load(incomplete));
}
