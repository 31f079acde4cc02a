#include "base/error.hpp"
#include "support/described.hpp"
#include "support/support.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/modern.hpp"

#include <iterator>

using namespace senteval;
using tasks::CustomProtocol;
using tasks::CustomTask;
using test::contains;
using test::described;

namespace {

core::Table table(const std::string& toml)
{
    return core::Table::parse(toml, "run.toml", "/base");
}

std::string complaint(const std::string& task)
{
    const core::Table root = table("[[task]]\n" + task);
    return test::error_of<base::UsageError>([&] { (void)tasks::all_tasks(root.tables("task")); });
}

std::string usage_error(const CustomTask& description)
{
    return test::error_of<base::UsageError>([&] { (void)tasks::make_custom_task(description); });
}

} // namespace

TEST_CASE("an incomplete or contradictory description is refused with task and key")
{
    CustomTask task = described(CustomProtocol::classification);
    CHECK(contains(usage_error(task), {"'Mine'", "classification", "'train'"}));
    task.train = "x";
    task.dev = "y";
    CHECK(contains(usage_error(task), {"'Mine'", "'dev' without 'test'"}));
    task.dev.clear();
    task.metric = "pearson";
    CHECK(contains(usage_error(task),
                   {"'Mine'", "'pearson'", "acc, devacc, f1, macro-f1, weighted-f1"}));
    task.metric.clear();
    task.labels = {"one"};
    CHECK(contains(usage_error(task), "names one class"));
    task.labels.clear();
    CHECK(usage_error(task).empty());
    for (const char* name : {"a,b", "a b", "a/b", "a*", ".", "..", "-x"}) {
        CAPTURE(name);
        task.name = name;
        CHECK(contains(usage_error(task), "a name may not "));
    }
    for (const std::string& name :
         {std::string("a\x1b[2J"), std::string(300, 'n'), std::string()}) {
        task.name = name;
        CHECK_FALSE(usage_error(task).empty());
    }

    task = described(CustomProtocol::relatedness);
    task.train = "x";
    CHECK(contains(usage_error(task), "'train', 'dev' and 'test'"));
    task = described(CustomProtocol::similarity);
    CHECK(contains(usage_error(task), {"'Mine'", "similarity", "'test'"}));
    task.test = "x";
    task.train = "y";
    CHECK(contains(usage_error(task), "learns nothing"));
    task.train.clear();
    task.labels = {"a", "b"};
    CHECK(contains(usage_error(task), "'labels' are for classification"));
    task.labels.clear();
    task.lowest_score = 5;
    CHECK(contains(usage_error(task), "'highest_score'"));
    task.highest_score = 5;
    CHECK(contains(usage_error(task), "lowest score"));
    task.lowest_score.reset();
    CHECK(contains(usage_error(task), "'lowest_score'"));
    task.highest_score.reset();
    task = described(CustomProtocol::classification);
    task.train = "x";
    task.lowest_score = 0;
    task.highest_score = 1;
    CHECK(contains(usage_error(task), "'lowest_score' and 'highest_score'"));
    task.lowest_score.reset();
    task.highest_score.reset();
    task.accept = {"copy"};
    CHECK(contains(usage_error(task), "copies"));
}

