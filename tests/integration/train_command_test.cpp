// senteval train: models, settings, and what is said of both.
#include "program/program.hpp"
#include "train_project.hpp"

#include "base/files.hpp"
#include "support/support.hpp"

#include <fmt/format.h>

using namespace senteval;
using test::contains;
using test::host;
using test::quoted;
using test::Run;
using Project = test::TrainProject;

TEST_CASE("a model is tuned on judged pairs, and their head is no part of it")
{
    const Project project;
    host(0, project.train("my.paragram", "--epochs 1 -q"));
    const auto tune = [&](const std::string& pairs, const std::string& further) {
        return host("train paragram --pairs " + quoted(project.scratch / pairs) + " --init " +
                    quoted(project.scratch / "my.paragram") + " -o " +
                    quoted(project.scratch / "tuned.paragram") + " --objective similarity " +
                    further);
    };
    const Run tuned = tune("task.tsv", "--epochs 2 --batch 4 --l2-words 0.1");
    REQUIRE_MESSAGE(tuned.exit_code == 0, tuned.err);
    CHECK(contains(tuned.err, {"12 pairs to train on, of 12", "the model of epoch 2"}));
    host(0, "run " + quoted(project.scratch / "run.toml") +
                " --set model=" + quoted(project.scratch / "tuned.paragram"));

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

TEST_CASE("a training that was killed is resumed to the same bytes")
{
    const Project project;
    const std::string settings = "--epochs 40 --model identity-rnn --seed 5 -q";
    host(0, project.train("whole", settings + " --threads 1"));
    const auto checkpoint = project.scratch / "cut.checkpoint";
    test::shell(0, test::program + " " +
                       project.train("cut", settings + " --threads 2 --checkpoint-every 1") +
                       " & pid=$!; while [ ! -e " + quoted(checkpoint) +
                       " ] && kill -0 $pid 2>/dev/null; do sleep 0.01; done; kill -9 $pid "
                       "2>/dev/null; wait $pid; "
                       "exit 0");
    host(0, project.train("cut", settings + " --threads 2 --resume"));
    CHECK(base::read_file(project.scratch / "cut") == base::read_file(project.scratch / "whole"));
    CHECK_FALSE(std::filesystem::exists(checkpoint));
}

TEST_CASE("a training takes the place of no file but its own")
{
    const Project project;
    const test::ScratchFolder& scratch = project.scratch;
    const auto pairs = base::read_file(scratch / "pairs.tsv");
    const auto refused = [&](const std::string& output, const std::string& further,
                             const std::string& why) {
        const Run run = host(2, project.train(output, "--epochs 1 -q " + further));
        CHECK(contains(run.err, why));
        CHECK(base::read_file(scratch / "pairs.tsv") == pairs);
    };
    refused("pairs.tsv", "", "would be overwritten");
    refused("vectors.txt", "", "would be overwritten");
    refused("task.tsv", "--dev " + quoted(scratch / "task.tsv"), "would be overwritten");
    refused("m", "--checkpoint " + quoted(scratch / "m"), "would be overwritten");
    refused("m", "--checkpoint " + quoted(scratch / "pairs.tsv"), "would be overwritten");
    refused("m", "--checkpoint " + quoted(scratch / "task.tsv"), "is no checkpoint");
    refused("", "", "is a folder");
    refused("pairs.tsv/below", "", "pairs.tsv': Not a directory");
    std::filesystem::create_hard_link(scratch / "pairs.tsv", scratch / "hard");
    refused("hard", "", "would be overwritten");
    test::shell(0, "mkfifo " + quoted(scratch / "pipe"));
    refused("pipe", "", "a pipe");
    CHECK(std::filesystem::is_fifo(scratch / "pipe"));
    const std::string nowhere = "train paragram --pairs " + quoted(scratch / "pairs.tsv") +
                                " --init " + quoted(scratch / "vectors.txt") + " --output=";
    for (const std::string name : {"''", "-", "/dev/stdout", "/dev/fd/2", "/proc/self/fd/2"}) {
        CAPTURE(name);
        host(2, nowhere + name);
    }

    std::filesystem::create_symlink("folder/model", scratch / "link");
    host(0, project.train("link", "--epochs 1 -q"));
    CHECK(std::filesystem::is_symlink(scratch / "link"));
    CHECK(std::filesystem::is_regular_file(scratch / "folder/model"));
    host(0, project.train("new/folder/model", "--epochs 1 -q"));
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
        const Run run = test::shell(0, command + quoted(file) + " | " + test::program +
                                           " train paragram --epochs 1 --pairs /dev/stdin --init " +
                                           quoted(project.scratch / "vectors.txt") + " -o " +
                                           quoted(project.scratch / "piped") + " 2>&1");
        CHECK(contains(run.out, "/dev/stdin: 1500 pairs"));
    }
}

