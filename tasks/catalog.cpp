#include "tasks/catalog.hpp"

#include "tasks/dataset_task.hpp"
#include "tasks/protocols/similarity.hpp"
#include "tasks/readers/sick.hpp"
#include "tasks/readers/sts.hpp"
#include "tasks/readers/stsb.hpp"

namespace senteval::tasks {
namespace {

std::unique_ptr<task::Task> sts_task(const std::string& name, std::vector<std::string> subsets)
{
    return make_task(name, {"similarity"},
                     sts_source("downstream/STS/" + name + "-en-test", subsets),
                     subset_similarity(), "all.pearson.wmean");
}

} // namespace

task::Tasks catalog()
{
    task::Tasks tasks;
    tasks.push_back(sts_task(
        "STS12", {"MSRpar", "MSRvid", "SMTeuroparl", "surprise.OnWN", "surprise.SMTnews"}));
    tasks.push_back(sts_task("STS13", {"FNWN", "headlines", "OnWN"}));
    tasks.push_back(sts_task(
        "STS14", {"deft-forum", "deft-news", "headlines", "images", "OnWN", "tweet-news"}));
    tasks.push_back(
        sts_task("STS15", {"answers-forums", "answers-students", "belief", "headlines", "images"}));
    tasks.push_back(sts_task(
        "STS16", {"answer-answer", "headlines", "plagiarism", "postediting", "question-question"}));
    tasks.push_back(make_task("STSBenchmarkUnsupervised", {"similarity"},
                              sts_benchmark_source("downstream/STS/STSBenchmark"),
                              split_similarity(), "pearson"));
    tasks.push_back(make_task("SICKRelatednessUnsupervised", {"similarity"},
                              sick_relatedness_source("downstream/SICK"), split_similarity(),
                              "pearson"));
    return tasks;
}

} // namespace senteval::tasks
