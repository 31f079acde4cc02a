#include "core/error.hpp"
#include "support/evaluate.hpp"
#include "support/reading.hpp"
#include "support/support.hpp"
#include "tasks/custom/custom.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace senteval;
using tasks::CustomProtocol;
using tasks::CustomTask;

namespace {

core::Table table(const std::string& toml)
{
    return core::Table::parse(toml, "run.toml", "/base");
}

std::string complaint(const std::string& task)
{
    const core::Table root = table("[[task]]\n" + task);
    try {
        (void)tasks::all_tasks(root.tables("task"));
    } catch (const core::UsageError& error) {
        return error.what();
    }
    return {};
}

/// A classification of what is in train.tsv and test.tsv, labels first.
CustomTask labels_first()
{
    CustomTask description;
    description.name = "Mine";
    description.train = "train.tsv";
    description.test = "test.tsv";
    description.first = "2";
    description.target = "1";
    return description;
}

/// What stops the task from being loaded, or else its doubts, one per line.
std::string said_of(const CustomTask& description, const test::ScratchFolder& scratch)
{
    std::string doubts;
    const std::string error = test::error_of(scratch, [&] {
        task::DataFolder data(scratch.path());
        (void)tasks::make_custom_task(description)->load(data);
        for (const std::string& doubt : data.doubts())
            doubts += doubt + "\n";
        throw core::Error("{}", doubts); // so that it is cleaned as errors are
    });
    return error;
}

CustomTask described(CustomProtocol protocol)
{
    CustomTask description;
    description.name = "Mine";
    description.protocol = protocol;
    return description;
}

std::string usage_error(const CustomTask& description)
{
    try {
        (void)tasks::make_custom_task(description);
    } catch (const core::UsageError& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("a user's classification task is made from named columns")
{
    const test::ScratchFolder scratch;
    std::string train = "id\tlabel\ttext\n";
    for (int i = 0; i < 20; ++i)
        train += "1\tspam\ta x\n2\tham\tb\r\n";
    scratch.write("train.tsv", train);
    scratch.write("test.tsv", "id\tlabel\ttext\n1\tspam\ta\n2\tham\tb b\n");
    CustomTask description = described(CustomProtocol::classification);
    description.train = "train.tsv";
    description.test = (scratch / "test.tsv").string(); // absolute paths work too
    description.header = true;
    description.first = "text";
    description.target = "label";
    const auto task = tasks::make_custom_task(description);
    CHECK(task->info().groups == std::vector<std::string>{"custom"});
    CHECK(task->info().headline == "acc");
    task::Settings settings;
    settings.kfold = 3;
    settings.classifier.optim = "adam,lr=0.1";
    const task::Result result = test::evaluate(*task, scratch.path(), settings);
    CHECK(result.metrics["acc"] == 100.0);
    CHECK(result.metrics["ndev"] == 40);
    CHECK(result.outcomes.classes == std::vector<std::string>{"ham", "spam"});
    CHECK(task->protocol_settings(settings)["protocol"] == "kfold");

    description.test.clear();
    const auto nested = tasks::make_custom_task(description);
    CHECK(test::evaluate(*nested, scratch.path(), settings).metrics["ntest"] == 40);
    description.target = "lable";
    CHECK(test::error_of(scratch, [&] {
              task::DataFolder data(scratch.path());
              (void)tasks::make_custom_task(description)->load(data);
          }) == "train.tsv:1: the header has no column 'lable'. Did you mean 'label'?");
}

TEST_CASE("a user's pair classification has labels in the order given and may report F1")
{
    const test::ScratchFolder scratch;
    std::string items;
    for (int i = 0; i < 20; ++i)
        items += "a\ta\tyes\na\tb c\tno\n";
    for (const char* file : {"train", "dev", "test"})
        scratch.write(file, items);
    CustomTask description = described(CustomProtocol::pair_classification);
    description.train = "train";
    description.dev = "dev";
    description.test = "test";
    description.labels = {"no", "yes"};
    description.metric = "f1";
    const auto task = tasks::make_custom_task(description);
    task::Settings settings;
    settings.classifier.optim = "adam,lr=0.1";
    const task::Result result = test::evaluate(*task, scratch.path(), settings);
    CHECK(result.metrics["f1"] == 100.0);
    CHECK(result.outcomes.classes == description.labels);

    scratch.write("test", "a\ta\tyes\na\tb\tmaybe\n");
    CHECK(test::error_of(scratch, [&] {
              task::DataFolder data(scratch.path());
              (void)task->load(data);
          }) == "test:2: 'maybe' is not a label of this task. The labels are no, yes");
    description.labels.clear();
    scratch.write("train", "a\ta\tyes\na\tb c\tno\na\tc\tunsure\n");
    CHECK(test::error_of(scratch, [&] {
              task::DataFolder data(scratch.path());
              (void)tasks::make_custom_task(description)->load(data);
          }) == "train: F1 is for two classes, and there are 3");
}

TEST_CASE("a user's scores are compared, or learned on their own scale")
{
    const test::ScratchFolder scratch;
    std::string items;
    for (int i = 0; i < 16; ++i)
        items += "1\ta\ta\n0\ta\tb\n0.5\ta b\ta\n";
    for (const char* file : {"train", "dev", "test"})
        scratch.write(file, items);
    CustomTask description = described(CustomProtocol::similarity);
    description.test = "test";
    description.first = "2";
    description.second = "3";
    description.target = "1";
    const auto similarity = tasks::make_custom_task(description);
    const task::Result compared = test::evaluate(*similarity, scratch.path());
    CHECK(compared.metrics["spearman"] == doctest::Approx(1.0));
    CHECK_FALSE(compared.metrics.contains("devpearson"));

    description.protocol = CustomProtocol::relatedness;
    description.train = "train";
    description.dev = "dev";
    description.highest_score = 1;
    description.metric = "mse";
    const auto relatedness = tasks::make_custom_task(description);
    const task::Result learned = test::evaluate(*relatedness, scratch.path());
    CHECK(learned.metrics["mse"].get<double>() < 1.0 / 6); // the variance of the scores
    CHECK(relatedness->info().headline == "mse");
}

TEST_CASE("an incomplete or contradictory description is refused with task and key")
{
    CustomTask task = described(CustomProtocol::classification);
    CHECK(usage_error(task) == "task 'Mine': classification needs the key 'train'");
    task.train = "x";
    task.dev = "y";
    CHECK(usage_error(task) == "task 'Mine': 'dev' without 'test': nothing would be tested");
    task.dev.clear();
    task.first = "text";
    CHECK(usage_error(task) ==
          "task 'Mine': column 'text' is a name, but the files have no header line: give its "
          "number, from 1, or set header = true");
    task.first = "0";
    CHECK(usage_error(task).find("column '0'") != std::string::npos);
    task.first = "1";
    task.metric = "pearson";
    CHECK(usage_error(task) ==
          "task 'Mine': there is no metric 'pearson' here, but acc, devacc, f1");
    task.metric.clear();
    task.labels = {"one"};
    CHECK(usage_error(task).find("names one class") != std::string::npos);
    task.labels.clear();
    CHECK(usage_error(task).empty());
    for (const char* name : {"a,b", "a b", "a/b", "a*", ".", "..", "-x"}) {
        CAPTURE(name);
        task.name = name;
        CHECK(usage_error(task).find("a name may not ") != std::string::npos);
    }
    for (const std::string& name :
         {std::string("\0", 1), std::string("a\x1b[2J"), std::string("a\n"),
          std::string("a\u202Eb"), std::string("\u200B")}) {
        task.name = name;
        CHECK(usage_error(task).find('\0') == std::string::npos);
        CHECK(usage_error(task).find('\x1b') == std::string::npos);
        CHECK(usage_error(task).find("may not contain control characters") != std::string::npos);
    }
    task.name = std::string(300, 'n');
    CHECK(usage_error(task).find("longer than 100 bytes") != std::string::npos);
    task.name.clear();
    CHECK(usage_error(task).find("no name") != std::string::npos);

    task = described(CustomProtocol::relatedness);
    task.train = "x";
    CHECK(usage_error(task).find("'train', 'dev' and 'test'") != std::string::npos);
    task = described(CustomProtocol::similarity);
    CHECK(usage_error(task) == "task 'Mine': similarity needs the key 'test'");
    task.test = "x";
    task.train = "y";
    CHECK(usage_error(task).find("learns nothing") != std::string::npos);
    task.train.clear();
    task.labels = {"a", "b"};
    CHECK(usage_error(task).find("'labels' are for classification") != std::string::npos);
    task.labels.clear();
    task.lowest_score = 5;
    CHECK(usage_error(task).find("lowest score") != std::string::npos);
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
    const CustomTask scores = tasks::read_description(root.tables("task")[1]);
    CHECK(scores.lowest_score == 1);
    CHECK(scores.highest_score == 7.5);
    CHECK(scores.tokenise == tasks::Tokeniser::as_is);
    CHECK(scores.where == "run.toml:17:1");
}

TEST_CASE("mistakes in a description are named with line, column and the nearest key")
{
    CHECK(complaint("name = \"x\"\nlabel = []\n")
              .starts_with(
                  "run.toml:3:1: there is no key of a task 'label'. Did you mean 'labels'?"));
    CHECK(
        complaint("protocol = \"similarty\"\n") ==
        "run.toml:2:12: 'protocol' cannot be 'similarty'. Did you mean 'similarity'? It is one of: "
        "classification, pair-classification, relatedness, similarity");
    CHECK(complaint("encoding = \"utf8\"\n")
              .starts_with("run.toml:2:12: 'encoding' cannot be 'utf8'. Did you mean 'utf-8'?"));
    CHECK(complaint("tokenise = \"penn\"\n")
              .starts_with("run.toml:2:12: 'tokenise' cannot be 'penn'."));
    CHECK(complaint("header = 1\n").starts_with("run.toml:2:10: 'header' must be true"));
    CHECK(complaint("name = \"\\u0000\"\n") == "run.toml:1:1: task '\\x00': a name may not contain "
                                               "control characters, or others that cannot be seen");
}

TEST_CASE("a user's task may not take a name that there is")
{
    const std::string mine = "[[task]]\nname = \"Mine\"\nprotocol = \"similarity\"\ntest = \"x\"\n";
    const core::Table once = table(mine);
    CHECK(tasks::all_tasks(once.tables("task")).back()->info().name == "Mine");
    const core::Table twice = table(mine + mine);
    CHECK_THROWS_WITH_AS((void)tasks::all_tasks(twice.tables("task")),
                         "run.toml:5:1: task 'Mine': there is a task or group of that name already",
                         core::UsageError);
    for (const char* name : {"nli", "MR", "all", "custom"})
        CHECK(test::contains(complaint(std::string("name = \"") + name +
                                       "\"\nprotocol = \"similarity\"\ntest = \"x\"\n"),
                             "of that name already"));
}

TEST_CASE("files are found from the folder of the run file, and named as they are written there")
{
    const test::ScratchFolder scratch;
    scratch.write("runs/scores.tsv", "a\ta\t1\na\tb\t0\nb\tc\t0.5\n");
    CustomTask description = described(CustomProtocol::similarity);
    description.base = scratch / "runs";
    description.test = "scores.tsv";
    const auto task = tasks::make_custom_task(description);
    CHECK(task->info().base == scratch / "runs");
    task::DataFolder data("/no/data/folder");
    CHECK_NOTHROW((void)task->load(data));
    CHECK(data.fingerprints().contains("scores.tsv"));
}

TEST_CASE("a header that nobody announced is not a class")
{
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "label\ttext\nspam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "spam\te\nham\tf\n");
    CHECK(test::contains(
        said_of(labels_first(), scratch),
        "train.tsv:1: this line seems to name the columns, since its label 'label' occurs "
        "nowhere else: set header = true"));
    // no such word: a doubt
    scratch.write("train.tsv", "Etikett\tInhalt\nspam\ta\nham\tb\nspam\tc\nham\td\n");
    CHECK(said_of(labels_first(), scratch) ==
          "train.tsv:1: the label 'Etikett' occurs only in this line; if it names the columns, set "
          "header = true\n");
    // the header of a file whose labels are known
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "label\ttext\nspam\te\nham\tf\n");
    CHECK(test::contains(said_of(labels_first(), scratch),
                         "test.tsv:1: 'label' is not a label of this task."));
    CHECK(test::contains(said_of(labels_first(), scratch), "set header = true"));
    // an item that is left out as a header
    CustomTask with_header = labels_first();
    with_header.header = true;
    scratch.write("test.tsv", "spam\te\nham\tf\nspam\tg\n");
    CHECK(test::contains(
        said_of(with_header, scratch),
        "train.tsv:1: this line is left out, since header = true, and reads like an item"));
    // words of columns may be classes
    scratch.write("train.tsv", "question\ta\nanswer\tb\nquestion\tc\nanswer\td\n");
    scratch.write("test.tsv", "question\te\nanswer\tf\n");
    CHECK(said_of(labels_first(), scratch).empty());
}

TEST_CASE("an empty label is an error with its line")
{
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "spam\ta\n \tb\nham\tc\n");
    scratch.write("test.tsv", "spam\ta\n\tb\n");
    CHECK(said_of(labels_first(), scratch) == "train.tsv:2: the label is empty");
    scratch.write("train.tsv", "spam\ta\nham\tc\n");
    CHECK(said_of(labels_first(), scratch) == "test.tsv:2: the label is empty");
}

TEST_CASE("test items that were learnt, and test sets that tell nothing, are doubted")
{
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "spam\te\nham\tb\nham\ta\n");
    CHECK(said_of(labels_first(), scratch) == "2 of 3 test items are in the train part too\n");
    scratch.write("test.tsv", "ham\te\nham\tf\n");
    CHECK(test::contains(said_of(labels_first(), scratch),
                         "all 2 items of the part 'test' are of the class 'ham'"));
    CustomTask alone = labels_first();
    alone.test.clear();
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nspam\ta\n");
    CHECK(test::contains(said_of(alone, scratch), "1 of 4 items are copies of another one"));

