// senteval data, as a person types it.
#include "base/files.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::test;

TEST_CASE("data list describes every dataset, for people and for programs")
{
    const Run text = host(0, "data list STS12 glove.6B");
    CHECK(contains(text.out, {"licence: PDDL 1.0", "no redistribution"}));
    const Run json = host(0, "data list --json");
    const auto all = base::Json::parse(json.out);
    CHECK(all.size() >= 30);
    CHECK(all.at(0).at("tasks").at(0) == "MR");
}

TEST_CASE("data refuses what it does not know, with the nearest name")
{
    const ScratchFolder scratch;
    const Run run = host(2, "data fetch STS41 --dir " + quoted(scratch.path()));
    CHECK(contains(run.err, "Did you mean 'STS14'?"));
    for (const std::string command : {"fetch", "verify", "prepare --from ."}) {
        const Run unknown = host("data " + command + " STS41"); // before what else is missing
        CHECK(unknown.exit_code == 2);
        CHECK(contains(unknown.err, "Did you mean 'STS14'?"));
        const Run nowhere = host(2, "data " + command + " MR");
        CHECK(contains(nowhere.err, "--data is required"));
    }
    host(2, "data verify --dir /no/such/folder");
    CHECK(contains(host("data list sts-b").out, "STSBenchmark"));
    host(2, "data fetch MR --mirror /no/such/folder --dir " + quoted(scratch.path()));
}

TEST_CASE("data fetch --dry-run names the downloads and makes none")
{
    const ScratchFolder scratch;
    const Run run =
        host(0, "data fetch MR SICKEntailment --dry-run --dir " + quoted(scratch.path()));
    CHECK(contains(run.out, {"downstream/MR/rt-polarity.pos: https://",
                             "downstream/SICK/SICK_train.txt: http"}));
    CHECK(std::filesystem::is_empty(scratch.path()));
}

TEST_CASE("data verify explains a broken folder and fails")
{
    const ScratchFolder scratch;
    std::string twenty;
    for (int i = 0; i < 20; ++i)
        twenty += "a sentence .\n";
    scratch.write("downstream/SUBJ/subj.objective", twenty);
    const std::string dir = " --dir " + quoted(scratch.path());
    const Run run = host(1, "data verify" + dir);
    CHECK(contains(run.out,
                   {"SUBJ                  wrong\n", "subj.objective has 20 lines in place of 5000",
                    "subj.subjective is missing"}));
    CHECK(contains(run.out, "senteval data fetch SUBJ --data " + scratch.path().string() +
                                "\n")); // to be copied
    CHECK(!contains(run.out, "MPQA"));  // absent, and not asked for
    // As 'run' understands it, and no success where nothing was looked at.
    const std::string below = " --dir " + quoted(scratch / "downstream");
    CHECK(host("data verify" + below).out == run.out);
    host(1, "data verify --dir " + quoted(scratch / "downstream/SUBJ"));
    const Run file =
        host(2, "data verify --dir " + quoted(scratch / "downstream/SUBJ/subj.objective"));
    CHECK(contains(file.err, "is a file"));
    const auto json = base::Json::parse(host("data verify SUBJ MPQA --json" + dir).out);
    CHECK(json.size() == 4);
    CHECK(json.at(0).at("severity") == "error");
}

TEST_CASE("data verify reads labels as tasks do, and writes JSON whatever bytes they are of")
{
    const ScratchFolder scratch;
    const std::string dir = " --dir " + quoted(scratch.path());
    for (const char* part : {"train", "dev", "test"})
        scratch.write(std::string("downstream/SST/binary/sentiment-") + part,
                      "a film\t1\nno film\t0\na film\tcaf\xE9\n");
    const Run run = host(1, "data verify SST2 --json" + dir);
    CHECK(base::Json::parse(run.out).size() >= 3);

    scratch.write("manifest.toml", "[[dataset]]\nname = \"Toy\"\ngroup = \"transfer\"\n"
                                   "tasks = [\"SST2\"]\nlicence = \"CC0\"\n"
                                   "[[dataset.original]]\nname = \"x\"\n[[dataset.file]]\n"
                                   "path = \"downstream/SST/binary/sentiment-train\"\n"
                                   "from = [\"x\"]\nlines = 3\nlabels = {\"0\" = 2, \"1\" = 1}\n");
    for (const char* part : {"train", "dev", "test"})
        scratch.write(std::string("downstream/SST/binary/sentiment-") + part,
                      "a film\t1\nno film\t0\na film\t1\n");
    CHECK(contains(host("data verify" + dir).out,
                   "sentiment-train has label '0' 1 time in place of 2"));
    scratch.write("downstream/SST/binary/sentiment-train", "a film\t1\nno film\t0\na film\t2\n");
    CHECK(contains(host("data verify" + dir).out, "sentiment-train:3: label 2 is outside 0 to 1"));
}