TEST_CASE("a description is read with every key, and its files are beside the run file")
{
    const core::Table root = table(R"(
[[task]]
name = "Reviews"
protocol = "pair-classification"
train = "train.tsv"
dev = "dev.tsv"
test = "/abs/test.tsv"
header = true
encoding = "latin-1"
first = "text"
second = 4
target = "label"
labels = ["no", 1]
tokenise = "moses"
lowercase = true
metric = "f1"
positive = 1
accept = ["copies"]
[[task]]
name = "Scores"
protocol = "similarity"
lowest_score = 1
highest_score = 7.5
)");
    const CustomTask reviews = tasks::read_description(root.tables("task")[0]);
    CHECK(reviews.name == "Reviews");
    CHECK(reviews.protocol == CustomProtocol::pair_classification);
    CHECK(reviews.base == "/base");
    CHECK(reviews.train == "train.tsv");
    CHECK(reviews.dev == "dev.tsv");
    CHECK(reviews.test == "/abs/test.tsv");
    CHECK(reviews.header);
    CHECK(reviews.encoding == text::Encoding::latin1);
    CHECK(reviews.first == "text");
    CHECK(reviews.second == "4");
    CHECK(reviews.target == "label");
    CHECK(reviews.labels == std::vector<std::string>{"no", "1"});
    CHECK(reviews.tokenise == tasks::Tokeniser::moses);
    CHECK(reviews.lowercase);
    CHECK(reviews.metric == "f1");
    CHECK(reviews.positive == "1");
    CHECK(reviews.accept == std::vector<std::string>{"copies"});
    const CustomTask scores = tasks::read_description(root.tables("task")[1]);
    CHECK(scores.lowest_score == 1);
    CHECK(scores.highest_score == 7.5);
    CHECK(scores.tokenise == tasks::Tokeniser::as_is);
    CHECK(scores.where == "run.toml:19:1");
}

TEST_CASE("mistakes in a description are named with line, column and the nearest key")
{
    CHECK(contains(complaint("name = \"x\"\nlabel = []\n"),
                   {"run.toml:3:1:", "'label'", "'labels'?"}));
    CHECK(contains(complaint("protocol = \"similarty\"\n"),
                   {"run.toml:2:12: 'protocol'", "'similarty'", "'similarity'?",
                    "classification, pair-classification, relatedness, similarity, search, "
                    "reranking, clustering, pair-threshold, few-shot, multilabel, bitext, "
                    "summarization"}));
    CHECK(contains(complaint("header = 1\n"), "run.toml:2:10: 'header' must be true"));
}

TEST_CASE("a user's task may not take a name that there is")
{
    const std::string mine = "[[task]]\nname = \"Mine\"\nprotocol = \"similarity\"\ntest = \"x\"\n";
    const core::Table once = table(mine);
    CHECK(tasks::all_tasks(once.tables("task")).back()->info().name == "Mine");
    const core::Table twice = table(mine + mine);
    CHECK_ERROR(base::UsageError, "run.toml:5:1: task 'Mine'",
                tasks::all_tasks(twice.tables("task")));
    for (const char* name : {"nli", "MR", "all", "custom", "sts12", "STS-B", "sick r"})
        CHECK(contains(complaint(std::string("name = \"") + name +
                                 "\"\nprotocol = \"similarity\"\ntest = \"x\"\n"),
                       "of that name already"));
}

TEST_CASE("keys that name the same column are refused")
{
    CustomTask task = described(CustomProtocol::classification);
    task.train = "x";
    task.target = "1";
    CHECK(contains(usage_error(task), "'first' and 'target' are the same column, '1'"));
    task.target.clear(); // the second, unless it is given
    task.first = "2";
    CHECK(contains(usage_error(task), "'first' and 'target' are the same column, '2'"));
}

TEST_CASE("the user's home stands for ~ in the files of a task")
{
    const char* home = std::getenv("HOME");
    const std::string before = home == nullptr ? "" : home;
    setenv("HOME", "/home/me", 1);
    const auto read =
        tasks::read_description(table("[[task]]\nname = \"Mine\"\nprotocol = \"classification\"\n"
                                      "train = \"~/x.tsv\"\ntest = \"~/y/z.tsv\"\n")
                                    .tables("task")
                                    .front());
    setenv("HOME", before.c_str(), 1);
    CHECK(read.train == "/home/me/x.tsv");
    CHECK(read.test == "/home/me/y/z.tsv");
    CHECK(read.dev.empty());
}

TEST_CASE("the page describes every key of a task in the words of the program")
{
    std::ifstream file(test::source_dir() / "tasks/README.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    auto keys = tasks::keys_of_task();
    const auto modern = tasks::keys_of_modern_task();
    keys.insert(keys.end(), modern.begin(), modern.end());
    for (const auto& [key, what] : keys) {
        CAPTURE(key);
        CHECK(contains(page, "| `" + key + "` | " + what + " |\n"));
    }
}
