// senteval train, and what a trained model says in runs, comparisons and to `neighbours`.
#include "program/program.hpp"

#include "core/files.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <utility>

using namespace senteval;
using test::contains;
using test::host;
using test::quoted;
using test::Run;

namespace {

/// Words of two meanings each: aI and bI mean the same, and begin as different vectors.
struct Project {
    Project()
    {
        std::string vectors;
        std::string pairs;
        std::string sentences;
        for (int i = 0; i < 40; ++i) {
            const double angle = 0.37 * i;
            vectors +=
                fmt::format("a{0} {1:.3f} {2:.3f} {3:.3f} 0.3\nb{0} {2:.3f} {3:.3f} 0.2 {1:.3f}\n",
                            i, std::cos(angle), std::sin(angle), std::cos(3 * angle));
            pairs += fmt::format("a{0}\tb{0}\nthe a{0} and a{1}\tthe b{0} or b{1}\n", i,
                                 (i * 7 + 3) % 40);
        }
        vectors += "the 0.1 0.1 0.1 0.1\nand 0.2 0 0.1 0\nor 0 0.2 0 0.1\n";
        for (int i = 0; i < 12; ++i)
            sentences += fmt::format("the a{0} and a{1}\tthe b{2} or a{1}\t{3}\n", i,
                                     (i * 7 + 3) % 40, i + i % 3, 5 - i % 3);
        scratch.write("vectors.txt", vectors);
        scratch.write("pairs.tsv", pairs);
        scratch.write("task.tsv", sentences);
        scratch.write("run.toml",
                      fmt::format("[run]\noutput = \"results\"\n"
                                  "[[encoder]]\nname = \"paragram\"\nlabel = \"trained\"\n"
                                  "[encoder.parameters]\nmodel = \"my.paragram\"\n"
                                  "[[task]]\nname = \"Seen\"\nprotocol = \"similarity\"\n"
                                  "test = \"task.tsv\"\nfirst = 1\nsecond = 2\ntarget = 3\n"
                                  "tokenise = \"none\"\n"));
    }

    [[nodiscard]] std::string train(const std::string& output,
                                    const std::string& further = "") const
    {
        return "train paragram --pairs " + quoted(scratch / "pairs.tsv") + " --init " +
               quoted(scratch / "vectors.txt") + " -o " + quoted(scratch / output) + " --batch 8 " +
               further;
    }

    test::ScratchFolder scratch;
};

} // namespace

TEST_CASE("a model is tuned on judged pairs, and their head is no part of it")
{
    const Project project;
    REQUIRE(host(project.train("my.paragram", "--epochs 1 -q")).exit_code == 0);
    const auto tune = [&](const std::string& pairs, const std::string& further) {
        return host("train paragram --pairs " + quoted(project.scratch / pairs) + " --init " +
                    quoted(project.scratch / "my.paragram") + " -o " +
                    quoted(project.scratch / "tuned.paragram") + " --objective similarity " +
                    further);
    };
    const Run tuned = tune("task.tsv", "--epochs 2 --batch 4 --l2-words 0.1");
    REQUIRE_MESSAGE(tuned.exit_code == 0, tuned.err);
    CHECK(contains(tuned.err, "12 pairs to train on, of 12"));
    CHECK(contains(tuned.err, "the model of epoch 2"));
    const Run run = host("run " + quoted(project.scratch / "run.toml") +
                         " --set model=" + quoted(project.scratch / "tuned.paragram"));
    CHECK_MESSAGE(run.exit_code == 0, run.err);

    const Run unscored = tune("pairs.tsv", "");
    CHECK(unscored.exit_code == 2);
    CHECK(contains(unscored.err, "has 2 columns; 3 are needed"));
    project.scratch.write("same.tsv", "a1\tb1\t3\na2\tb2\t3\n");
    const Run same = tune("same.tsv", "");
    CHECK(same.exit_code == 2);
    CHECK(contains(same.err, "all pairs have the same score"));
    const Run unknown = tune("task.tsv", "--objective similar");
    CHECK(unknown.exit_code == 2);
}

