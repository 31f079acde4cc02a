// The program from end to end, on the sample data.
#include "base/files.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::test;
using base::Json;

namespace {

std::size_t longest_line(const std::string& text)
{
    std::size_t longest = 0;
    for (const std::string& line : lines_of(text))
        longest = std::max(longest, line.size());
    return longest;
}

} // namespace

TEST_CASE("two encoders on three tasks give a table, progress lines and a store")
{
    const ScratchFolder folder;
    const Run run =
        host(0, "run" + glove_option + " --encoder paragram --label Para --set vectors=" +
                    quoted(samples / "vectors/sample.50d.txt") + on_samples("MR,STS12,STS16") +
                    into(folder / "results"));
    CHECK(test::contains(run.out, {"encoder", "\nglove ", "\nPara "}));
    CHECK(test::contains(run.err, "[1/6] glove on MR: acc "));
    const std::string advice = "warning: MR: softmax took only";
    CHECK(test::contains(run.err, advice));
    CHECK(run.err.find(advice) == run.err.rfind(advice)); // once for both encoders
    CHECK(!test::contains(run.out + run.err, "\x1b"));
    CHECK(store_content(folder / "results").size() == 12);
}

TEST_CASE("results on sample data say so, and stand beside no published figure")
{
    const ScratchFolder folder;
    const std::string store = quoted(folder / "results");
    const Run run = host(0, "run" + glove_option + on_samples("STS13,STS16") + " --json " +
                                quoted(folder / "run.json") + " --output " + store);
    CHECK(test::contains(run.err, "STS13: these are sample data"));
    CHECK(!test::contains(run.err, "STS16: these are sample data")); // said once
    CHECK(test::contains(run.out, "not the published data: these are sample data"));
    CHECK(test::contains(run.out, "STS13*"));
    CHECK(!test::contains(run.out, "119 systems"));
    const Json document = Json::parse(base::read_file(folder / "run.json"));
    for (const Json& result : document.at("results"))
        CHECK(test::contains(result.at("document").at("data").at("doubts").at(0).get<std::string>(),
                             "sample data"));
    CHECK(test::contains(host("compare " + store).out, "not the published data"));
    host(0, "report " + store + " -o " + quoted(folder / "report.html"));
    const std::string report = base::read_file(folder / "report.html");
    CHECK(test::contains(report, "these are sample data"));
    CHECK(!test::contains(report, "<tbody class=\"published\">"));
    CHECK(!test::contains(report, "Encoders of this report</th>"));
}

TEST_CASE("a task that failed stands where it was asked for")
{
    const ScratchFolder folder;
    std::filesystem::create_directories(folder / "data");
    std::filesystem::copy(samples / "downstream", folder / "data/downstream",
                          std::filesystem::copy_options::recursive);
    std::filesystem::remove_all(folder / "data/downstream/STS/STS13-en-test");
    const Run run = host(1, "run -q" + glove_option + " --tasks STS12,STS13,STS14 --data " +
                                quoted(folder / "data") + into(folder / "results"));
    CHECK(run.out.find("STS12") < run.out.find("STS13"));
    CHECK(run.out.find("STS13") < run.out.find("STS14"));
    const std::string command = "senteval data fetch STS13 --data ";
    CHECK(run.err.find(command) == run.err.rfind(command)); // said once
}

TEST_CASE("the JSON document has metrics with the original's names, and nothing else is printed")
{
    const ScratchFolder folder;
    const Run run = host(0, "run -q" + glove_option + on_samples("STS14,MR") + " --json -" +
                                into(folder / "results"));
    CHECK(run.err.empty()); // there is a warning: the sample is small for the softmax head
    const Json document = json_of(run);
    CHECK(document.at("failures").empty());
    REQUIRE(document.at("results").size() == 2);
    const Json& mr = document.at("results").at(0);
    CHECK(mr.at("encoder") == "glove");
    CHECK(mr.at("task") == "MR");
    CHECK(mr.at("document").at("cautions").at(0).at("code") == "too-few-steps");
    CHECK(mr.at("metrics").at("acc").is_number());
    CHECK(mr.at("metrics").at("devacc").is_number());
    CHECK(mr.at("seconds").at("total").is_number());
    const Json& sts = document.at("results").at(1).at("metrics");
    for (const char* kind : {"pearson", "spearman"})
        for (const char* aggregate : {"mean", "wmean", "all"})
            CHECK(sts.at("all").at(kind).at(aggregate).is_number());
    CHECK(sts.contains("deft-news"));
    CHECK(document.at("results").at(1).at("document").at("coverage").at("tokens_known") > 0);
}

