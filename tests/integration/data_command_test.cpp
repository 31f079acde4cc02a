// senteval data, as a person types it.
#include "base/files.hpp"
#include "base/json.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace senteval;

namespace {

test::Run senteval_data(const std::string& arguments)
{
    return test::shell(test::quoted(test::binary_dir() / "senteval") + " data " + arguments);
}

} // namespace

TEST_CASE("data list describes every dataset, for people and for programs")
{
    const test::Run text = senteval_data("list STS12 glove.6B");
    CHECK(text.exit_code == 0);
    CHECK(test::contains(text.out, "licence: PDDL 1.0"));
    CHECK(test::contains(text.out, "no redistribution"));
    const test::Run json = senteval_data("list --json");
    CHECK(json.exit_code == 0);
    const auto all = base::Json::parse(json.out);
    CHECK(all.size() >= 30);
    CHECK(all.at(0).at("tasks").at(0) == "MR");
}

TEST_CASE("data refuses what it does not know, with the nearest name")
{
    const test::ScratchFolder scratch;
    const test::Run run = senteval_data("fetch STS41 --dir " + test::quoted(scratch.path()));
    CHECK(run.exit_code == 2);
    CHECK(test::contains(run.err, "Did you mean 'STS14'?"));
    for (const std::string command : {"fetch", "verify", "prepare --from ."}) {
        const test::Run unknown = senteval_data(command + " STS41"); // before what else is missing
        CHECK(unknown.exit_code == 2);
        CHECK(test::contains(unknown.err, "Did you mean 'STS14'?"));
        const test::Run nowhere = senteval_data(command + " MR");
        CHECK(nowhere.exit_code == 2);
        CHECK(test::contains(nowhere.err, "--dir is required"));
    }
    CHECK(senteval_data("verify --dir /no/such/folder").exit_code == 2);
    CHECK(test::contains(senteval_data("list sts-b").out, "STSBenchmark"));
    CHECK(senteval_data("fetch MR --mirror /no/such/folder --dir " + test::quoted(scratch.path()))
              .exit_code == 2);
}

TEST_CASE("data fetch --dry-run names the downloads and makes none")
{
    const test::ScratchFolder scratch;
    const test::Run run =
        senteval_data("fetch MR SICKEntailment --dry-run --dir " + test::quoted(scratch.path()));
    CHECK(run.exit_code == 0);
    CHECK(test::contains(run.out, "downstream/MR/rt-polarity.pos: https://"));
    CHECK(test::contains(run.out, "downstream/SICK/SICK_train.txt: http"));
    CHECK(std::filesystem::is_empty(scratch.path()));
}

TEST_CASE("data verify explains a broken folder and fails")
{
    const test::ScratchFolder scratch;
    std::string twenty;
    for (int i = 0; i < 20; ++i)
        twenty += "a sentence .\n";
    scratch.write("downstream/SUBJ/subj.objective", twenty);
    const std::string dir = " --dir " + test::quoted(scratch.path());
    const test::Run run = senteval_data("verify" + dir);
    CHECK(run.exit_code == 1);
    CHECK(test::contains(run.out, "SUBJ                  wrong\n"));
    CHECK(test::contains(run.out, "subj.objective has 20 lines in place of 5000"));
    CHECK(test::contains(run.out, "subj.subjective is missing"));
    CHECK(test::contains(run.out, "senteval data fetch SUBJ --dir " + scratch.path().string() +
                                      "\n")); // to be copied
    CHECK(!test::contains(run.out, "MPQA"));  // absent, and not asked for
    // As 'run' understands it, and no success where nothing was looked at.
    const std::string below = " --dir " + test::quoted(scratch / "downstream");
    CHECK(senteval_data("verify" + below).out == run.out);
    const test::Run nothing =
        senteval_data("verify --dir " + test::quoted(scratch / "downstream/SUBJ"));
    CHECK(nothing.exit_code == 1);
    const test::Run file =
        senteval_data("verify --dir " + test::quoted(scratch / "downstream/SUBJ/subj.objective"));
    CHECK(file.exit_code == 2);
    CHECK(test::contains(file.err, "is a file"));
    const auto json = base::Json::parse(senteval_data("verify SUBJ MPQA --json" + dir).out);
    CHECK(json.size() == 4);
    CHECK(json.at(0).at("severity") == "error");
}

