// What the keys of a [[task]] say, and names that a task may have.
#include "base/error.hpp"
#include "base/home.hpp"
#include "base/names.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/data_warnings.hpp"

#include <senteval/printable.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

/// Whether all of a name can be seen for what it is.
bool is_seen(std::string_view name)
{
    return sdk::printable_line(name, name.size()) == name;
}

using core::Value;

struct Key {
    std::string name;
    std::string what;
    std::function<void(CustomTask&, const Value&)> set;
};

template <typename T, typename Read>
Key key(const std::string& name, T CustomTask::*member, Read read, std::string what)
{
    return {name, std::move(what),
            [member, read](CustomTask& task, const Value& value) { task.*member = read(value); }};
}

/// A column or label: a number, or a text.
std::string number_or_text(const Value& value)
{
    return value.is_integer() ? std::to_string(value.integer()) : value.string();
}

std::string column_in(const Value& value)
{
    std::string text = number_or_text(value);
    if (text.empty())
        value.refuse("the number or the name of a column");
    return text;
}

std::vector<std::string> labels_in_list(const Value& value)
{
    std::vector<std::string> all;
    for (const Value& label : value.elements())
        all.push_back(number_or_text(label));
    return all;
}

const std::vector<Key>& keys_of_tasks()
{
    const auto text = [](const Value& value) { return value.string(); };
    const auto path = [](const Value& value) { return base::expand_home(value.string()).string(); };
    const auto flag = [](const Value& value) { return value.boolean(); };
    const auto number = [](const Value& value) { return value.real(); };
    const auto one_of = [](const auto& choices) {
        return [choices](const Value& value) { return value.choice(choices); };
    };
    static const std::vector<Key> keys = {
        key("name", &CustomTask::name, text, "what the task is called; no name of another task"),
        key("protocol", &CustomTask::protocol, one_of(protocol_names),
            "classification, pair-classification, relatedness (learned) or similarity (nothing is "
            "trained)"),
        key("train", &CustomTask::train, path,
            "file to learn from; a classifier without 'test' is tested by nested cross-validation "
            "on it"),
        key("dev", &CustomTask::dev, path,
            "file that chooses settings; without it they are cross-validated on 'train'"),
        key("test", &CustomTask::test, path, "file to be tested on"),
        key("format", &CustomTask::format, one_of(format_names),
            "tsv, csv or jsonl (default: by the names of the files, .csv, .json, .jsonl or "
            ".ndjson, "
            "else tsv); each may be compressed with gzip"),
        key("header", &CustomTask::header, flag,
            "true: the first line of each file names its columns (default: where a column is a "
            "name)"),
        key("encoding", &CustomTask::encoding, one_of(encoding_names),
            "utf-8 (default) or latin-1"),
        key("first", &CustomTask::first, column_in,
            "column of the sentence, or of the first of a pair: its number from 1, or its name "
            "(default: 1)"),
        key("second", &CustomTask::second, column_in,
            "column of the second sentence of a pair (default: 2)"),
        key("target", &CustomTask::target, column_in,
            "column of the label or score (default: the one behind the sentences)"),
        key("split", &CustomTask::split, column_in,
            "column that says which part a row belongs to: train, dev (or validation) or test; "
            "the parts may then be one file"),
        key("labels", &CustomTask::labels, labels_in_list,
            "all labels, in the order of their classes (default: those of 'train', sorted)"),
        key("positive", &CustomTask::positive, number_or_text,
            "label whose F1 is the metric 'f1' (needed unless the labels are 0 and 1)"),
        key("lowest_score", &CustomTask::lowest_score, number,
            "lower end of the scale of relatedness (default: 0)"),
        key("highest_score", &CustomTask::highest_score, number, "upper end of it (default: 5)"),
        key("tokenise", &CustomTask::tokenise, one_of(tokeniser_names),
            "ptb or moses splits the text into tokens; without, or with none, it stays as it was "
            "written, line breaks and all"),
        key("lowercase", &CustomTask::lowercase, flag,
            "true: in lower case, behind the tokeniser (default: false)"),
        key("metric", &CustomTask::metric, text,
            "what tables show: acc (default), macro-f1, weighted-f1, f1, devacc; or pearson "
            "(default), "
            "spearman, mse"),
        key("accept", &CustomTask::accept, labels_in_list,
            "data warnings that are meant so and mark no result: a list of their names"),
    };
    return keys;
}

} // namespace

void check_name(const std::string& name, const std::string& where)
{
    const auto fail = [&](std::string_view what) {
        throw base::UsageError("{}{}task '{}': {}", where, where.empty() ? "" : ": ",
                               sdk::printable_line(name, 100), what);
    };
    constexpr std::size_t longest = 100; // it becomes part of a file's name
    if (name.empty())
        fail("it has no name: give it one with the key 'name'");
    if (!is_seen(name))
        fail("a name may not contain control characters, or others that cannot be seen");
    if (name.find_first_of(", /\\*?") != std::string::npos)
        fail("a name may not contain commas, slashes, white space, '*' or '?'");
    if (name.front() == '.' || name.front() == '-')
        fail("a name may not begin with '.' or '-'");
    if (name.size() > longest)
        fail(fmt::format("a name may not be longer than {} bytes", longest));
}

void check_accepted(std::span<const std::string> names,
                    const std::string& task,
                    const std::string& where)
{
    for (const std::string& name : names)
        if (std::ranges::find(warning_names, name) == warning_names.end())
            throw base::UsageError("{}: task '{}': 'accept' names no warning '{}'.{} There are {}",
                                   where, task, name, base::did_you_mean(name, warning_names),
                                   fmt::join(warning_names, ", "));
}

std::vector<std::pair<std::string, std::string>> keys_of_task()
{
    std::vector<std::pair<std::string, std::string>> keys;
    for (const Key& key : keys_of_tasks())
        keys.emplace_back(key.name, key.what);
    return keys;
}

CustomTask read_description(const core::Table& table)
{
    std::vector<std::string> names;
    for (const Key& key : keys_of_tasks())
        names.push_back(key.name);
    table.allow_only(names, "key of a task");
    CustomTask task;
    task.base = table.base();
    task.where = table.where();
    for (const Key& key : keys_of_tasks())
        if (const Value* value = table.find(key.name))
            key.set(task, *value);
    return task;
}

} // namespace senteval::tasks