TEST_CASE(
    "a run doubts golds that were edited, and a published file with other line ends is as good")
{
    const ScratchFolder scratch;
    const std::string folder = "downstream/STS/STSBenchmark/";
    std::string manifest = "[[dataset]]\nname = \"Toy\"\ngroup = \"transfer\"\n"
                           "tasks = [\"STSBenchmarkUnsupervised\"]\nlicence = \"CC0\"\n"
                           "[[dataset.original]]\nname = \"x\"\n";
    std::string published;
    for (const std::string file : {"sts-train.csv", "sts-dev.csv", "sts-test.csv"}) {
        published = base::read_file(samples / folder / file);
        const auto written = scratch.write(folder + file, published);
        manifest += "[[dataset.file]]\npath = \"" + folder + file +
                    "\"\nfrom = [\"x\"]\nsha256 = \"" +
                    shell("sha256sum " + quoted(written)).out.substr(0, 64) + "\"\n";
    }
    scratch.write("manifest.toml", manifest);
    const auto doubts = [&] {
        const Run run = host(0, "run -q --encoder onehot --tasks "
                                "STSBenchmarkUnsupervised --overwrite --json - --data " +
                                    quoted(scratch.path()) + into(scratch / "out"));
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
    const Run verify = host(1, "data verify --json --dir " + quoted(scratch.path()));
    const auto findings = base::Json::parse(verify.out);
    REQUIRE(findings.size() == 2);
    CHECK(findings.at(0).at("severity") == "warning");
    CHECK(findings.at(1).at("severity") == "error");
    CHECK(contains(findings.at(1).at("problem").get<std::string>(), "1 sentence "));
}

TEST_CASE("the sample data is not taken for the datasets whose names it bears")
{
    const Run run = host(0, "data verify --dir " + quoted(samples));
    CHECK(contains(run.out, "can be verified: these are sample data"));
}

TEST_CASE("data fetch from a local mirror and data prepare make the same files, which verify")
{
    const auto mirror = shared_or_skip("mirror");
    if (!mirror)
        return;
    const ScratchFolder scratch;
    const std::string fetched = quoted(scratch / "fetched");
    const std::string prepared = quoted(scratch / "prepared");
    host(0, "data fetch MR STS14 --mirror file://" + mirror->string() + " --dir " + fetched);
    const Run prepare =
        host(0, "data prepare MR STS14 --from " + quoted(*mirror) + " --dir " + prepared);
    shell(0, "diff -r " + fetched + " " + prepared);
    CHECK(contains(host("data verify MR STS14 --dir " + fetched).out, "good"));
    CHECK(contains(host("data list MR --dir " + fetched).out, "present"));
    host(1, "data prepare COCO --from " + quoted(*mirror) + " --dir " + prepared);
}

TEST_CASE("SENTEVAL_DATA is the data folder of every command, unless one is given")
{
    const std::string variable = "SENTEVAL_DATA=" + quoted(samples) + " ";
    const std::string given = data_option;
    for (const std::string command :
         {"tasks CR", "data list CR", "data verify CR", "data fetch CR --dry-run"}) {
        const auto said = [&](const std::string& before, const std::string& after) {
            return shell(before + program + " " + command + after + " 2>&1").out;
        };
        CHECK(said(variable, "") == said("", given));
        CHECK(said("SENTEVAL_DATA=/nowhere ", given) == said("", given));
        CHECK(said("", "") != said("", given));
    }
}