TEST_CASE("a trained model says in a run what it was trained on, and who its neighbours are")
{
    const Project project;
    const Run trained = host(project.train("my.paragram", "--epochs 3 --threads 2"));
    REQUIRE_MESSAGE(trained.exit_code == 0, trained.err);
    CHECK(contains(trained.err, "80 pairs to train on, of 80"));
    CHECK(contains(trained.err, "epoch 3: loss"));
    CHECK(contains(trained.err, "the model of epoch 3"));
    CHECK(trained.out.empty());

    const Run run = host("run " + quoted(project.scratch / "run.toml") + " --json -");
    REQUIRE_MESSAGE(run.exit_code == 0, run.err);
    CHECK(contains(run.err, "trained was trained on sentences of 12 of the 12 test items of Seen"));
    const core::Json document = core::Json::parse(run.out).at("results").at(0).at("document");
    CHECK(document.at("overlap") == core::Json({{"items", 12}, {"of", 12}}));
    const Run compared = host("compare " + quoted(project.scratch / "results"));
    CHECK(contains(compared.out + compared.err,
                   "trained was trained on sentences of test items (12 of 12 of Seen)"));
    const auto report = project.scratch / "report.html";
    REQUIRE(
        host("report " + quoted(project.scratch / "results") + " -o " + quoted(report)).exit_code ==
        0);
    CHECK(contains(core::read_file(report), "trained on sentences of 12 of 12 test items"));

    const Run near =
        host("neighbours " + quoted(project.scratch / "my.paragram") + " a3 --count 3");
    REQUIRE_MESSAGE(near.exit_code == 0, near.err);
    CHECK(contains(near.out, "a3\n  after   "));
    CHECK(contains(near.out, "\n  before  "));
    const Run norms =
        host("neighbours " + quoted(project.scratch / "my.paragram") + " --norms --json");
    CHECK(core::Json::parse(norms.out).at("after").at("function_words").at("words") == 3);
    const Run unknown = host("neighbours " + quoted(project.scratch / "my.paragram") + " A3");
    CHECK(unknown.exit_code == 2);
    CHECK(contains(unknown.err, "has no word 'A3'"));
}

TEST_CASE("a model whose record of training is damaged or cut off gives no results and no vectors")
{
    const Project project;
    REQUIRE(host(project.train("my.paragram", "--epochs 1 -q")).exit_code == 0);
    const std::string bytes = core::read_file(project.scratch / "my.paragram");
    const std::size_t record = bytes.find("training", bytes.find("parameters")); // its footer
    REQUIRE(record != bytes.npos);
    std::string flipped = bytes;
    flipped[record - 4] = static_cast<char>(flipped[record - 4] ^ 1);
    std::string renamed = bytes;
    renamed[record] = 'T';
    const auto task = core::read_file(project.scratch / "run.toml");
    project.scratch.write("plain.toml", task.substr(0, task.find("[[encoder]]")) +
                                            "[[encoder]]\nname = \"glove\"\n"
                                            "[encoder.parameters]\nvectors = \"my.paragram\"\n" +
                                            task.substr(task.find("[[task]]")));
    for (const std::string& damaged : {flipped, renamed, bytes.substr(0, bytes.size() - 1)}) {
        project.scratch.write("my.paragram", damaged);
        for (const char* file : {"run.toml", "plain.toml"}) {
            CAPTURE(file);
            const Run refused = host("run " + quoted(project.scratch / file));
            CHECK(refused.exit_code != 0);
            CHECK(contains(refused.err, "my.paragram"));
            CHECK((contains(refused.err, "damaged") || contains(refused.err, "cut short")));
        }
        for (const std::string& command :
             {"neighbours " + quoted(project.scratch / "my.paragram") + " a3",
              "train paragram --pairs " + quoted(project.scratch / "pairs.tsv") + " --init " +
                  quoted(project.scratch / "my.paragram") + " --epochs 1 -q -o " +
                  quoted(project.scratch / "next")}) {
            CAPTURE(command);
            const Run refused = host(command);
            CHECK(refused.exit_code == 1);
            CHECK(contains(refused.err, "my.paragram"));
        }
    }
    CHECK_FALSE(std::filesystem::exists(project.scratch / "next"));
    CHECK_FALSE(std::filesystem::exists(project.scratch / "results" / "Seen"));
}

TEST_CASE("a training that was killed is resumed to the same bytes")
{
    const Project project;
    const std::string settings = "--epochs 40 --model identity-rnn --seed 5 -q";
    REQUIRE(host(project.train("whole", settings + " --threads 1")).exit_code == 0);
    const auto checkpoint = project.scratch / "cut.checkpoint";
    const Run killed = test::shell(
        test::program + " " + project.train("cut", settings + " --threads 2 --checkpoint-every 1") +
        " & pid=$!; while [ ! -e " + quoted(checkpoint) +
        " ] && kill -0 $pid 2>/dev/null; do sleep 0.01; done; kill -9 $pid 2>/dev/null; wait $pid; "
        "exit 0");
    CHECK(killed.exit_code == 0);
    const Run resumed = host(project.train("cut", settings + " --threads 2 --resume"));
    REQUIRE_MESSAGE(resumed.exit_code == 0, resumed.err);
    CHECK(core::read_file(project.scratch / "cut") == core::read_file(project.scratch / "whole"));
    CHECK_FALSE(std::filesystem::exists(checkpoint));
}

