#include "base/error.hpp"
#include "support/described.hpp"
#include "support/support.hpp"
#include "tasks/custom/custom.hpp"

#include <algorithm>
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

/// Whether a task of that protocol with those further keys is refused with a message that has all the words.
bool is_refused(const std::string& protocol,
                const std::string& keys,
                const std::vector<std::string>& words)
{
    const std::string said = complaint("name = \"Mine\"\nprotocol = \"" + protocol + "\"\n" + keys);
    return contains(said, "run.toml:") && std::ranges::all_of(words, [&](const std::string& word) {
               return contains(said, word);
           });
}

} // namespace

TEST_CASE("an incomplete or contradictory description is refused with task and key")
{
    const std::string train = "train = \"x\"\n";
    CHECK(is_refused("classification", "", {"'Mine'", "'train'"}));
    CHECK(is_refused("classification", train + "dev = \"y\"\n", {"'dev' without 'test'"}));
    CHECK(is_refused("classification", train + "metric = \"pearson\"\n",
                     {"'pearson'", "acc, devacc, macro-f1, weighted-f1"}));
    CHECK(is_refused("classification", train + "labels = [\"one\"]\n", {"'labels'"}));
    CHECK(is_refused("classification", train + "labels = [1, 2, 1]\n", {"'1' twice"}));
    CHECK(is_refused("classification", train + "second = 3\n", {"'second'"}));
    CHECK(is_refused("classification", train + "lowest_score = 0\n", {"'lowest_score'"}));
    CHECK(is_refused("classification", train + "accept = [\"copy\"]\n", {"'copy'", "copies"}));
    CHECK(is_refused("classification", train + "target = 1\n", {"'first' and 'target'", "'1'"}));
    CHECK(is_refused("classification", train + "first = 2\n", {"'first' and 'target'", "'2'"}));
    CHECK(is_refused("relatedness", train, {"'test'"}));
    CHECK(is_refused("similarity", "", {"'test'"}));
    const std::string test = "test = \"x\"\n";
    CHECK(is_refused("similarity", test + train, {"'train'"}));
    CHECK(is_refused("similarity", test + "labels = [\"a\", \"b\"]\n", {"'labels'"}));
    CHECK(is_refused("similarity", test + "lowest_score = 5\n", {"'highest_score'"}));
    CHECK(is_refused("similarity", test + "lowest_score = 5\nhighest_score = 5\n", {"lowest"}));
    CHECK(complaint("name = \"Mine\"\n" + train).empty()); // classification

    CustomTask task = described(CustomProtocol::classification);
    task.train = "x";
    for (const std::string& name :
         {std::string("a,b"), std::string("a b"), std::string("a/b"), std::string("a*"),
          std::string("."), std::string("-x"), std::string("a\x1b[2J"), std::string(300, 'n'),
          std::string()}) {
        CAPTURE(name);
        task.name = name;
        CHECK_THROWS_AS((void)tasks::make_custom_task(task), base::UsageError);
    }
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
separator = "\t"
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
decimal = ","
)");
    const CustomTask reviews = tasks::read_description(root.tables("task")[0]);
    CHECK(reviews.name == "Reviews");
    CHECK(reviews.protocol == CustomProtocol::pair_classification);
    CHECK(reviews.base == "/base");
    CHECK(reviews.train == "train.tsv");
    CHECK(reviews.dev == "dev.tsv");
    CHECK(reviews.test == "/abs/test.tsv");
    CHECK(reviews.header);
    CHECK(reviews.encoding == text::Encoding::windows);
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
    CHECK(reviews.separator == '\t');
    CHECK(scores.decimal == ',');
    CHECK(scores.lowest_score == 1);
    CHECK(scores.highest_score == 7.5);
    CHECK(scores.tokenise == tasks::Tokeniser::as_is);
    CHECK(scores.where == "run.toml:20:1");
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

TEST_CASE("the page has the table of keys")
{
    std::ifstream file(test::source_dir() / "tasks/README.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    std::string table = "| key | protocols | default | what it says |\n|---|---|---|---|\n";
    for (const tasks::TaskKey& key : tasks::keys_of_task())
        table +=
            fmt::format("| `{}` | {} | {} | {} |\n", key.name, key.protocols, key.usual, key.what);
    CAPTURE(table);
    CHECK(contains(page, table + "\n"));
}
