// Folders of the hub: the configs of README.md, and the names of files.
#include "base/error.hpp"
#include "support/support.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/hub_files.hpp"

using namespace senteval;
using Names = std::vector<std::string>;

namespace {

constexpr const char* readme = R"(---
language:
- eng
dataset_info:
  features:
  - name: text
    dtype:
      class_label:
        names:
          '0': "a: b"
configs:
# what a person wrote
- config_name: default
  data_files:
  - split: train
    path: data/train-*
  - split: test
    path:
    - "data/test-*"
  default: true
- config_name: 'en'
  data_files:
    - split: test
      path: 'rows/en: all.jsonl'
- config_name: one
  data_files: one.jsonl
- config_name: two
  data_files: ["a.jsonl", "b.jsonl"]
tags:
- mteb
---
# A set
)";

std::string without_last_config(std::string text)
{
    const auto at = text.find("- config_name: two");
    return text.erase(at, text.find("tags:") - at);
}

} // namespace

TEST_CASE("the configs of a README are read, and what is not understood is named by its line")
{
    const auto configs = tasks::configs_in(without_last_config(readme), "README.md");
    REQUIRE(configs.size() == 3);
    CHECK(configs[0].at("data_files")[0].at("path") == "data/train-*");
    CHECK(configs[0].at("data_files")[1].at("path") == base::Json{"data/test-*"});
    CHECK(configs[0].at("default") == "true");
    CHECK(configs[1].at("config_name") == "en");
    CHECK(configs[1].at("data_files")[0].at("path") == "rows/en: all.jsonl");
    CHECK(configs[2].at("data_files") == "one.jsonl");
    CHECK(tasks::configs_in("# no head", "README.md").is_null());
    CHECK(tasks::configs_in("---\nlicense: mit\n---\n", "README.md").is_null());
    CHECK_THROWS_WITH_AS((void)tasks::configs_in(readme, "README.md"),
                         doctest::Contains("README.md:28"), base::UsageError);
    for (const char* odd : {"---\nconfigs:\n- {config_name: a}\n---\n",
                            "---\nconfigs:\n- config_name: \"a\\n\"\n---\n",
                            "---\nconfigs:\n- config_name: &a x\n---\n",
                            "---\nconfigs:\n- config_name: a\n    path: b\n---\n"})
        CHECK_THROWS_AS((void)tasks::configs_in(odd, "README.md"), base::UsageError);
}

TEST_CASE("files are found by the configs, else by their names")
{
    const test::ScratchFolder folder;
    folder.write("README.md", without_last_config(readme));
    for (const char* name :
         {"data/train-00000-of-00001.parquet", "data/test-00001-of-00002.parquet",
          "data/test-00000-of-00002.parquet", "rows/en: all.jsonl", "one.jsonl", "data/dev.csv"})
        folder.write(name, "");
    const tasks::HubFiles files(folder.path());
    CHECK(files.configs() == Names{"default", "en", "one"});
    CHECK(files.in("default", "test") == "data/test-00000-of-00002.parquet");
    CHECK(files.in("default", "train") == "data/train-00000-of-00001.parquet");
    CHECK(files.in("default", "validation").empty());
    CHECK(files.in("en", "") == "rows/en: all.jsonl");
    CHECK(files.in("one", "train") == "one.jsonl");
    CHECK(files.in("one", "test").empty());
    CHECK(files.in("none", "test").empty());
    CHECK(files.called("validation") == "data/dev.csv");
    CHECK(files.called("test") == "data/test-00000-of-00002.parquet");
    for (const std::string& ending : {std::string(), std::string("\r")}) {
        std::string text =
            "\xef\xbb\xbf---@configs:@- config_name: default@  data_files:@  - split: test@"
            "    path: data/dev.csv@  - split: train@    path: data/[ab].csv@---@";
        for (std::size_t at = 0; (at = text.find('@', at)) != text.npos;)
            text.replace(at, 1, ending + "\n");
        folder.write("other/README.md", text);
        folder.write("other/data/dev.csv", "");
        folder.write("other/data/a.csv", "");
        const tasks::HubFiles other(folder.path() / "other");
        CHECK(other.in("default", "test") == "data/dev.csv");
        CHECK(other.in("default", "validation").empty());
        CHECK_THROWS_WITH_AS((void)other.in("default", "train"), doctest::Contains("data/[ab].csv"),
                             base::UsageError);
    }
    folder.write("data/train-more.parquet", "");
    CHECK_THROWS_AS((void)files.in("default", "train"), base::UsageError);
    std::filesystem::remove(folder / "data/test-00001-of-00002.parquet");
    CHECK_ERROR(base::UsageError, "takes 1 file for 'test'", files.in("default", "test"));
}

TEST_CASE("each config with rows is a subset of the task, wherever its files are")
{
    const test::ScratchFolder folder;
    const std::string set = "datasets--mteb--sts22-crosslingual-sts/snapshots/1";
    std::string configs = "---\nconfigs:\n";
    for (const std::string name : {"en", "de"}) {
        configs += "- config_name: " + name + "\n  data_files:\n  - split: test\n    path: test/" +
                   name + ".jsonl\n";
        folder.write(set + "/test/" + name + ".jsonl",
                     "{\"sentence1\": \"a\", \"sentence2\": \"b\", \"score\": 1.5}\n");
    }
    folder.write(set + "/README.md", configs + "---\n");
    const auto all = tasks::describe_mteb_folder(
        folder.path() / "datasets--mteb--sts22-crosslingual-sts", nullptr, "STS22.v2");
    REQUIRE(all.size() == 2);
    CHECK(all[0].text("name") == "STS22.v2-de-test");
    CHECK(all[0].text("part") == "de/test");
    CHECK(all[0].text("of") == "STS22.v2");
    CHECK(all[1].text("test") == "test/en.jsonl");
}
