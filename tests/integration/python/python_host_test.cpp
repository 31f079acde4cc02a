// The encoder `python` in the program: where Python is taken from, what a user sees.
#include "support/support.hpp"

namespace {

namespace test = senteval::test;

const std::filesystem::path samples = test::source_dir() / "data/samples";

test::Run run(const std::string& environment, const std::string& options)
{
    return test::shell("env -u VIRTUAL_ENV -u CONDA_PREFIX PATH=/usr/bin:/bin " + environment +
                       " " + test::quoted(test::program_file()) + " run " + options + " --data " +
                       test::quoted(samples));
}

} // namespace

TEST_CASE("a script in the classic form has the scores of glove, by the Python of the environment")
{
    const test::ScratchFolder folder;
    const auto other =
        folder.write("venv/bin/python3", "#!/bin/sh\necho used > " + test::quoted(folder / "used") +
                                             "\nexec /usr/bin/python3 \"$@\"\n");
    std::filesystem::permissions(other, std::filesystem::perms::owner_all);
    const std::string vectors = test::quoted(samples / "vectors/sample.50d.txt");
    const test::Run table = run(
        "VIRTUAL_ENV=" + test::quoted(folder / "venv"),
        "-q --tasks CR,TREC,STS14 --profile prototype --format csv --encoder glove --set vectors=" +
            vectors + " --encoder python --set script=" +
            test::quoted(test::source_dir() / "samples/encoder_python/bow.py") +
            " --set args=vectors=" + vectors);
    CAPTURE(table.out);
    CAPTURE(table.err);
    REQUIRE(table.exit_code == 0);
    const auto scores_of = [&](const std::string& encoder) {
        const auto at = table.out.find("\n" + encoder + ",") + 1;
        REQUIRE(at != std::string::npos + 1);
        return table.out.substr(at + encoder.size(),
                                table.out.find('\n', at) - at - encoder.size());
    };
    CHECK(scores_of("python") == scores_of("glove"));
    CHECK(std::filesystem::exists(folder / "used"));
}

TEST_CASE("the encoders python and precomputed keep the rules of encoder.h")
{
    const auto check = [](const std::string& encoder, const std::string& says) {
        const test::Run run = test::shell(0, test::quoted(test::program_file()) +
                                                 " check --limit-seconds 5 " + encoder);
        CHECK(test::contains(run.out, {"No rule that was tried is broken", says}));
    };
    const test::ScratchFolder folder;
    check("python --set batch_invariant=true --set style=encode --set script=" +
              test::quoted(test::source_dir() / "samples/encoder_python/char_ngrams.py"),
          " kept  ");
    // It has no vectors for sentences that nobody named, and is tried with those that it has.
    check("precomputed --set vectors=" +
              test::quoted(folder.write("vectors.txt", "1 2 3\n3 4 5\n")) + " --set sentences=" +
              test::quoted(folder.write("sentences.txt", "one sentence\nanother\n")),
          "10.3 10.4 10.5 it has vectors of given sentences only");
}

TEST_CASE("a script that fails costs its task, and the message names task, line and error")
{
    const test::ScratchFolder folder;
    const auto script =
        folder.write("broken.py", "def prepare(params, samples):\n"
                                  "    params.bad = params.current_task == 'CR'\n"
                                  "def batcher(params, batch):\n"
                                  "    return [[1 / (0 if params.bad else len(s) + 1)]\n"
                                  "            for s in batch]\n");
    const test::Run failed =
        run("", "--tasks CR,STS14 --similarity euclidean --encoder python --set "
                "script=" +
                    test::quoted(script));
    CAPTURE(failed.err);
    CHECK(failed.exit_code == 1);
    CHECK(test::contains(failed.err,
                         {"on task CR", "ZeroDivisionError: division by zero (broken.py:4, in "}));
    CHECK(test::contains(failed.out, "STS14"));
}

