#include "tasks/custom.hpp"

#include "core/error.hpp"
#include "task/selection.hpp"
#include "tasks/dataset_task.hpp"
#include "tasks/protocols/classification.hpp"
#include "tasks/protocols/relatedness.hpp"
#include "tasks/protocols/similarity.hpp"
#include "tasks/readers/columns.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::tasks {
namespace {

using task::CustomProtocol;
using task::CustomTask;

bool classifies(const CustomTask& description)
{
    return description.protocol == CustomProtocol::classification ||
           description.protocol == CustomProtocol::pair_classification;
}

[[noreturn]] void fail(const CustomTask& description, std::string_view what)
{
    throw core::UsageError("task '{}': {}", description.name, what);
}

void check_name(const CustomTask& description)
{
    if (description.name.empty())
        throw core::UsageError("a task has no name: give it one with the key 'name'");
    if (description.name.find_first_of(", \t\r\n/\\") != std::string::npos)
        fail(description, "a name may not contain commas, slashes or white space");
}

void check_parts(const CustomTask& description)
{
    const bool train = !description.train.empty();
    const bool dev = !description.dev.empty();
    const bool test = !description.test.empty();
    switch (description.protocol) {
    case CustomProtocol::classification:
    case CustomProtocol::pair_classification:
        if (!train)
            fail(description, "classification needs the key 'train'");
        if (dev && !test)
            fail(description, "'dev' without 'test': nothing would be tested");
        break;
    case CustomProtocol::relatedness:
        if (!train || !dev || !test)
            fail(description, "relatedness needs the keys 'train', 'dev' and 'test'");
        break;
    case CustomProtocol::similarity:
        if (!test)
            fail(description, "similarity needs the key 'test'");
        if (train)
            fail(description, "similarity learns nothing: leave 'train' out, or use the protocol "
                              "'relatedness'");
        break;
    }
}

void check_rest(const CustomTask& description)
{
    if (!classifies(description) && !description.labels.empty())
        fail(description, "'labels' are for classification; this task has scores");
    if (description.labels.size() == 1)
        fail(description, "'labels' names one class, and a classifier needs two");
    if (!(description.lowest_score < description.highest_score))
        fail(description, "the lowest score must be below the highest");
}

/// The metric that tables show; checked.
std::string headline_of(const CustomTask& description)
{
    const bool learned_score = description.protocol == CustomProtocol::relatedness;
    std::vector<std::string> known = {"pearson", "spearman"};
    if (classifies(description))
        known = {"acc", "devacc", "f1"};
    else if (learned_score)
        known.emplace_back("mse");
    if (description.metric.empty())
        return known.front();
    if (std::find(known.begin(), known.end(), description.metric) == known.end())
        fail(description, fmt::format("there is no metric '{}' here, but {}", description.metric,
                                      fmt::join(known, ", ")));
    return description.metric;
}

Protocol protocol_of(const CustomTask& description)
{
    switch (description.protocol) {
    case CustomProtocol::classification:
    case CustomProtocol::pair_classification:
        break;
    case CustomProtocol::relatedness:
        return relatedness_on_scale({description.lowest_score, description.highest_score});
    case CustomProtocol::similarity:
        return split_similarity();
    }
    ClassificationRules rules;
    rules.f1 = description.metric == "f1";
    if (description.test.empty())
        return inner_kfold_classification(rules);
    return description.dev.empty() ? kfold_classification(rules) : split_classification(rules);
}

ColumnFormat format_of(const CustomTask& description)
{
    ColumnFormat format;
    format.header = description.header;
    format.encoding = description.encoding;
    format.first = description.first;
    if (description.protocol != CustomProtocol::classification)
        format.second = description.second;
    format.target = description.target;
    if (format.target.empty())
        format.target = format.second.empty() ? "2" : "3";
    format.scored = !classifies(description);
    format.binary = description.metric == "f1";
    format.classes = description.labels;
    for (const std::string* column : {&format.first, &format.second, &format.target})
        if (!format.header && !column->empty() && !is_column_number(*column))
            fail(description,
                 fmt::format("column '{}' is a name, but the files have no header line: "
                             "give its number, from 1, or set header = true",
                             *column));
    return format;
}

std::vector<PartFile> files_of(const CustomTask& description)
{
    if (classifies(description) && description.test.empty())
        return {{"all", description.train}};
    std::vector<PartFile> files;
    for (const auto& [part, file] :
         {PartFile{"train", description.train}, PartFile{"dev", description.dev},
          PartFile{"test", description.test}})
        if (!file.empty())
            files.push_back({part, file});
    return files;
}

} // namespace

std::unique_ptr<task::Task> make_custom_task(const CustomTask& description)
{
    check_name(description);
    check_parts(description);
    check_rest(description);
    return make_task(description.name, {"custom"},
                     column_source(files_of(description), format_of(description)),
                     protocol_of(description), headline_of(description));
}

void add_custom_tasks(task::Tasks& tasks, std::span<const CustomTask> descriptions)
{
    for (const CustomTask& description : descriptions) {
        const auto groups = task::groups_of(tasks);
        const bool taken =
            std::find(groups.begin(), groups.end(), description.name) != groups.end() ||
            std::any_of(tasks.begin(), tasks.end(),
                        [&](const auto& task) { return task->info().name == description.name; });
        if (taken)
            fail(description, "there is a task or group of that name already");
        tasks.push_back(make_custom_task(description));
    }
}

} // namespace senteval::tasks