    CustomTask scores = described(CustomProtocol::similarity);
    scores.test = "scores.tsv";
    scratch.write("scores.tsv", "a\tb\t3\nc\td\t3\n");
    CHECK(test::contains(said_of(scores, scratch), "all 2 gold scores of the part 'test' are 3"));
    scratch.write("scores.tsv", "a\tb\t3\nc\td\t1e300\n");
    CHECK(test::contains(said_of(scores, scratch), "scores.tsv:2: '1e300' is no"));
    scratch.write("scores.tsv", "s1\ts2\tscore\nc\td\t1\n");
    CHECK(test::contains(said_of(scores, scratch), "scores.tsv:1: 'score' is not a number"));
    CHECK(test::contains(said_of(scores, scratch), "set header = true"));
}

TEST_CASE("scores outside the scale of learned relatedness are named with their line")
{
    const test::ScratchFolder scratch;
    for (const char* file : {"train", "dev", "test"})
        scratch.write(file, "a\tb\t3\nc\td\t7\n");
    CustomTask description = described(CustomProtocol::relatedness);
    description.train = "train";
    description.dev = "dev";
    description.test = "test";
    CHECK(
        said_of(description, scratch) ==
        "train:2: the score 7 is outside 0 to 5: say with lowest_score and highest_score what the "
        "scale is");
}