TEST_CASE("what was trained on is known of models that were trained further, time and again")
{
    const Project project;
    project.scratch.write("other.tsv", "a1\tb2\na3\tb4\nthe a5 and b6\tthe b7 or a8\n");
    REQUIRE(host(project.train("first", "--epochs 1 -q")).exit_code == 0);
    for (const auto& [from, to] :
         {std::pair("first", "second"), std::pair("second", "my.paragram")})
        REQUIRE(host("train paragram -q --epochs 1 --pairs " +
                     quoted(project.scratch / "other.tsv") + " --init " +
                     quoted(project.scratch / from) + " -o " + quoted(project.scratch / to))
                    .exit_code == 0);
    const Run run = host("run " + quoted(project.scratch / "run.toml"));
    REQUIRE_MESSAGE(run.exit_code == 0, run.err);
    CHECK(contains(run.err, "trained was trained on sentences of 12 of the 12 test items of Seen"));

    std::string cut = core::read_file(project.scratch / "first");
    cut.pop_back();
    project.scratch.write("cut", cut);
    const Run damaged =
        host("train paragram -q --pairs " + quoted(project.scratch / "other.tsv") + " --init " +
             quoted(project.scratch / "cut") + " -o " + quoted(project.scratch / "third"));
    CHECK(damaged.exit_code == 1);
    CHECK(contains(damaged.err, "cut short or damaged"));
}

TEST_CASE("a training takes the place of no file but its own")
{
    const Project project;
    const test::ScratchFolder& scratch = project.scratch;
    const auto pairs = core::read_file(scratch / "pairs.tsv");
    const auto refused = [&](const std::string& output, const std::string& further,
                             const std::string& why) {
        const Run run = host(project.train(output, "--epochs 1 -q " + further));
        CAPTURE(run.err);
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, why));
        CHECK(core::read_file(scratch / "pairs.tsv") == pairs);
    };
    refused("pairs.tsv", "", "is the file of --pairs");
    refused("vectors.txt", "", "is the file of --init");
    refused("task.tsv", "--dev " + quoted(scratch / "task.tsv"), "is the file of --dev");
    refused("m", "--checkpoint " + quoted(scratch / "m"), "is the file of --output");
    refused("m", "--checkpoint " + quoted(scratch / "pairs.tsv"), "is the file of --pairs");
    refused("m", "--checkpoint " + quoted(scratch / "task.tsv"), "is no checkpoint");
    refused("", "", "is a folder");
    refused("pairs.tsv/below", "", "is no folder");
    std::filesystem::create_hard_link(scratch / "pairs.tsv", scratch / "hard");
    refused("hard", "", "is the file of --pairs");
    REQUIRE(test::shell("mkfifo " + quoted(scratch / "pipe")).exit_code == 0);
    refused("pipe", "", "a file would take its place");
    refused("m", "--checkpoint " + quoted(scratch / "pipe"), "a file would take its place");
    CHECK(std::filesystem::is_fifo(scratch / "pipe"));
    const std::string nowhere = "train paragram --pairs " + quoted(scratch / "pairs.tsv") +
                                " --init " + quoted(scratch / "vectors.txt") + " --output=";
    for (const std::string name : {"''", "-", "/dev/stdout", "/proc/self/fd/2"}) {
        CAPTURE(name);
        CHECK(host(nowhere + name).exit_code == 2);
    }

    std::filesystem::create_symlink("folder/model", scratch / "link");
    const Run linked = host(project.train("link", "--epochs 1 -q"));
    REQUIRE_MESSAGE(linked.exit_code == 0, linked.err);
    CHECK(std::filesystem::is_symlink(scratch / "link"));
    CHECK(std::filesystem::is_regular_file(scratch / "folder/model"));
    CHECK(host(project.train("new/folder/model", "--epochs 1 -q")).exit_code == 0);
}

TEST_CASE("a training says what it takes of a model, and where it knows nothing of evaluation sets")
{
    const Project project;
    REQUIRE(host(project.train("first", "--epochs 1 -q --model dan")).exit_code == 0);
    std::filesystem::create_directory(project.scratch / "data");
    const Run run =
        host("train paragram --epochs 1 --pairs " + quoted(project.scratch / "pairs.tsv") +
             " --init " + quoted(project.scratch / "first") + " --data " +
             quoted(project.scratch / "data") + " -o " + quoted(project.scratch / "second"));
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    CHECK(contains(run.err, "is a dan of 4 values to 4 in 1 layers with tanh, and a word of 4 "
                            "values to 4 is trained: only its words are taken"));
    CHECK(contains(run.err, "has none of the group similarity"));
    CHECK_FALSE(contains(run.err, "without --data"));
}

