#include "tasks/custom/custom.hpp"

#include "base/error.hpp"
#include "base/home.hpp"
#include "base/names.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"
#include "tasks/custom/columns.hpp"
#include "tasks/custom/modern.hpp"
#include "tasks/data_warnings.hpp"
#include "tasks/dataset_task.hpp"
#include "tasks/protocols/classification.hpp"
#include "tasks/protocols/relatedness.hpp"
#include "tasks/protocols/similarity.hpp"

#include <senteval/printable.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

double lowest_score(const CustomTask& description)
{
    return description.lowest_score.value_or(0);
}

double highest_score(const CustomTask& description)
{
    return description.highest_score.value_or(5);
}

/// Labels 0 and 1 say which class F1 is of; the reader refuses others.
std::string positive_of(const CustomTask& description)
{
    return description.positive.empty() ? "1" : description.positive;
}

bool computes_f1(const CustomTask& description)
{
    return description.metric == "f1" || !description.positive.empty();
}

bool classifies(const CustomTask& description)
{
    return description.protocol == CustomProtocol::classification ||
           description.protocol == CustomProtocol::pair_classification;
}

[[noreturn]] void fail(const CustomTask& description, std::string_view what)
{
    throw base::UsageError("{}{}task '{}': {}", description.where,
                           description.where.empty() ? "" : ": ",
                           sdk::printable_line(description.name, 100), what);
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
    for (auto label = description.labels.begin(); label != description.labels.end(); ++label)
        if (std::find(label + 1, description.labels.end(), *label) != description.labels.end())
            fail(description, fmt::format("'labels' names '{}' twice", *label));
    if (!classifies(description) && !description.positive.empty())
        fail(description, "'positive' is for classification; this task has scores");
    if (!description.labels.empty() && !description.positive.empty() &&
        std::ranges::find(description.labels, description.positive) == description.labels.end())
        fail(description, fmt::format("'positive' is '{}', which is none of the 'labels'",
                                      description.positive));
    if (classifies(description) && (description.lowest_score || description.highest_score))
        fail(description,
             "'lowest_score' and 'highest_score' are for scores; this task has classes");
    if (description.lowest_score.has_value() != description.highest_score.has_value())
        fail(description, fmt::format("'{}' is one end of the scale: say the other with '{}'",
                                      description.lowest_score ? "lowest_score" : "highest_score",
                                      description.lowest_score ? "highest_score" : "lowest_score"));
    if (!(lowest_score(description) < highest_score(description)))
        fail(description, "the lowest score must be below the highest");
    check_accepted(description.accept, description.name, description.where);
}

Protocol protocol_of(const CustomTask& description)
{
    switch (description.protocol) {
    case CustomProtocol::classification:
    case CustomProtocol::pair_classification:
        break;
    case CustomProtocol::relatedness:
        return relatedness_on_scale({lowest_score(description), highest_score(description)});
    case CustomProtocol::similarity:
        return split_similarity();
    }
    ClassificationRules rules;
    rules.macro_f1 = true;
    if (computes_f1(description))
        rules.f1 = fmt::format("F1 of '{}'", positive_of(description));
    if (description.test.empty())
        return inner_kfold_classification(rules);
    return description.dev.empty() ? kfold_classification(rules) : split_classification(rules);
}

/// The metric that tables show; checked.
std::string headline_of(const CustomTask& description, const Protocol& protocol)
{
    if (description.metric.empty())
        return protocol.metrics.front().path;
    if (results::find_metric(protocol.metrics, description.metric) != nullptr)
        return description.metric;
    CustomTask with_f1 = description; // which is computed where it is asked for
    with_f1.metric = "f1";
    std::vector<std::string> known;
    for (const results::Metric& metric : protocol_of(with_f1).metrics)
        known.push_back(metric.path);
    fail(description, fmt::format("there is no metric '{}' here, but {}", description.metric,
                                  fmt::join(known, ", ")));
}

void check_columns(const CustomTask& description, const ColumnFormat& format)
{
    const std::array columns = {format.first, format.second, format.target, format.split};
    for (std::size_t one = 0; one < columns.size(); ++one)
        for (std::size_t other = one + 1; other < columns.size(); ++other)
            if (columns[one] == columns[other] && !columns[one].empty())
                fail(description,
                     fmt::format("'{}' and '{}' are the same column, '{}': say of each where it is "
                                 "(unless they are given, first = 1, {}target = {})",
                                 column_keys[one], column_keys[other], columns[one],
                                 format.second.empty() ? "" : "second = 2, ",
                                 format.second.empty() ? 2 : 3));
}

