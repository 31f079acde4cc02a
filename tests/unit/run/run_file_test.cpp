#include "base/error.hpp"
#include "run/run_file.hpp"
#include "support/support.hpp"

using namespace senteval;
using run::Config;

namespace {

Config read(const std::string& text, Config config = {})
{
    const test::ScratchFolder folder;
    run::read_run_file(folder.write("run.toml", text), config);
    return config;
}

/// What is said of the file, from its name on.
std::string complaint(const std::string& text)
{
    const std::string said = test::error_of<base::UsageError>([&] { return read(text); });
    return said.substr(std::min(said.find("run.toml"), said.size()));
}

} // namespace

TEST_CASE("a run file sets options, and its paths start from its folder")
{
    const test::ScratchFolder folder;
    Config config;
    run::read_run_file(folder.write("deep/run.toml", R"(
[run]
data = "../data"
output = "/out"
tasks = ["MR", "STS14"]
seed = [1, 2]
[classifier]
kfold = 5
dropout = 0.5
[[encoder]]
name = "glove"
label = "GloVe"
[encoder.parameters]
vectors = "v.txt"
lower = true
[[encoder]]
path = "mine.so"
query_prefix = "query: "
)"),
                       config);
    CHECK(config.data == folder / "data");
    CHECK(config.output == "/out");
    CHECK(config.tasks == std::vector<std::string>{"MR", "STS14"});
    CHECK(config.seeds == std::vector<std::uint32_t>{1, 2});
    CHECK(config.settings.kfold == 5);
    CHECK(config.settings.classifier.dropout == 0.5);
    REQUIRE(config.encoders.size() == 2);
    CHECK(config.encoders[0].name == "glove");
    CHECK(config.encoders[0].label == "GloVe");
    REQUIRE(config.encoders[0].settings.size() == 2);
    CHECK(config.encoders[0].settings[1].path() == folder / "deep/v.txt");
    CHECK(config.encoders[0].settings[0].boolean());
    CHECK(config.encoders[1].name == "./mine.so"); // a path, also where it looks like a name
    CHECK(config.encoders[1].base == folder / "deep");
    REQUIRE(config.encoders[1].settings.size() == 1);
    CHECK(config.encoders[1].settings[0].key() == "query_prefix");
    CHECK(config.encoders[1].settings[0].string() == "query: ");
}

TEST_CASE("a profile is applied first, wherever it stands, unless the command line has one")
{
    const std::string text = "[run]\nseed = 7\nprofile = \"prototype\"\n[classifier]\nkfold = 4\n";
    Config config = read(text);
    CHECK(config.seeds == std::vector<std::uint32_t>{7});
    CHECK(config.settings.kfold == 4);
    CHECK(config.settings.classifier.optim == "rmsprop");

    Config with_profile;
    with_profile.profile = "sklearn";
    with_profile.settings.classifier.classifier = "logreg-newton";
    config = read(text, with_profile);
    CHECK(config.profile == "sklearn");
    CHECK(config.settings.classifier.optim == "adam");
}

TEST_CASE("mistakes are named with line, column and the nearest key")
{
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"[rum]\n", "run.toml:1:2: there is no section 'rum'. Did you mean 'run'?"},
        {"[run]\n\n  seedz = 3\n",
         "run.toml:3:3: there is no option 'seedz'. Did you mean 'seed'?"},
        {"[run]\nkfold = 3\n", "run.toml:2:9: 'kfold' belongs in the section [classifier]"},
        {"[classifier]\nkfold = \"ten\"\n",
         "run.toml:2:9: 'kfold' must be an integer, not \"ten\""},
        {"[run]\ntasks = 5\n", "run.toml:2:9: 'tasks' must be a string, not 5"},
        {"[classifier]\nlimit = 3\n", "run.toml:2:9: 'limit' belongs in the section [run]"},
        {"[run]\nlimit = nan\n", "run.toml:2:9: 'limit' must be an integer, not nan"},
        {"[run]\nkernels = 3\n", "run.toml:2:11: 'kernels' must be a string, not 3"},
        {"[classifier]\noptim = 3\n", "run.toml:2:9: 'optim' must be a string, not 3"},
        {"[run]\ndata = 1979-05-27\n", "run.toml:2:8: expected a string, number"},
        {"run = 3\n", "run.toml:1:7: 'run' must be a table"},
        {"[encoder]\nname = \"glove\"\n", "write this section as [[encoder]]"},
        {"[[encoder]]\nlabel = \"x\"\n", "run.toml:1:1: an encoder needs 'name'"},
        {"[[encoder]]\nname = \"x\"\npath = \"y\"\n", "run.toml:1:1: an encoder needs 'name'"},
        {"[[encoder]]\nnome = \"x\"\n", "run.toml:2:1: there is no key of an encoder 'nome'."},
        {"[[encoder]]\nname = \"x\"\nparameters = 3\n", "'parameters' must be a table"},
        {"[run]\nseed = \n", "run.toml:2:8: "},
        {"[run\n", "run.toml:1:"},
    };
    for (const auto& wrong : expected) {
        const auto& [text, words] = wrong;
        CAPTURE(wrong.first);
        CHECK(test::contains(complaint(text), words));
        CHECK(test::times(complaint(text), "run.toml:") <= 1);
    }
}

TEST_CASE("a file that is not there is named")
{
    Config config;
    CHECK_ERROR(base::UsageError, "'/none/run.toml'", run::read_run_file("/none/run.toml", config));
}

TEST_CASE("tasks of one's own are kept with their places for those who know their keys")
{
    const Config config =
        read("[[task]]\nname = \"Reviews\"\nsecond = 4\n[[task]]\nname = \"b\"\n");
    REQUIRE(config.custom_tasks.size() == 2);
    CHECK(config.custom_tasks[0].text("name") == "Reviews");
    CHECK(config.custom_tasks[0].find("second")->integer() == 4);
    CHECK(config.custom_tasks[0].base().is_absolute());
    CHECK(config.custom_tasks[1].where().ends_with("run.toml:4:1"));
    CHECK(test::contains(complaint("[task]\nname = \"x\"\n"), "[[task]]"));
}