TEST_CASE("pairs come through a pipe as from a file, compressed or not")
{
    const Project project;
    std::string pairs; // more than are looked at to know their layout, and than a buffer holds
    for (int i = 0; i < 1500; ++i)
        pairs += fmt::format("the a{0} and a{1}\tthe b{0} or b{1}\n", i % 40, i / 40);
    const auto file = project.scratch.write("long.tsv", pairs);
    for (const std::string command : {"cat ", "gzip -c "}) {
        CAPTURE(command);
        const Run run = test::shell(command + quoted(file) + " | " + test::program +
                                    " train paragram --epochs 1 --pairs /dev/stdin --init " +
                                    quoted(project.scratch / "vectors.txt") + " -o " +
                                    quoted(project.scratch / "piped") + " 2>&1");
        CAPTURE(run.out);
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out, "/dev/stdin: 1500 pairs"));
    }
}

TEST_CASE("a training that diverges fails, and writes no model")
{
    const Project project;
    const Run run = host(project.train("model", "--optim adam,lr=1e30 --epochs 3"));
    CAPTURE(run.err);
    CHECK(run.exit_code == 1);
    CHECK(contains(run.err, "epoch 1, minibatch "));
    CHECK(contains(run.err, "smaller lr"));
    CHECK_FALSE(std::filesystem::exists(project.scratch / "model"));
}

TEST_CASE("what is wrong with a training is said before it begins")
{
    const Project project;
    const auto error_of = [&](const std::string& further, const std::string& why) {
        const Run run = host(project.train("model", further));
        CAPTURE(run.err);
        CHECK(run.exit_code == 2);
        CHECK(contains(run.err, why));
        CHECK_FALSE(std::filesystem::exists(project.scratch / "model"));
    };
    error_of("--model lstn", "--model: unknown 'lstn'");
    error_of("--model lstn", "Did you mean 'lstm'?");
    error_of("--exclude-overlap STS12", "--exclude-overlap needs --data");
    error_of("--data /none", "does not exist");
    error_of("--pairs /none/pairs.tsv", "there is no file '/none/pairs.tsv'");
    error_of("--optim sgd,lr=1", "none of adam and adagrad");
    error_of("--outputs 9", "take --model projection");
    project.scratch.write("constant.tsv", "a1\tb1\t3\na2\tb2\t3\na3\tb3\t3\n");
    error_of("--dev " + quoted(project.scratch / "constant.tsv"), "all pairs have the same score");
    error_of("--dev /none/dev.tsv", "--dev: there is no file '/none/dev.tsv'");
    error_of("--dev dev.tvs", "--dev: there is no file 'dev.tvs', and there is no task");
    error_of("--pairs " + quoted(project.scratch / "pairs.tsv,foo=1"), "unknown option 'foo'");
    error_of("--pairs " + quoted(project.scratch.path()), "is a folder");
    project.scratch.write("empty.tsv", "");
    error_of("--pairs " + quoted(project.scratch / "empty.tsv"), "has no pair");
    error_of("--margin nan", "is not a number from 0 to 2");
    for (const std::string option : {"--clip", "--l2-words"})
        for (const std::string value : {"nan", "inf", "-1"})
            error_of(option + " " + value, "'" + value + "' is not a finite number, at least 0");
    error_of("--optim adam,lr=nan", "lr=nan");
    error_of("--layers 2 --model rnn", "--layers: has no effect here; it needs --model dan");
    error_of("--activation relu", "--activation: has no effect here");
    error_of("--hidden 5", "it needs --objective similarity");
    error_of("--l2 0.1", "--l2: has no effect here");
    error_of("--objective similarity --margin 0.3", "it needs --objective margin");
    error_of("--objective similarity --negatives max", "it needs --objective margin");
    error_of("--dev STS12 --data " + quoted(test::samples), "has no development part");
}