TEST_CASE("data verify reads labels as tasks do, and writes JSON whatever bytes they are of")
{
    const test::ScratchFolder scratch;
    const std::string dir = " --dir " + test::quoted(scratch.path());
    for (const char* part : {"train", "dev", "test"})
        scratch.write(std::string("downstream/SST/binary/sentiment-") + part,
                      "a film\t1\nno film\t0\na film\tcaf\xE9\n");
    const test::Run run = senteval_data("verify SST2 --json" + dir);
    CAPTURE(run.err);
    CHECK(run.exit_code == 1);
    CHECK(base::Json::parse(run.out).size() >= 3);

    scratch.write("manifest.toml", "[[dataset]]\nname = \"Toy\"\ngroup = \"transfer\"\n"
                                   "tasks = [\"SST2\"]\nlicence = \"CC0\"\n"
                                   "[[dataset.original]]\nname = \"x\"\n[[dataset.file]]\n"
                                   "path = \"downstream/SST/binary/sentiment-train\"\n"
                                   "from = [\"x\"]\nlines = 3\nlabels = {\"0\" = 2, \"1\" = 1}\n");
    for (const char* part : {"train", "dev", "test"})
        scratch.write(std::string("downstream/SST/binary/sentiment-") + part,
                      "a film\t1\nno film\t0\na film\t1\n");
    CHECK(test::contains(senteval_data("verify" + dir).out,
                         "sentiment-train has label '0' 1 time in place of 2"));
    scratch.write("downstream/SST/binary/sentiment-train", "a film\t1\nno film\t0\na film\t2\n");
    CHECK(test::contains(senteval_data("verify" + dir).out,
                         "sentiment-train:3: label 2 is outside 0 to 1"));
}

TEST_CASE(
    "a run doubts golds that were edited, and a published file with other line ends is as good")
{
    const test::ScratchFolder scratch;
    const std::string folder = "downstream/STS/STSBenchmark/";
    std::string manifest = "[[dataset]]\nname = \"Toy\"\ngroup = \"transfer\"\n"
                           "tasks = [\"STSBenchmarkUnsupervised\"]\nlicence = \"CC0\"\n"
                           "[[dataset.original]]\nname = \"x\"\n";
    std::string published;
    for (const std::string file : {"sts-train.csv", "sts-dev.csv", "sts-test.csv"}) {
        published = base::read_file(test::source_dir() / "data/samples" / folder / file);
        const auto written = scratch.write(folder + file, published);
        manifest += "[[dataset.file]]\npath = \"" + folder + file +
                    "\"\nfrom = [\"x\"]\nsha256 = \"" +
                    test::shell("sha256sum " + test::quoted(written)).out.substr(0, 64) + "\"\n";
    }
    scratch.write("manifest.toml", manifest);
    const auto doubts = [&] {
        const test::Run run = test::shell(test::quoted(test::binary_dir() / "senteval") +
                                          " run -q --encoder onehot --tasks "
                                          "STSBenchmarkUnsupervised --overwrite --json - --data " +
                                          test::quoted(scratch.path()) + " --output " +
                                          test::quoted(scratch / "out"));
        CAPTURE(run.err);
        REQUIRE(run.exit_code == 0);
        const auto data = base::Json::parse(run.out).at("results").at(0).at("document").at("data");
        return data.value("doubts", base::Json::array()).size();
    };
    const auto write_test = [&](const std::string& from, const std::string& to, std::size_t most) {
        std::string text = published;
        for (std::size_t at = 0; most-- > 0 && (at = text.find(from, at)) != std::string::npos;
             at += to.size())
            text.replace(at, from.size(), to);
        scratch.write(folder + "sts-test.csv", text);
    };
    CHECK(doubts() == 0);
    write_test("\n", "\r\n", published.size());
    CHECK(doubts() == 0);
    write_test("\t2.200\t", "\t2.300\t", 1);
    CHECK(doubts() == 1);
    const std::size_t line = published.find('\n');
    const std::size_t text = published.rfind('\t', line) + 1;
    write_test(published.substr(text, line - text), "\u200B", 1);
    const test::Run verify = senteval_data("verify --json --dir " + test::quoted(scratch.path()));
    CHECK(verify.exit_code == 1);
    const auto findings = base::Json::parse(verify.out);
    REQUIRE(findings.size() == 2);
    CHECK(findings.at(0).at("severity") == "warning");
    CHECK(findings.at(1).at("severity") == "error");
    CHECK(test::contains(findings.at(1).at("problem").get<std::string>(), "1 sentence "));
}

TEST_CASE("the sample data is not taken for the datasets whose names it bears")
{
    const test::Run run =
        senteval_data("verify --dir " + test::quoted(test::source_dir() / "data/samples"));
    CHECK(run.exit_code == 0);
    CHECK(test::contains(run.out, "can be verified: these are sample data"));
}

TEST_CASE("data fetch from a local mirror and data prepare make the same files, which verify")
{
    const auto mirror = test::shared_or_skip("mirror");
    if (!mirror)
        return;
    const test::ScratchFolder scratch;
    const std::string fetched = test::quoted(scratch / "fetched");
    const std::string prepared = test::quoted(scratch / "prepared");
    const test::Run fetch =
        senteval_data("fetch MR STS14 --mirror file://" + mirror->string() + " --dir " + fetched);
    INFO(fetch.out, fetch.err);
    CHECK(fetch.exit_code == 0);
    const test::Run prepare =
        senteval_data("prepare MR STS14 --from " + test::quoted(*mirror) + " --dir " + prepared);
    CHECK(prepare.exit_code == 0);
    CHECK(test::shell("diff -r " + fetched + " " + prepared).exit_code == 0);
    CHECK(test::contains(senteval_data("verify MR STS14 --dir " + fetched).out, "good"));
    CHECK(test::contains(senteval_data("list MR --dir " + fetched).out, "present"));
    CHECK(senteval_data("prepare COCO --from " + test::quoted(*mirror) + " --dir " + prepared)
              .exit_code == 1);
}
