// Results reach standard output and files whole, or the program says that they did not.
#include "base/files.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::test;

namespace {

std::string misbehaving(const std::string& what)
{
    return bad_plugin("runtime") + " --set what=" + what;
}

} // namespace

TEST_CASE("what an encoder prints goes to the log, not between the results")
{
    const ScratchFolder folder;
    const Run run = host(0, "run -q" + misbehaving("print") + on_samples("STS12") + " --json -" +
                                into(folder / "results"));
    CHECK(json_of(run).at("results").size() == 1);
    for (const char* how : {"printed by", "written by", "echoed by", "left in"})
        CHECK(test::contains(run.err, how));
}

TEST_CASE("a relative --json file and store are where the run began, wherever an encoder goes")
{
    const ScratchFolder folder;
    const Run run = shell(0, "cd " + quoted(folder.path()) + " && " + program + " run -q" +
                                 misbehaving("chdir") + on_samples("STS12") +
                                 " --json run.json --output results");
    CHECK(base::Json::parse(base::read_file(folder / "run.json")).at("results").size() == 1);
    CHECK(store_content(folder / "results").size() == 2);
}

TEST_CASE("--json /dev/stdout is the program's standard output")
{
    const ScratchFolder folder;
    const Run run = host(0, "run -q" + misbehaving("print") + " --tasks STS12 --json /dev/stdout" +
                                data_option + into(folder / "results"));
    CHECK(json_of(run).at("results").size() == 1);
}

TEST_CASE("two documents for standard output are refused")
{
    for (const std::string format : {"csv", "markdown"}) {
        const Run run = host(2, "run -q" + glove_option + " --tasks STS12 --json - --format " +
                                    format + data_option);
        CHECK(run.out.empty());
        CHECK(test::contains(run.err, "--json - and --format " + format + " both ask for"));
    }
}

TEST_CASE("a full standard output is an error of every command, and takes no other result")
{
    const ScratchFolder folder;
    const std::string run =
        "run -q" + glove_option + on_samples("STS12") + into(folder / "results");
    for (const std::string& arguments :
         {run + " --json " + quoted(folder / "run.json"), run + " --json -", std::string("tasks"),
          std::string("encoders glove"), std::string("data list"), std::string("--help"),
          "compare " + quoted(folder / "results")}) {
        CAPTURE(arguments);
        const Run full = host(1, arguments + " > /dev/full");
        CHECK(test::contains(full.err, "cannot write to standard output: No space left on device"));
    }
    CHECK(base::Json::parse(base::read_file(folder / "run.json")).at("results").size() == 1);
}

TEST_CASE("a file that may not grow is an error that names it, and nobody else is blamed")
{
    const ScratchFolder folder;
    const std::string run =
        "run -q" + glove_option + on_samples("STS12") + into(folder / "results");
    host(0, run);
    const auto limited = [](const std::string& arguments) {
        return shell("(ulimit -f 1; exec " + program + " " + arguments + ")");
    };
    for (const std::string& arguments :
         {"report " + quoted(folder / "results") + " -o " + quoted(folder / "report.html"),
          "sentences" + on_samples("STS12") + " -o " + quoted(folder / "sentences.txt"),
          run + " --json " + quoted(folder / "run.json")}) {
        CAPTURE(arguments);
        const Run refused = limited(arguments);
        CHECK(refused.exit_code == 1);
        CHECK(test::contains(refused.err, "File too large"));
        CHECK(!test::contains(refused.err, "broke off"));
    }
}

TEST_CASE("what an encoder warns of stands in its results, without a log as well")
{
    const ScratchFolder folder;
    const auto vectors = folder.write("cut.vec", "3 2\nthe 1 2\na 0.5 0.25\n");
    const Run run =
        host(0, "run -q --encoder glove --set vectors=" + quoted(vectors) + on_samples("STS12") +
                    " --json " + quoted(folder / "run.json") + into(folder / "results"));
    const std::string warning = "promises 3 words, but the file has 2";
    CHECK(test::contains(run.out, "glove warned:"));
    const auto document = base::Json::parse(base::read_file(folder / "run.json"));
    const auto& warnings = document.at("results").at(0).at("document").at("run").at("warnings");
    CHECK(test::contains(warnings.at(0).get<std::string>(), warning));
    const Run compared = host("compare " + quoted(folder / "results") + " --format json");
    CHECK(test::contains(compared.out, warning));
}

TEST_CASE("a reader that has seen enough ends a command quietly")
{
    const Run run = shell("(sleep 0.2; " + program + " tasks; echo $? >&2) | true; sleep 1");
    CHECK(run.err == "141\n");
}