TEST_CASE("the hint for a missing package is that of the Python which runs")
{
    const test::ScratchFolder folder;
    const auto script = folder.write("needs.py", "import no_such_package.part\n");
    const std::string options =
        "-q --tasks STS14 --encoder python --set script=" + test::quoted(script);
    CHECK(test::contains(run("", options).err, "apt install python3-no-such-package"));
    const std::string venv = (folder / "venv").string();
    test::shell(0, "/usr/bin/python3 -m venv --without-pip " + test::quoted(venv));
    CHECK(test::contains(run("VIRTUAL_ENV=" + test::quoted(venv), options).err,
                         venv + "/bin/python3 -m pip install no-such-package"));
    const auto part = folder.write("part.py", "import json.no_such_part\n");
    CHECK_FALSE(test::contains(
        run("", "-q --tasks STS14 --encoder python --set script=" + test::quoted(part)).err,
        "install"));
}

TEST_CASE("check tells the whole reason of a script that fails")
{
    const test::ScratchFolder folder;
    const std::string words = std::string(40, 'w') + " " + std::string(70, 'x') + " end of it";
    const auto script = folder.write(
        "fails.py", "def batcher(params, batch):\n    raise ValueError('" + words + "')\n");
    const test::Run check =
        test::shell(1, test::quoted(test::program_file()) +
                           " check python --limit-seconds 5 --set script=" + test::quoted(script));
    CHECK(
        test::contains(check.out, {std::string(70, 'x'), "end of it", "                  File "}));
    CHECK_FALSE(test::contains(check.out, "bytes more"));
}

TEST_CASE("what a script prints goes to the log")
{
    const test::ScratchFolder folder;
    const auto script =
        folder.write("loud.py", "import sys\n"
                                "print('said \u00fcber')\n"
                                "def batcher(params, batch):\n"
                                "    print('a batch of', len(batch), file=sys.stderr)\n"
                                "    print('unfinished', end='')\n"
                                "    return [[len(s), 1] for s in batch]\n");
    for (const std::string isolation : {"", "--isolate"}) {
        const test::Run loud = run("env -u PYTHONUNBUFFERED",
                                   isolation +
                                       " --overwrite --tasks STS14 --format csv --encoder python "
                                       "--set script=" +
                                       test::quoted(script));
        CAPTURE(isolation);
        CAPTURE(loud.err);
        CHECK(loud.exit_code == 0);
        CHECK(test::contains(loud.err, {"said \u00fcber\n", "a batch of 128\n", "unfinished"}));
        CHECK(!test::contains(loud.out, "said"));
        CHECK(!test::contains(loud.out, "unfinished"));
        CHECK(test::contains(loud.out, "\npython,"));
    }
}

TEST_CASE("of own texts that a script reads as they are nobody says that they look untokenised")
{
    const test::ScratchFolder folder;
    std::string pairs;
    for (int i = 0; i < 20; ++i)
        pairs += std::to_string(i % 5) + "\tA dog, " + std::to_string(i) + ", runs.\tDogs, cats!\n";
    folder.write("pairs.tsv", pairs);
    const auto task =
        folder.write("run.toml", "[[task]]\nname = \"P\"\nprotocol = \"similarity\"\n"
                                 "test = \"pairs.tsv\"\ntarget = 1\nfirst = 2\nsecond = 3\n");
    const auto script =
        folder.write("encode.py", "def encode(sentences):\n"
                                  "    return [[len(s), s.count('1')] for s in sentences]\n");
    const std::string rest = " --output " + test::quoted(folder / "out") + " " + test::quoted(task);
    CHECK_FALSE(
        test::contains(run("", "--encoder python --set script=" + test::quoted(script) + rest).err,
                       "untokenised"));
    CHECK(test::contains(run("", "--encoder onehot" + rest).err, "untokenised"));
}

TEST_CASE("without NumPy a script may return lists")
{
    const test::ScratchFolder folder;
    folder.write("lib/numpy/__init__.py", "raise ImportError('not here')\n");
    const std::string body = "def batcher(params, batch):\n"
                             "    return [[len(s), 1] for s in batch]\n";
    const auto plain = folder.write("plain.py", body);
    const auto with_numpy = folder.write("with_numpy.py", "import numpy\n" + body);
    const auto scores = [&](const std::string& environment, const std::filesystem::path& script) {
        const test::Run table =
            run(environment, "-q --tasks STS14 --format csv --encoder python --set script=" +
                                 test::quoted(script));
        CAPTURE(table.err);
        CHECK(table.exit_code == 0);
        return table.out;
    };
    CHECK(scores("PYTHONPATH=" + test::quoted(folder / "lib"), plain) == scores("", with_numpy));
}
