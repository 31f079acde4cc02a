// What is known of MTEB's tasks, and where a folder's keys come from.
#include "base/error.hpp"
#include "data/sha256.hpp"
#include "support/support.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/mteb_catalogue.hpp"

#include <algorithm>
#include <set>

using namespace senteval;

namespace {

base::Json catalogued_keys(const std::string& name)
{
    const tasks::MtebTask* const task = tasks::find_mteb_task(name);
    REQUIRE(task != nullptr);
    return task->keys;
}

void write_few(const test::ScratchFolder& folder, const std::string& set, const std::string& train)
{
    std::filesystem::create_directories(folder.path() / set);
    folder.write(set + "/" + train + ".jsonl", R"({"text": "a", "label": 0}
{"text": "b", "label": 1}
)");
    folder.write(set + "/test.jsonl", R"({"text": "c", "label": 0}
{"text": "d", "label": 1}
)");
}

void write_ranked(const test::ScratchFolder& folder, const std::string& set)
{
    std::filesystem::create_directories(folder.path() / set / "qrels");
    folder.write(set + "/corpus.jsonl", R"({"_id": "d1", "text": "a"})");
    folder.write(set + "/queries.jsonl", R"({"_id": "q1", "text": "a"})");
    folder.write(set + "/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td1\t1\n");
}

core::Table
table_in(const test::ScratchFolder& folder, const std::string& set, const std::string& as = {})
{
    return tasks::describe_mteb_folder(folder.path() / set, nullptr, as).at(0);
}

std::vector<core::Table> described_in(const std::filesystem::path& data, const std::string& name)
{
    std::vector<std::string> left_out;
    return tasks::describe_mteb_tasks(data, name, left_out);
}

} // namespace

TEST_CASE("the catalogue says what MTEB's tasks are, and each is a [[task]] that can be read")
{
    CHECK(tasks::mteb_tasks().size() == 1324);
    CHECK(std::ranges::is_sorted(tasks::mteb_tasks(), {}, &tasks::MtebTask::name));
    CHECK_FALSE(catalogued_keys("Banking77Classification").contains("samples_per_label"));
    CHECK(std::ranges::count_if(tasks::mteb_tasks(), [](const auto& task) {
              return task.keys.contains("ignore_identical_ids");
          }) == 62);
    for (const char* name : {"FEVER", "FiQADecontaminated", "MMarcoRetrievalMultilingual",
                             "QuoraRetrievalDecontaminated"})
        CHECK(catalogued_keys(name)["ignore_identical_ids"] == true);
    CHECK(std::ranges::count_if(tasks::mteb_tasks(), [](const auto& task) {
              return task.keys.value("samples_per_label", 8) == 16;
          }) == 21);
    std::set<std::string> keys;
    for (const tasks::TaskKey& key : tasks::keys_of_task())
        keys.emplace(key.name);
    for (const tasks::MtebTask& task : tasks::mteb_tasks()) {
        CHECK(task.text("left_out").empty() == (!task.keys.empty() || task.is_mean()));
        for (const std::string& name : task.tasks())
            CHECK_MESSAGE(tasks::find_mteb_task(name) != nullptr, name);
        for (const auto& [key, value] : task.keys.items())
            CHECK_MESSAGE(keys.contains(key), task.name, ": ", key);
    }
}

TEST_CASE("a name, a pattern or a benchmark means tasks, a benchmark perhaps a part of one")
{
    CHECK(tasks::chosen_mteb_tasks("Banking77Classification").size() == 1);
    CHECK(tasks::chosen_mteb_tasks("*banking77*").size() >= 3);
    CHECK(tasks::chosen_mteb_tasks("NoSuchTask").empty());
    const auto english = tasks::chosen_mteb_tasks("MTEB(eng, v2)");
    CHECK(english.size() == 41);
    const auto sts = std::ranges::find_if(
        english, [](const auto& choice) { return choice.first.name == "STS22.v2"; });
    REQUIRE(sts != english.end());
    CHECK(tasks::parts_of(*sts) == 1);
    CHECK(tasks::parts_of(tasks::MtebChoice(sts->first, {})) == 18);
    const auto names = tasks::mteb_task_names("MTEB(eng, v2)");
    CHECK(std::ranges::count(names, "STS22.v2/en/*") == 1);
    CHECK(std::ranges::count(names, "STS12-mteb") + std::ranges::count(names, "STS12") == 1);
    CHECK(tasks::parts_of(tasks::chosen_mteb_tasks("CQADupstackRetrieval").at(0)) == 12);
    CHECK(tasks::parts_of(tasks::chosen_mteb_tasks("FloresBitextMining").at(0)) == 41412);
}

