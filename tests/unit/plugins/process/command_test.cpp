#include "process/command.hpp"
#include "process/content.hpp"
#include "support/support.hpp"

#include <senteval/encoder.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace {

namespace process = senteval::process;
namespace sdk = senteval::sdk;
namespace test = senteval::test;
using Words = std::vector<std::string>;

} // namespace

TEST_CASE("a command is split as by a shell")
{
    CHECK(process::split("node embed.mjs") == Words{"node", "embed.mjs"});
    CHECK(process::split("  a\t'b c'\\ d \"e 'f'\"g '' \n") == Words{"a", "b c d", "e 'f'g", ""});
    CHECK(process::split(R"(a "\"\\\$\`\x" \"b\$)") == Words{"a", R"("\$`\x)", "\"b$"});
    CHECK(process::split("a '|&;<>()`$' --x=*? ~") == Words{"a", "|&;<>()`$", "--x=*?", "~"});
    CHECK(process::split("\xc3\xa9 'x'") == Words{"\xc3\xa9", "x"});
}

TEST_CASE("what only a shell could do is refused, with the command")
{
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"a | b", "has a |, which means something to a shell only"},
        {"a > b", "has a >"},
        {"a && b", "has a &"},
        {"a; b", "has a ;"},
        {"a $HOME", "has a $"},
        {"a \"$HOME\"", "has a $"},
        {"a `b`", "has a `"},
        {"a 'b", "has a ' without its pair"},
        {"a \"b", "has a \" without its pair"},
        {"a \\", "ends in a backslash"},
        {"", "names no program"},
        {"  ", "names no program"},
        {"'' a", "names no program"},
    };
    for (const auto& refused : expected) {
        const auto& [command, words] = refused;
        CAPTURE(refused.first);
        CHECK_THROWS_WITH_AS(process::split(command), doctest::Contains(words.c_str()), sdk::Error);
        CHECK_THROWS_WITH_AS(process::split(command),
                             doctest::Contains(("'" + command + "'").c_str()), sdk::Error);
    }
}

TEST_CASE("a command stands on the files and folders that it names")
{
    const test::ScratchFolder scratch;
    scratch.write("embed.sh", "echo 1");
    scratch.write("model/a", "weights");
    scratch.write("model/deep/b", "more");
    const auto files = [&](const std::string& text, bool shell = false) {
        return process::make_command(text, scratch.path(), shell).files;
    };
    const auto first = files("sh ./embed.sh --model=model --nothing x");
    CHECK(first.size() == 2);
    CHECK(first.at("./embed.sh") == process::fingerprint(scratch / "embed.sh"));
    CHECK(first.at("model") == process::fingerprint(scratch / "model"));
    CHECK(files("sh -c x . .. /").empty()); // the folders around it are not what it stands on
    CHECK(files("./embed.sh < model/a | x", true).size() == 2);
    CHECK(files("sh -c 'cat model/a | ./embed.sh'").size() == 2);
    CHECK(files("sh -m model.a").empty());
    scratch.write("model/module.py", "");
    CHECK(files("sh -m model.module").size() == 1);
    std::filesystem::remove(scratch / "model/module.py");

    scratch.write("model/deep/b", "retrained");
    const auto second = files("sh ./embed.sh --model=model");
    CHECK(second.at("./embed.sh") == first.at("./embed.sh"));
    CHECK(second.at("model") != first.at("model"));
    std::filesystem::rename(scratch / "model/deep/b", scratch / "model/deep/c");
    CHECK(files("sh model").at("model") != second.at("model"));
}

TEST_CASE("a program is found along PATH or from the folder, or is missed by name")
{
    const test::ScratchFolder scratch;
    scratch.write("script.py", "");
    CHECK(process::make_command("sh x", scratch.path(), false).program.is_absolute());
    CHECK_THROWS_WITH_AS(process::make_command("no-such-program x", scratch.path(), false),
                         "parameter 'command': there is no program 'no-such-program' on PATH",
                         sdk::Error);
    CHECK_THROWS_WITH_AS(process::make_command("./none x", scratch.path(), false),
                         doctest::Contains("there is no program"), sdk::Error);
    CHECK_THROWS_WITH_AS(process::make_command("./script.py x", scratch.path(), false),
                         doctest::Contains("cannot be executed: make it executable"), sdk::Error);
}