TEST_CASE("text is tokenised and lower-cased on request, and the protocol says so")
{
    const test::ScratchFolder scratch;
    const auto words_of = [&](const CustomTask& description) {
        task::DataFolder data(scratch.path());
        return std::string(tasks::make_custom_task(description)->load(data)->samples()[0].text);
    };
    CustomTask description = described(CustomProtocol::similarity);
    description.test = "scores.tsv";
    scratch.write("scores.tsv", "\xEF\xBB\xBFIt isn't \xC3\x84rgerlich, is it?\tNo, it isn't.\t3\n"
                                "Yes, it is!\tOf course, Sir.\t4\n");
    CHECK(words_of(description) == "It isn't \xC3\x84rgerlich, is it?"); // without the mark
    CHECK(test::contains(
        said_of(description, scratch),
        "the text looks untokenised: 8 of 14 tokens are words with punctuation attached, "
        "such as '\xC3\x84rgerlich,'. Set tokenise = \"ptb\" or \"moses\""));
    description.tokenise = tasks::Tokeniser::none;
    CHECK(said_of(description, scratch).empty());
    description.tokenise = tasks::Tokeniser::ptb;
    CHECK(words_of(description) == "It is n't \xC3\x84rgerlich , is it ?");
    description.tokenise = tasks::Tokeniser::moses;
    description.lowercase = true;
    CHECK(words_of(description) == "it isn 't \xC3\xA4rgerlich , is it ?");
    const core::Json settings = tasks::make_custom_task(description)->protocol_settings({});
    CHECK(settings["reading"]["tokenise"] == "moses");
    CHECK(settings["reading"]["lowercase"] == true);
    CHECK(settings["reading"]["target"] == "3");
    CHECK(said_of(description, scratch).empty());
    // tokenised text with an abbreviation
    description.tokenise = tasks::Tokeniser::as_is;
    scratch.write("scores.tsv", "Mr. Brown , he said .\tYes !\t1\nno\tU.S. oil\t2\n");
    CHECK(said_of(description, scratch).empty());
}