TEST_CASE("a folder takes MTEB's keys by its name, its repository's, or the one that is given")
{
    const test::ScratchFolder folder;
    write_ranked(folder, "QuoraRetrievalDecontaminated");
    write_ranked(folder, "other");
    CHECK(table_in(folder, "QuoraRetrievalDecontaminated").find("ignore_identical_ids") != nullptr);
    CHECK(table_in(folder, "other").find("ignore_identical_ids") == nullptr);
    CHECK(table_in(folder, "other", "FEVER").find("ignore_identical_ids") != nullptr);
    CHECK_ERROR(base::UsageError, "Classification",
                table_in(folder, "other", "Banking77Classification"));
    CHECK_THROWS_AS((void)table_in(folder, "other", "FEVRE"), base::UsageError);

    write_few(folder, "mine", "train");
    CHECK(table_in(folder, "mine").find("samples_per_label") == nullptr);
    const auto drawn = std::ranges::find_if(tasks::mteb_tasks(), [](const auto& task) {
        return task.keys.value("samples_per_label", 8) == 16 && task.train() == "train" &&
               task.splits() == std::vector<std::string>{"test"} &&
               task.keys.value("protocol", "") == "few-shot";
    });
    REQUIRE(drawn != tasks::mteb_tasks().end());
    CHECK(table_in(folder, "mine", drawn->name).find("samples_per_label")->integer() == 16);

    const auto folded =
        std::ranges::find(tasks::mteb_tasks(), "evaluation", &tasks::MtebTask::train);
    REQUIRE(folded != tasks::mteb_tasks().end());
    CHECK(table_in(folder, "mine").text("train") == "train.jsonl");
    const auto table = table_in(folder, "mine", folded->name);
    CHECK(table.text("train").empty());
    CHECK(table.find("folds")->integer() == folded->keys["folds"].get<int>());
}

TEST_CASE("a folder of the hub's cache is known by its repository, and refused where MTEB changes "
          "its rows")
{
    const test::ScratchFolder folder;
    write_few(folder, "datasets--mteb--banking77/snapshots/abc", "train");
    const auto set = table_in(folder, "datasets--mteb--banking77");
    CHECK(set.text("name") == "Banking77Classification");
    CHECK(set.text("metric") == "accuracy");
    CHECK(set.find("mteb")->json().at("revision") == "abc");
    CHECK(set.find("mteb")->json().at("languages") == base::Json::array({"eng-Latn"}));
    CHECK(table_in(folder, "datasets--mteb--banking77/snapshots/abc").text("name") ==
          "Banking77Classification");
    const auto warned = [&](const std::string& revision) {
        write_few(folder, "datasets--mteb--banking77/snapshots/" + revision, "train");
        task::DataFolder data(folder.path());
        (void)tasks::make_custom_task(
            tasks::read_description(
                table_in(folder, "datasets--mteb--banking77/snapshots/" + revision)))
            ->load(data);
        return std::ranges::count_if(data.data_warnings(), [](const std::string& warning) {
            return warning.find("\"revision\"") != std::string::npos;
        });
    };
    CHECK(warned("abc") == 1);
    CHECK(warned(tasks::find_mteb_task("Banking77Classification")->text("revision")) == 0);
    const auto changed = std::ranges::find_if(tasks::mteb_tasks(), [](const auto& task) {
        return task.text("loading") == "transform" &&
               std::ranges::count(tasks::mteb_tasks(), task.text("repository"),
                                  [](const auto& one) { return one.text("repository"); }) == 1;
    });
    REQUIRE(changed != tasks::mteb_tasks().end());
    std::string name = "datasets--" + changed->text("repository");
    name.replace(name.find('/'), 1, "--");
    write_few(folder, name, "train");
    CHECK_ERROR(base::UsageError, "senteval data fetch mteb:" + changed->name,
                table_in(folder, name));
}