TEST_CASE("a classifier that draws nothing has one seed, one that stopped too early a caution")
{
    const ScratchFolder folder;
    const std::string store = quoted(folder / "results");
    const std::string command = "run" + glove_option + on_samples("MR,TREC") +
                                " --seeds 3 --classifier softmax,logreg-newton --output " + store;
    const Run run = host(0, command);
    CHECK(test::times(run.err, "one seed is computed") == 1);
    const Run quiet = host(0, command + " -q");
    CHECK(quiet.err.empty());
    CHECK(test::times(quiet.out, "\n\ncaution  ") == 1);
    const Json table = json_of(host("compare --format json " + store));
    CHECK(table.at("cautions").size() == 1);
    std::map<std::string, Json> cells;
    for (const Json& cell : table.at("cells"))
        cells[cell.at("task").get<std::string>() + " " + cell.at("encoder").get<std::string>()] =
            cell;
    CHECK(cells.at("MR glove (classifier=softmax)").at("seeds") == 3);
    CHECK(cells.at("MR glove (classifier=softmax)").at("verdict") == "no verdict");
    const Json& solved = cells.at("MR glove (classifier=logreg-newton)");
    CHECK(solved.at("seeds") == 1);
    CHECK(solved.at("deterministic") == true);
    CHECK_FALSE(solved.contains("cautions"));
    CHECK(cells.at("TREC glove (classifier=logreg-newton)").at("seeds") == 3); // SentEval's folds
}

TEST_CASE("the bytes of documents and items do not depend on the number of threads")
{
    const ScratchFolder folder;
    const std::string command = "run -q" + glove_option + " --encoder paragram --set vectors=" +
                                quoted(samples / "vectors/sample.50d.txt") +
                                on_samples("STS12,MR,TREC,SICKRelatedness") + " --encode-batch 5";
    for (const char* threads : {"1", "2"}) {
        host(0, command + " --threads " + threads + into(folder / threads));
    }
    CHECK(store_content(folder / "1").size() == 16);
    CHECK(store_content(folder / "1") == store_content(folder / "2"));
}

TEST_CASE("a run file, overridden by the command line, with a task of its own")
{
    const ScratchFolder folder;
    folder.write("pairs.tsv",
                 "score\ta\tb\n5\ta cat\ta cat\n0\ta cat\tthe dog\n3\tdogs\tthe dog\n");
    folder.write("compare.toml",
                 "[run]\ndata = \".\"\ntasks = [\"MR\"]\n"
                 "[[encoder]]\nname = \"glove\"\n[encoder.parameters]\nvectors = \"" +
                     (samples / "vectors/sample.50d.txt").string() +
                     "\"\n[[task]]\nname = \"Mine\"\nprotocol = \"similarity\"\n"
                     "test = \"pairs.tsv\"\nheader = true\n"
                     "target = \"score\"\nfirst = \"a\"\nsecond = \"b\"\n");
    const Run run = host(0, "run -q --tasks Mine --json - " + quoted(folder / "compare.toml") +
                                into(folder / "out"));
    CHECK(json_of(run).at("results").at(0).at("task") == "Mine");

    const Run tasks = host(0, "tasks " + quoted(folder / "compare.toml"));
    CHECK(test::contains(tasks.out, {"\nMine ", "data present"}));
}

