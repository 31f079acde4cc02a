#include "report/table.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

using namespace senteval;
using core::Json;
using report::Table;

namespace {

Json accuracy(const std::string& encoder, const std::string& task, double value)
{
    return {{"encoder", {{"label", encoder}}},
            {"task", {{"name", task}, {"headline", "acc"}}},
            {"metrics", {{"acc", value}}}};
}

Json correlation(const std::string& encoder, double value)
{
    return {{"encoder", {{"label", encoder}}},
            {"task", {{"name", "STS14"}, {"headline", "all.pearson.wmean"}}},
            {"metrics", {{"all", {{"pearson", {{"wmean", value}}}}}}}};
}

Table example()
{
    Table table;
    table.add(accuracy("glove", "MR", 77.125));
    table.add(correlation("glove", 0.5));
    table.add(accuracy("mine", "MR", 78));
    table.add_failure("mine", "STS14");
    return table;
}

} // namespace

TEST_CASE("a metric is found by its path, where it is a number")
{
    const Json metrics = {{"all", {{"pearson", {{"wmean", 0.5}}}}},
                          {"name", "x"},
                          {"undefined", std::numeric_limits<double>::quiet_NaN()},
                          {"null", nullptr}};
    CHECK(report::metric(metrics, "all.pearson.wmean") == 0.5);
    for (const char* path : {"all", "all.pearson.mean", "name", "name.x", "undefined", "null", ""})
        CHECK(!report::metric(metrics, path).has_value());
}

TEST_CASE("correlations have four digits, percentages two")
{
    CHECK(report::format_metric(0.52084, "all.pearson.wmean") == "0.5208");
    CHECK(report::format_metric(0.52084, "spearman") == "0.5208");
    CHECK(report::format_metric(72.456, "acc") == "72.46");
}

TEST_CASE("the table for a terminal has a line per encoder")
{
    CHECK(report::to_terminal(example(), {}) == "encoder     MR   STS14\n"
                                                "----------------------\n"
                                                "glove    77.12  0.5000\n"
                                                "mine     78.00  failed\n");
}

TEST_CASE("the best of each task is bold on a terminal and in Markdown")
{
    CHECK(report::to_terminal(example(), {.bold = true}) ==
          "encoder     MR   STS14\n"
          "----------------------\n"
          "glove    77.12  \x1b[1m0.5000\x1b[0m\n"
          "mine     \x1b[1m78.00\x1b[0m  failed\n");
    CHECK(report::to_markdown(example()) == "| encoder | MR | STS14 |\n"
                                            "|:---|---:|---:|\n"
                                            "| glove | 77.12 | **0.5000** |\n"
                                            "| mine | **78.00** | failed |\n");
}

TEST_CASE("a table that is too wide is turned round where that helps")
{
    Table table;
    for (const char* task : {"MR", "CR", "SUBJ"})
        table.add(accuracy("an encoder", task, 50));
    table.add(accuracy("äh|n", "MR", 50));
    CHECK(report::to_terminal(table, {.width = 20}) == "task  an encoder   äh|n\n"
                                                       "-----------------------\n"
                                                       "MR         50.00  50.00\n"
                                                       "CR         50.00      -\n"
                                                       "SUBJ       50.00      -\n");
    CHECK(report::to_markdown(table).find("| äh\\|n | **50.00** | - | - |") != std::string::npos);
}

TEST_CASE("several seeds are shown as their mean and standard deviation")
{
    Table table;
    for (const double value : {70.0, 71.0, 75.0})
        table.add(accuracy("glove", "MR", value));
    CHECK(table.text(0, 0) == "72.00 ±2.65"); // sqrt((4 + 1 + 9) / 2)
    CHECK(!table.entry(0, 0).best);           // alone
    CHECK(report::to_csv(table) == "encoder,task,metric,value,seeds,failed\n"
                                   "glove,MR,acc,72,3,0\n");
}

TEST_CASE("an undefined metric is shown as missing and is never the best")
{
    Table table;
    table.add(accuracy("constant", "MR", std::numeric_limits<double>::quiet_NaN()));
    table.add(accuracy("glove", "MR", 60));
    CHECK(table.text(0, 0) == "-");
    CHECK(!table.entry(0, 0).best);
    CHECK(table.entry(1, 0).best);
}

TEST_CASE("a result whose storing failed is shown, and counted as failed")
{
    Table table;
    table.add(accuracy("glove", "MR", 60));
    table.add_failure("glove", "MR");
    CHECK(table.text(0, 0) == "60.00");
    CHECK(report::to_csv(table).find("glove,MR,acc,60,1,1\n") != std::string::npos);
}

TEST_CASE("CSV quotes what needs it and has a line per result or failure")
{
    Table table;
    table.add(accuracy("a, \"b\"", "MR", 60.5));
    table.add_failure("c", "CR");
    CHECK(report::to_csv(table) == "encoder,task,metric,value,seeds,failed\n"
                                   "\"a, \"\"b\"\"\",MR,acc,60.5,1,0\n"
                                   "c,CR,,,0,1\n");
}

TEST_CASE("seeds share a row, other settings have rows of their own")
{
    const auto with = [](const std::string& classifier, int seed, double value) {
        Json document = accuracy("glove", "MR", value);
        document["protocol"]["settings"] = {{"seed", seed},
                                            {"classifier", {{"classifier", classifier}}}};
        return document;
    };
    Table table;
    table.add(with("softmax", 1, 70));
    table.add(with("softmax", 2, 72));
    table.add(with("mlp", 1, 80));
    table.add(with("mlp", 2, 80));
    Json folds = with("softmax", 1, 60);
    folds["protocol"]["settings"]["kfold"] = 5;
    table.add(folds);
    table.add(accuracy("glove", "STS14", 50));
    CHECK(table.encoders() == std::vector<std::string>{"glove", "glove (mlp)", "glove (kfold 5)"});
    CHECK(table.text(0, 0) == "71.00 ±1.41");
    CHECK(table.text(1, 0) == "80.00 ±0.00");
    CHECK(table.text(2, 0) == "60.00");
    CHECK(table.text(0, 1) == "50.00");
}