TEST_CASE("a part whose data is not here has the record that it would have")
{
    CHECK_FALSE(tasks::mteb_part({}, "NoSuchTask", "default", "test").has_value());
    for (const tasks::MtebTask& task : tasks::mteb_tasks()) {
        const auto subsets = task.row.value("subsets", base::Json::array({"default"}));
        const std::string subset = subsets.is_array() ? subsets.back() : "a-b";
        if (const auto part = tasks::mteb_part({}, task.name, subset, task.splits().back())) {
            CHECK(part->of_mteb("task") == task.name);
            CHECK(part->part_of().whole.empty() ==
                  (task.is_mean() || tasks::parts_of(tasks::MtebChoice(task, {})) == 1));
            CHECK(part->headline_metric().path == task.keys.value("metric", part->headline));
        } else
            CHECK(tasks::sets_of({task, {}}).empty());
    }
    for (const std::string name : {"STS12", "SICK-R"}) // SentEval's, or its alias
        CHECK(tasks::mteb_part({}, name, "default", "test")->name == name + "-mteb");
    CHECK_FALSE(tasks::mteb_part({}, "STS12", "default", "validation").has_value());
    CHECK_FALSE(tasks::mteb_part({}, "STS22", "xx", "test").has_value());
}

TEST_CASE(
    "what was fetched is run with the keys that it came with, and doubted where it was changed")
{
    const test::ScratchFolder folder;
    write_few(folder, "mteb/New/en/test", "train");
    base::Json files;
    for (const std::string file : {"en/test/train.jsonl", "en/test/test.jsonl"})
        files[file] = {{"sha256", data::sha256_file(folder.path() / "mteb/New" / file)}};
    const base::Json keys = {{"protocol", "few-shot"},
                             {"train", "en/test/train.jsonl"},
                             {"test", "en/test/test.jsonl"},
                             {"experiments", 3}};
    const base::Json about = {{"task", "New"},
                              {"mteb", "2.26.0"},
                              {"revision", "abc"},
                              {"languages", {{"en", {"eng-Latn"}}, {"de", {"deu-Latn"}}}},
                              {"prompt", {{"query", "find \"it\""}}},
                              {"parts",
                               {{{"subset", "en"}, {"split", "test"}, {"keys", keys}},
                                {{"subset", "de"}, {"split", "test"}, {"left_out", "why"}}}},
                              {"files", files}};
    folder.write("mteb/New/mteb.json", about.dump());
    const auto tables = described_in(folder.path(), "New");
    REQUIRE(tables.size() == 1);
    CHECK(tables[0].text("name") == "New-en-test");
    CHECK(tables[0].find("experiments")->integer() == 3);
    const auto facts = [](const results::TaskRecord& task) {
        base::Json all;
        for (const char* fact :
             {"task", "subset", "split", "languages", "revision", "version", "prompt"})
            all[fact] = task.of_mteb(fact);
        return all;
    };
    const base::Json expected = {
        {"task", "New"},          {"subset", "en"},
        {"split", "test"},        {"languages", base::Json::array({"eng-Latn"})},
        {"revision", "abc"},      {"version", "2.26.0"},
        {"prompt", "find \"it\""}};
    const auto task = tasks::make_custom_task(tasks::read_description(tables[0]));
    CHECK(facts(task->info()) == expected);
    CHECK(facts(tasks::task_from_json(task->info().description)->info()) == expected);
    CHECK(tables[0].find("accept") != nullptr);
    CHECK(tasks::describe_mteb_folder(folder.path() / "mteb").size() == 1);
    folder.write("mteb/New/en/test/test.jsonl", R"({"text": "c", "label": 1})");
    CHECK(tasks::changed_mteb_files(folder.path() / "mteb/New").size() == 1);
    CHECK(described_in(folder.path(), "New")[0].find("accept") == nullptr);
    CHECK_ERROR(base::UsageError, "data fetch \"mteb:FEVER\"",
                described_in(folder.path(), "FEVER"));
    CHECK_ERROR(base::UsageError, "FEVER", described_in(folder.path(), "FEVRE"));
    CHECK_ERROR(base::UsageError, "--data", described_in({}, "FEVER"));
    folder.write("mteb/New/mteb.json", "{");
    CHECK_THROWS_AS((void)described_in(folder.path(), "New"), base::UsageError);
}