TEST_CASE("a log that nobody reads does not end the run")
{
    const ScratchFolder folder;
    const Run run =
        shell(0, "(" + program + " run" + glove_option + on_samples("STS12,STS13,STS14") +
                     " --json " + quoted(folder / "run.json") + into(folder / "results") +
                     " 2>&1 >/dev/null) | true; sleep 0.1");
    for (int tenths = 0; tenths < 100 && !std::filesystem::exists(folder / "run.json"); ++tenths)
        shell("sleep 0.1");
    CHECK(base::Json::parse(base::read_file(folder / "run.json")).at("results").size() == 3);
}

TEST_CASE("standard streams that are closed do no harm")
{
    const ScratchFolder folder;
    const std::string run = program + " run -q" + glove_option + on_samples("STS12") + " --json " +
                            quoted(folder / "run.json") + into(folder / "results");
    shell(1, run + " >&-"); // the table has no place
    CHECK(base::Json::parse(base::read_file(folder / "run.json")).at("results").size() == 1);
    shell(0, run + " <&- 2>&-");
}

TEST_CASE("what an encoder prints is escaped, bounded and named")
{
    const ScratchFolder folder;
    for (const char* what : {"escapes", "flood"}) {
        const Run run = host("run -q" + misbehaving(what) + on_samples("STS12") + " --json -" +
                             into(folder / "results"));
        CAPTURE(run.err.substr(0, 1000));
        CHECK(run.exit_code == 0);
        CHECK(json_of(run).at("results").size() == 1);
        CHECK(std::none_of(run.err.begin(), run.err.end(),
                           [](unsigned char c) { return (c < 0x20 && c != '\n') || c == 0x7f; }));
        if (what == std::string("escapes")) {
            CHECK(test::contains(
                run.err, {"runtime: \\x1b[31mred\\x0dgone\n", "runtime: \\x1b]0;title\\x07\n"}));
        } else {
            CHECK(test::contains(run.err, "runtime: line 00000 of a flood"));
            CHECK(run.err.size() < 200'000);
            CHECK(test::contains(run.err, "(further output"));
        }
    }
}

TEST_CASE("an encoder that hangs at the end of its process keeps nobody")
{
    const ScratchFolder folder;
    const Run run = host(0, "run -q" + misbehaving("hang_at_exit") + on_samples("STS12") +
                                " --json -" + into(folder / "results"));
    CHECK(json_of(run).at("results").size() == 1);
}

TEST_CASE("a process that an encoder forks tells and stores nothing in the run's name")
{
    const ScratchFolder folder;
    for (const char* what : {"fork", "fork_and_exit", "fork_in_destroy"}) {
        CAPTURE(what);
        const Run run = host(0, "run" + misbehaving(what) + on_samples("STS12") + " --json -" +
                                    into(folder / what));
        CHECK(json_of(run).at("results").size() == 1); // and no second document behind it
        CHECK(!test::contains(run.err, "exit() was called"));
    }
}

TEST_CASE("an encoder that replaces its standard output does not reach the program's")
{
    const ScratchFolder folder;
    const Run run = host("run -q" + misbehaving("redirect_all") + " --tasks STS12 --json " +
                         quoted(folder / "run.json") + data_option + into(folder / "results"));
    CAPTURE(run.err);
    CHECK(run.exit_code == 1); // its connection to the program was among what it replaced
    CHECK_FALSE(run.out.empty());
    CHECK(base::Json::parse(base::read_file(folder / "run.json")).at("failures").size() == 1);
}

TEST_CASE("control characters of labels and files reach neither log nor table")
{
    const ScratchFolder folder;
    const Run run =
        host(0, "run" + glove_option + " --label \"$(printf 'a\\033[31mb\\233c\\rd')\"" +
                    on_samples("STS12") + into(folder / "results"));
    for (const std::string& text : {run.out, run.err})
        for (const char control : {'\x1b', '\x9b', '\r'})
            CHECK(text.find(control) == std::string::npos);
    CHECK(test::contains(run.err, "a\\x1b[31mb\\x9bc\\x0dd on STS12"));
}

TEST_CASE(
    "documents for programs have every label as it is, and JSON nothing that a terminal obeys")
{
    const ScratchFolder folder;
    const std::string label = "a\xc2\x9b"
                              "b\xe2\x80\x8c"
                              "c\xf3\xa0\x81\x81";
    const std::string results = into(folder / "results");
    const Run run = host("run --json -" + glove_option + " --label '" + label + "'" +
                         on_samples("STS12") + results);
    const Run json = host("compare --format json " + quoted(folder / "results"));
    const Run csv = host("compare --format csv " + quoted(folder / "results"));
    for (const Run* one : {&run, &json, &csv})
        REQUIRE(one->exit_code == 0);
    for (const Run* one : {&run, &json}) {
        CHECK(test::contains(one->out, "a\\u009bb\\u200cc\\udb40\\udc41"));
        CHECK(one->out.find('\x9b') == std::string::npos);
        CHECK(test::contains(base::Json::parse(one->out).dump(), label));
    }
    CHECK(test::contains(csv.out, label));
}