TEST_CASE("a training that diverges fails, and writes no model")
{
    const Project project;
    const Run run = host(1, project.train("model", "--optim adam,lr=1e30 --epochs 3"));
    CHECK(contains(run.err, {"epoch 1, minibatch ", "smaller lr"}));
    CHECK_FALSE(std::filesystem::exists(project.scratch / "model"));
}

TEST_CASE("what is wrong with a training is said before it begins")
{
    const Project project;
    const auto error_of = [&](const std::string& further, const std::string& why) {
        const Run run = host(2, project.train("model", further));
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
    error_of("--dev /none/dev.tsv", "--dev: there is no file '/none/dev.tsv'");
    error_of("--dev dev.tvs", "--dev: there is no file 'dev.tvs'");
    error_of("--pairs " + quoted(project.scratch / "pairs.tsv,foo=1"), "there is no file");
    error_of("--pairs " + quoted(project.scratch.path()), "is a folder");
    project.scratch.write("empty.tsv", "");
    error_of("--pairs " + quoted(project.scratch / "empty.tsv"), "has no pair");
    error_of("--margin nan", "is not a number from 0 to 2");
    for (const std::string option : {"--clip", "--l2-words"})
        for (const std::string value : {"nan", "inf", "-1"})
            error_of(option + " " + value, "'" + value + "' is not a finite number, at least 0");
    error_of("--optim adam,lr=nan", "lr=nan");
    error_of("--dev STS12 --data " + quoted(test::samples), "has no development part");
}

TEST_CASE("the commands of the annex are found in an installation, and say so where they are not")
{
    const test::ScratchFolder scratch;
    const auto folder = scratch.path();
    std::filesystem::create_directories(folder / "bin");
    std::filesystem::copy(test::program_file(), folder / "bin/senteval");
    const std::string program = quoted(folder / "bin/senteval");
    for (const std::string command :
         {"train paragram", "train -h", "neighbours x", "analyse", "help train"}) {
        const Run run = test::shell(program + " " + command);
        CAPTURE(command);
        CHECK(run.exit_code == 2);
        CHECK(run.out.empty());
        CHECK(contains(run.err, "senteval-annex"));
    }
    CHECK(contains(test::shell(program + " --help").out, "\n  neighbours "));
    CHECK(test::shell(program + " __complete train ''").out.empty());

    const auto annex = folder / "libexec/senteval/senteval-annex";
    std::filesystem::create_directories(annex.parent_path());
    std::filesystem::copy(test::binary_dir() / "senteval-annex", annex);
    const Run help = test::shell(program + " help train paragram");
    CHECK(help.exit_code == 0);
    CHECK(contains(help.out, "--exclude-overlap TASKS"));
    CHECK(help.out == host("train paragram --help").out);
    const Run other = test::shell(quoted(annex) + " 0.0.0 train paragram --help");
    CHECK(other.exit_code == 2);
    CHECK(contains(other.err, "same version"));
}