TEST_CASE("every task whose test items were trained on is told of, and what ranks it says so")
{
    const Project project;
    const std::string sets = (test::samples / "downstream/STS").string();
    std::string more;
    for (const char* set :
         {"STS12-en-test/STS.input.MSRvid.txt", "STS13-en-test/STS.input.FNWN.txt"}) {
        const std::string lines = core::read_file(std::filesystem::path(sets) / set);
        more += lines.substr(0, lines.find('\t')) + "\tthe a1 and b1\n";
    }
    project.scratch.write("more.tsv", more);
    REQUIRE(host(project.train("my.paragram",
                               "--epochs 1 -q --pairs " + quoted(project.scratch / "more.tsv")))
                .exit_code == 0);
    const std::string results = quoted(project.scratch / "r");
    const Run run =
        host("run --encoder paragram --set model=" + quoted(project.scratch / "my.paragram") +
             " --label 300 --tasks STS12,STS13 " + "--allow-unverified --json - --output " +
             results + test::data_option);
    REQUIRE_MESSAGE(run.exit_code == 0, run.err);
    CHECK(contains(run.err, "test items of STS12:"));
    CHECK(contains(run.err, "test items of STS13:"));
    const Run lengths = host("analyse lengths --tasks STS12,STS13 " + results);
    CHECK(contains(lengths.out, "300†\n"));
    CHECK(contains(lengths.out, " of STS12, "));
    const Run json = host("analyse lengths --tasks STS13 --json " + results);
    const core::Json overlaps = core::Json::parse(json.out).at(0).at("trained_on");
    CHECK(overlaps.size() == 1);
    CHECK(overlaps.contains("STS13"));
}

TEST_CASE("a place among the systems of a shared task is marked where test items were trained on")
{
    const auto data = test::shared_or_skip("senteval_data");
    if (!data)
        return;
    const Project project;
    const std::string lines =
        core::read_file(*data / "downstream/STS/STS12-en-test/STS.input.MSRvid.txt");
    project.scratch.write("more.tsv", lines.substr(0, lines.find('\n') + 1));
    const std::string model = quoted(project.scratch / "my.paragram");
    const Run trained =
        host("train paragram -q --epochs 1 --pairs " + quoted(project.scratch / "more.tsv") +
             " --pairs " + quoted(project.scratch / "pairs.tsv") + " --batch 8 --init " +
             quoted(test::samples / "vectors/sample.50d.txt") + " -o " + model);
    REQUIRE_MESSAGE(trained.exit_code == 0, trained.err);
    const std::string results = quoted(project.scratch / "r");
    const Run run =
        host("run -q --encoder paragram --set model=" + model + " --tasks STS12,STS13 " +
             "--json - --output " + results + " --data " + quoted(*data));
    REQUIRE_MESSAGE(run.exit_code == 0, run.err);
    for (const core::Json& result : core::Json::parse(run.out).at("results")) {
        const core::Json& document = result.at("document");
        CHECK(document.at("standing").value("overlap", core::Json()) ==
              document.value("overlap", core::Json()));
        CHECK(document.contains("overlap") == (result.at("task") == "STS12"));
    }
    const Run standing = host("analyse standing " + results);
    CHECK(contains(standing.out, "† below the median"));
    CHECK(contains(standing.out, "  below the median")); // of STS13
    CHECK(contains(standing.out, "of 3108 of STS12): no scores on unseen text"));
    const Run json = host("analyse standing --json " + results);
    const core::Json datasets = core::Json::parse(json.out).at(0).at("datasets");
    CHECK(contains(datasets.front().at("trained_on").get<std::string>(), " of 3108"));
    CHECK(datasets.back().at("trained_on") == "");
}

TEST_CASE("pairs with sentences of the sample sets are counted, and left out on request")
{
    const Project project;
    const Run tasks = host("run" + test::glove_option + " --tasks STS12 -q --output " +
                           quoted(project.scratch / "r") + test::data_option);
    REQUIRE_MESSAGE(tasks.exit_code == 0, tasks.err);
    // A sentence of a sample set, whichever: the first of STS12 with four words and more.
    const std::string lines =
        core::read_file(test::samples / "downstream/STS/STS12-en-test/STS.input.MSRvid.txt");
    const std::string sentence = lines.substr(0, lines.find('\t'));
    project.scratch.write("more.tsv", sentence + "\tthe a1 and b1\n");
    const std::string more =
        "--epochs 1 --pairs " + quoted(project.scratch / "more.tsv") + test::data_option;
    const Run counted = host(project.train("counted", more));
    REQUIRE_MESSAGE(counted.exit_code == 0, counted.err);
    CHECK(contains(
        counted.err,
        "1 pairs share a sentence with an evaluation set, 0 of them left out: 1 with STS12"));
    CHECK(contains(counted.err, "warning: 1 pairs hold sentences of evaluation sets"));
    const Run left_out = host(project.train("left-out", more + " --exclude-overlap STS12"));
    CHECK(contains(left_out.err, "1 of them left out"));
    CHECK(contains(left_out.err, "80 pairs to train on, of 81"));
}
