#include "core/error.hpp"
#include "support/evaluate.hpp"
#include "support/reading.hpp"
#include "tasks/catalog.hpp"
#include "tasks/custom.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace senteval;
using task::CustomProtocol;
using task::CustomTask;

namespace {

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
    task.name = "a,b";
    CHECK(usage_error(task).find("may not contain") != std::string::npos);
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
    CHECK(task::custom_protocol("pair-classification") == CustomProtocol::pair_classification);
    CHECK_FALSE(task::custom_protocol("ranking").has_value());
}

TEST_CASE("a user's task may not take a name that there is")
{
    task::Tasks all = tasks::catalog();
    CustomTask description = described(CustomProtocol::similarity);
    description.test = "x";
    tasks::add_custom_tasks(all, std::span(&description, 1));
    CHECK(all.back()->info().name == "Mine");
    CHECK_THROWS_AS(tasks::add_custom_tasks(all, std::span(&description, 1)), core::UsageError);
    description.name = "nli";
    CHECK_THROWS_AS(tasks::add_custom_tasks(all, std::span(&description, 1)), core::UsageError);
}