TEST_CASE("a run of one's own tasks needs no data folder, and its data warnings are told and kept")
{
    const ScratchFolder folder;
    std::string train = "good film\tyes\nbad film\tno\n";
    for (int item = 0; item < 10; ++item)
        train += "fine film " + std::to_string(item) + "\tyes\npoor film " + std::to_string(item) +
                 "\tno\n";
    folder.write("deep/train.tsv", train);
    folder.write("deep/test.tsv", "good film\tyes\nnice, really\tno\n");
    folder.write("deep/run.toml", "[classifier]\nkfold = 2\n[[task]]\nname = \"Mine\"\n"
                                  "train = \"train.tsv\"\ntest = \"test.tsv\"\n");
    const Run run = host(0, "run --json -" + glove_option + " " + quoted(folder / "deep/run.toml") +
                                into(folder / "out"));
    CHECK(test::contains(run.err, "Mine: 1 of 2 test items are in the train part too"));
    const auto document = json_of(run).at("results").at(0).at("document");
    CHECK(document.at("data").at("doubts").size() == 2);
    CHECK(test::contains(document.at("data").at("doubts").at(1).get<std::string>(),
                         "looks untokenised"));
    CHECK(document.at("data").at("files").contains("train.tsv"));
    CHECK(document.at("protocol").at("settings").at("reading").at("tokenise") == "none");

    folder.write("deep/macro.toml",
                 base::read_file(folder / "deep/run.toml") + "metric = \"macro-f1\"\n");
    const Run shown = host("run --json -" + glove_option + " " +
                           quoted(folder / "deep/macro.toml") + into(folder / "out"));
    CHECK(json_of(shown).at("results").at(0).at("document").at("task").at("headline") ==
          "macro-f1");

    const std::string mine = quoted(folder / "deep/run.toml");
    const Run dry = host("run --dry-run " + mine + glove_option + into(folder / "none"));
    CHECK(test::contains(dry.out, "Mine: 1 of 2 test items are in the train part too"));
    const Run sentences = host("sentences " + mine + " --output -");
    CHECK(test::contains(sentences.err, "Mine: 1 of 2 test items are in the train part too"));

    const Run errors = host(0, "compare --errors 9 --format json " + quoted(folder / "out"));
    for (const auto& item : json_of(errors).at("errors").at(0).at("items"))
        CHECK(item.at("first") == "nice, really");
    folder.write("deep/test.tsv", "good film\tyes\nnice, really so\tno\n");
    host(1, "compare --errors 9 " + quoted(folder / "out")); // another file

    folder.write("deep/test.tsv", "good film\tyes\nnice, really\tno\n");
    folder.write("deep/accept.toml", "[classifier]\nkfold = 2\n[[task]]\nname = \"Mine\"\n"
                                     "train = \"train.tsv\"\ntest = \"test.tsv\"\n"
                                     "tokenise = \"none\"\naccept = [\"copies\"]\n");
    const Run accepting = host("run --json -" + glove_option + " " +
                               quoted(folder / "deep/accept.toml") + into(folder / "accepted"));
    CAPTURE(accepting.err);
    const auto accepted = json_of(accepting).at("results").at(0).at("document").at("data");
    CHECK_FALSE(accepted.contains("doubts"));
    CHECK(accepted.at("accepted").size() == 1);

    const Run more = host(2, "run --tasks Mine,MR" + glove_option + " " +
                                 quoted(folder / "deep/run.toml") + into(folder / "out"));
    CHECK(test::contains(more.err, "--data"));
}

TEST_CASE("what is stored is kept, under the name it has in this run, until --overwrite")
{
    const ScratchFolder folder;
    const std::string rest = glove_option + on_samples("MR,STS12") + into(folder / "results");
    host(0, "run -q" + rest);
    const auto before = store_content(folder / "results");
    for (const char* resume : {"", " --resume"}) {
        const Run again = host(0, "run" + std::string(resume) + rest + " --label Renamed");
        CHECK(test::contains(
            again.err, {"[2/2] Renamed on STS12: all.pearson.wmean", "2 of the results were in "}));
        CHECK(test::contains(again.out, "Renamed "));
    }
    const Run anew = host(0, "run" + rest + " --overwrite");
    CHECK_FALSE(test::contains(anew.err, ", kept)"));
    CHECK(store_content(folder / "results") == before);

    const std::string list = "results " + quoted(folder / "results");
    CHECK(test::contains(host(list).out, "STS12"));
    host(2, list + " --remove");
    host(0, list + " --tasks STS12 --remove");
    CHECK_FALSE(test::contains(host(list).out, "STS12"));
    CHECK(test::contains(host(list).out, "MR"));
}

TEST_CASE(
    "an encoder that is given twice under two labels is refused: a store keeps its results once")
{
    const Run run = host(2, "run -q" + glove_option + glove_option + " --label other" +
                                on_samples("STS12") + " --output /nowhere");
    CHECK(test::contains(run.err, "'other' is the encoder 'glove' again"));
}

TEST_CASE("encoders that differ in one value of a list are two")
{
    const ScratchFolder folder;
    const std::string last = " --set files=" + quoted(folder.write("last", "3"));
    const auto of = [&](const std::string& first) {
        return " --encoder process --set command=cat --set files=" +
               quoted(folder.write(first, first)) + last;
    };
    const Run run = host("run --dry-run" + of("one") + of("two") + " --label other" +
                         on_samples("STS12") + into(folder / "results"));
    CAPTURE(run.out);
    CAPTURE(run.err);
    CHECK(run.exit_code != 2);
    CHECK(test::contains(run.out, "other"));
}

TEST_CASE("two processes write one store")
{
    const ScratchFolder folder;
    const std::string rest = glove_option + on_samples("STS12,STS13,STS14,MR,TREC") + " --output ";
    host(0, "run -q" + rest + quoted(folder / "alone"));
    const std::string one = program + " run -q" + rest + quoted(folder / "shared");
    shell(0, one + " & first=$!\n" + one + "; second=$?\nwait $first && exit $second");
    CHECK(store_content(folder / "shared") == store_content(folder / "alone"));
}

