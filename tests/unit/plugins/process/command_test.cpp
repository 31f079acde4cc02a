#include "process/command.hpp"
#include "support/support.hpp"

#include <senteval/encoder.hpp>

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
    for (const std::string command : {"a | b", "a > b", "a && b", "a; b", "a $HOME", "a \"$HOME\"",
                                      "a `b`", "a 'b", "a \"b", "a \\", "", "  ", "'' a"}) {
        CAPTURE(command);
        CHECK_ERROR(sdk::Error, ("'" + command + "'"), process::split(command));
    }
}

TEST_CASE("the files that a command names are hashed, and the program is")
{
    const test::ScratchFolder scratch;
    scratch.write("embed.sh", "echo 1");
    scratch.write("model/weights", "weights");
    const auto files = [&] {
        return process::make_command("sh ./embed.sh --model=model/weights model --nothing x",
                                     scratch.path(), false)
            .files;
    };
    const auto first = files();
    CHECK(first.size() == 3);
    CHECK(first.at("./embed.sh").size() == 32);
    CHECK(files() == first);
    scratch.write("model/weights", "retrained");
    const auto second = files();
    CHECK(second.at("./embed.sh") == first.at("./embed.sh"));
    CHECK(second.at("model/weights") != first.at("model/weights"));
}

TEST_CASE("a program is found along PATH or from the folder, or is missed by name")
{
    const test::ScratchFolder scratch;
    scratch.write("script.py", "");
    CHECK(process::make_command("sh x", scratch.path(), false).words.front().front() == '/');
    CHECK_ERROR(sdk::Error, "'no-such-program'",
                process::make_command("no-such-program x", scratch.path(), false));
    CHECK_ERROR(sdk::Error, "there is no program",
                process::make_command("./none x", scratch.path(), false));
    CHECK_ERROR(sdk::Error, "cannot be executed: make it executable",
                process::make_command("./script.py x", scratch.path(), false));
}