ColumnFormat format_of(const CustomTask& description)
{
    ColumnFormat format;
    format.form = description.format;
    format.header = description.header;
    format.encoding = description.encoding;
    format.first = description.first;
    if (description.protocol != CustomProtocol::classification)
        format.second = description.second.empty() ? "2" : description.second;
    else if (!description.second.empty())
        fail(description, "'second' is for pairs, and the protocol 'classification' reads single "
                          "sentences: leave it out, or take 'pair-classification'");
    format.target = description.target;
    if (format.target.empty())
        format.target = format.second.empty() ? "2" : "3";
    format.split = description.split;
    for (const std::string& column : {format.first, format.second, format.target, format.split})
        format.header = format.header || (!column.empty() && !is_column_number(column));
    format.scored = !classifies(description);
    if (computes_f1(description))
        format.positive = positive_of(description);
    format.positive_is_given = !description.positive.empty();
    format.tokenise = description.tokenise;
    format.lowercase = description.lowercase;
    if (description.protocol == CustomProtocol::relatedness) {
        format.lowest_score = lowest_score(description);
        format.highest_score = highest_score(description);
        format.scale_is_given = description.lowest_score.has_value();
    }
    format.classes = description.labels;
    check_columns(description, format);
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

/// What the numbers depend on beside the bytes of the files.
base::Json reading_of(const ColumnFormat& format)
{
    base::Json reading = {{"header", format.header}, {"first", format.first}};
    if (!format.second.empty())
        reading["second"] = format.second;
    reading["target"] = format.target;
    if (!format.split.empty())
        reading["split"] = format.split;
    reading["encoding"] = base::name_in(encoding_names, format.encoding);
    if (format.form)
        reading["format"] = base::name_in(format_names, *format.form);
    if (!format.classes.empty())
        reading["labels"] = format.classes;
    if (format.positive_is_given)
        reading["positive"] = format.positive;
    reading["tokenise"] = base::name_in(
        tokeniser_names, format.tokenise == Tokeniser::as_is ? Tokeniser::none : format.tokenise);
    reading["lowercase"] = format.lowercase;
    if (is_verbatim(format.tokenise))
        reading["verbatim"] = true;
    return reading;
}

/// `protocol`, whose settings also say how the files are read.
Protocol with_reading(Protocol protocol, const ColumnFormat& format)
{
    protocol.settings = [inner = std::move(protocol.settings),
                         reading = reading_of(format)](const task::Settings& settings) {
        base::Json json = inner(settings);
        json["reading"] = reading;
        return json;
    };
    return protocol;
}

} // namespace

base::Json to_json(const CustomTask& task)
{
    base::Json json = {
        {"name", task.name},     {"protocol", base::name_in(protocol_names, task.protocol)},
        {"header", task.header}, {"encoding", base::name_in(encoding_names, task.encoding)},
        {"first", task.first},   {"lowercase", task.lowercase}};
    for (const auto& [key, text] :
         {std::pair("train", &task.train), std::pair("dev", &task.dev),
          std::pair("test", &task.test), std::pair("second", &task.second),
          std::pair("target", &task.target), std::pair("split", &task.split),
          std::pair("positive", &task.positive), std::pair("metric", &task.metric)})
        if (!text->empty())
            json[key] = *text;
    for (const auto& [key, list] :
         {std::pair("labels", &task.labels), std::pair("accept", &task.accept)})
        if (!list->empty())
            json[key] = *list;
    for (const auto& [key, score] : {std::pair("lowest_score", task.lowest_score),
                                     std::pair("highest_score", task.highest_score)})
        if (score)
            json[key] = *score;
    if (task.format)
        json["format"] = base::name_in(format_names, *task.format);
    if (task.tokenise != Tokeniser::as_is)
        json["tokenise"] = base::name_in(tokeniser_names, task.tokenise);
    return {{"base", (std::filesystem::current_path() / task.base).string()}, {"keys", json}};
}

std::unique_ptr<task::Task> task_from_json(const base::Json& description)
{
    std::string toml; // JSON's scalars and lists are TOML's
    for (const auto& [key, value] : description.at("keys").items())
        toml += key + " = " + base::to_text(value) + "\n";
    return make_described_task(
        core::Table::parse(toml, "result", description.at("base").get<std::string>()));
}

std::unique_ptr<task::Task> make_custom_task(const CustomTask& description)
{
    check_name(description.name, description.where);
    check_parts(description);
    check_rest(description);
    const Protocol protocol = protocol_of(description);
    return make_task(description.name, {"custom"}, source_of(description),
                     with_reading(protocol, format_of(description)),
                     headline_of(description, protocol));
}

Source source_of(const CustomTask& description)
{
    Source source = column_source(description.base, files_of(description), format_of(description));
    source.accepted = description.accept;
    source.description = to_json(description);
    return source;
}

std::unique_ptr<task::Task> make_described_task(const core::Table& table)
{
    return is_modern(table) ? make_modern_task(table) : make_custom_task(read_description(table));
}

std::set<std::string> parts_in(const CustomTask& description)
{
    task::DataFolder data(description.base);
    return parts_in(data, description.train, format_of(description));
}

task::Tasks all_tasks(std::span<const core::Table> described)
{
    task::Tasks tasks = catalog();
    for (const core::Table& table : described) {
        const std::string name = table.text("name");
        auto taken = task::groups_of(tasks);
        taken.emplace_back("custom");
        for (const auto& task : tasks) {
            taken.push_back(task->info().name);
            const auto& aliases = task->info().aliases;
            taken.insert(taken.end(), aliases.begin(), aliases.end());
        }
        const auto is_same = [name = base::folded(name)](const std::string& other) {
            return base::folded(other) == name; // as --tasks looks them up
        };
        if (std::any_of(taken.begin(), taken.end(), is_same))
            throw base::UsageError("{}: task '{}': there is a task or group of that name already: "
                                   "give it another one (a folder of --mteb by renaming it)",
                                   table.where(), sdk::printable_line(name, 100));
        tasks.push_back(make_described_task(table));
    }
    return tasks;
}

} // namespace senteval::tasks