TEST_CASE("tasks and paths are understood as people write them")
{
    const ScratchFolder folder;
    const std::string rest = " --format markdown" + into(folder / "results");
    const std::string below = " --data " + quoted(samples / "downstream");
    const auto header = [](const Run& run) { return run.out.substr(0, run.out.find('\n')); };
    const auto names = [&](const std::string& arguments) {
        const Run run = host(0, "run -q" + glove_option + arguments + rest);
        return header(run);
    };
    const std::string twelve_and_thirteen = names(on_samples("STS12,STS13"));
    CHECK(test::contains(twelve_and_thirteen, "STS12"));
    for (const char* tasks :
         {" --tasks STS12 STS13", " --tasks sts12 --tasks STS-13", " --tasks 'STS12, STS13'",
          " --tasks STS12, STS13", " --tasks 'STS12 STS13'", " --tasks 'sts1[23]'"})
        CHECK(names(tasks + data_option) == twelve_and_thirteen);
    CHECK(names(" --tasks STS12 STS13" + below) == twelve_and_thirteen);

    folder.write("home/vectors.txt", base::read_file(samples / "vectors/sample.50d.txt"));
    folder.write("run.toml", "[run]\ndata = \"" + (samples / "downstream").string() +
                                 "\"\ntasks = [\"sts12, STS*3\"]\nnormalize = [\"l2\"]\n" +
                                 "[[encoder]]\nname = \"GloVe\"\n[encoder.parameters]\n" +
                                 "vectors = \"~/vectors.txt\"\n");
    const std::string at_home = "HOME=" + quoted(folder / "home") + " " + program + " run -q ";
    const Run by_file = shell(0, at_home + quoted(folder / "run.toml") + rest);
    CHECK(test::contains(header(by_file), "STS13"));
    const Run by_line = shell(
        0, at_home + "--encoder glove --set vectors=~/vectors.txt --normalize l2 --tasks STS12 " +
               quoted(folder / "run.toml") + rest);
    CHECK(!test::contains(header(by_line), "STS13"));
}

TEST_CASE("an option's value is its own, whatever it is called")
{
    const ScratchFolder folder;
    folder.write("run.toml", "[run]\ndata = \"" + samples.string() + "\"\ntasks = [\"STS12\"]\n" +
                                 "[[encoder]]\nname = \"onehot\"\n");
    const std::string at_home = "cd " + quoted(folder.path()) + " && " + program + " run -q ";
    for (const char* arguments :
         {"run.toml -o a.toml", "-o a.toml run.toml", "run.toml --output=a.toml --tasks STS12",
          "--tasks STS12 run.toml -o a.toml"}) {
        CAPTURE(arguments);
        shell(0, at_home + arguments);
        CHECK(store_content(folder / "a.toml").size() == 2);
        std::filesystem::remove_all(folder / "a.toml");
    }
    shell(0, at_home + "-o b.toml --encoder onehot" + on_samples("STS12"));
    CHECK(store_content(folder / "b.toml").size() == 2);
}

TEST_CASE("help, version and the lists")
{
    for (const char* arguments :
         {"--help", "run --help", "tasks --help", "encoders --help", "compare --help",
          "report --help", "export --help", "import --help", "data --help", "data list --help",
          "data fetch --help", "data verify --help", "data prepare --help"}) {
        CAPTURE(arguments);
        const Run run = host(0, arguments);
        CHECK(test::contains(run.out, "Usage: senteval"));
        CHECK(longest_line(run.out) <= 80);
    }
    CHECK(
        test::contains(host("run --help").out, {"--data DIR ", "--kfold N ", "--tasks TASKS..."}));
    CHECK(json_of(host("tasks --json")).at(0).at("metrics").at(0).at("path") == "acc");
    const Run bare = host(2, "");
    CHECK(bare.out == host("--help").out);
    CHECK(test::contains(bare.out, {"\n  compare ", "\n  senteval run --encoder glove"}));
    CHECK(test::contains(host("data").out, "\n  fetch "));
    CHECK(host("--version").out.find("senteval ") == 0);
    CHECK(test::contains(host("tasks" + data_option).out, "data present"));
    CHECK(json_of(host("tasks --json")).size() > 30);
    CHECK(json_of(host("tasks STS14 --json")).size() == 1);
    host(2, "tasks STS99");
    const Json encoders = json_of(host("encoders --json"));
    CHECK(encoders.size() >= 4);
    CHECK(encoders.at(0).at("parameters").at(0).contains("default"));
    const Run glove = host(0, "encoders glove");
    CHECK(test::contains(glove.out, "vectors (path, required)"));
    CHECK(test::contains(host("encoders").out, "senteval encoders NAME"));
}

TEST_CASE("too few items to learn from are put down to --limit where it cut the task")
{
    const ScratchFolder folder;
    const Run run =
        host(1, "run" + glove_option + on_samples("CR") + " --limit 20" + into(folder / "results"));
    CHECK(test::contains(run.err,
                         {"training items are too few", "(--limit 20 is what cuts the task)"}));
}