TEST_CASE("a mean of tasks is run as these, under their own names")
{
    const test::ScratchFolder folder;
    const auto means = tasks::mteb_means();
    const auto mean =
        std::ranges::find(means, "SynPerChatbotConvSAClassification", &results::MeanOfTasks::name);
    REQUIRE(mean != means.end());
    REQUIRE(mean->tasks.size() == 9);
    for (const std::string& name : mean->tasks) {
        CHECK(tasks::mteb_task_name(name) == name);
        CHECK_THROWS_AS((void)described_in(folder.path(), mean->name), base::UsageError);
        const std::string of_task = "mteb/" + name;
        write_few(folder, of_task, "train");
        const base::Json part = {
            {"subset", "default"},
            {"split", "test"},
            {"keys", {{"protocol", "few-shot"}, {"train", "train.jsonl"}, {"test", "test.jsonl"}}}};
        const base::Json about = {
            {"task", name}, {"parts", {part}}, {"files", base::Json::object()}};
        folder.write(of_task + "/mteb.json", about.dump());
    }
    const auto tables = described_in(folder.path(), mean->name);
    REQUIRE(tables.size() == 9);
    for (std::size_t at = 0; at < tables.size(); ++at) {
        CHECK(tables[at].text("name") == mean->tasks[at]);
        CHECK(tables[at].find("of") == nullptr);
    }
    const auto names = tasks::mteb_task_names(mean->name);
    for (const std::string& name : mean->tasks)
        CHECK(std::ranges::count(names, name) == 1);
}

TEST_CASE("what was fetched and is not in the catalogue is known by its folder")
{
    const test::ScratchFolder folder;
    write_few(folder, "mteb/MockNew/en/test", "train");
    const base::Json keys = {
        {"protocol", "few-shot"}, {"train", "en/test/train.jsonl"}, {"test", "en/test/test.jsonl"}};
    const base::Json about = {{"task", "MockNew"},
                              {"type", "Classification"},
                              {"all_parts", 2},
                              {"parts",
                               {{{"subset", "en"}, {"split", "test"}, {"keys", keys}},
                                {{"subset", "de"}, {"split", "test"}, {"left_out", "why"}}}},
                              {"files", base::Json::object()}};
    folder.write("mteb/MockNew/mteb.json", about.dump());
    std::filesystem::copy(folder / "mteb/MockNew", folder / "mteb/.MockNew.old",
                          std::filesystem::copy_options::recursive);
    CHECK(tasks::chosen_mteb_tasks("MockNew").empty());
    for (const char* name : {"MockNew", "mock*"}) {
        const auto chosen = tasks::chosen_mteb_tasks(name, folder.path());
        REQUIRE(chosen.size() == 1);
        CHECK(chosen[0].first.name == "MockNew");
        CHECK(chosen[0].first.text("type") == "Classification");
        CHECK(tasks::parts_of(chosen[0]) == 2);
        CHECK(tasks::sets_of(chosen[0]).size() == 1);
        CHECK(described_in(folder.path(), name).size() == 1);
    }
    const auto part = tasks::mteb_part(folder.path(), "MockNew", "en", "test");
    REQUIRE(part);
    CHECK(part->name == "MockNew-en-test");
    CHECK(part->part_of().whole == "MockNew");
    CHECK_FALSE(tasks::mteb_part(folder.path(), "MockNew", "fr", "test"));
    CHECK_FALSE(tasks::mteb_part({}, "MockNew", "en", "test"));
}
