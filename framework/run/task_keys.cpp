#include "run/task_keys.hpp"

#include "core/error.hpp"
#include "core/names.hpp"

#include <algorithm>
#include <span>

namespace senteval::run {
namespace {

using core::Value;
using task::CustomTask;

task::CustomProtocol protocol_of(const Value& value)
{
    const std::string name = value.string();
    if (const auto protocol = task::custom_protocol(name))
        return *protocol;
    const std::vector<std::string> names = {"classification", "pair-classification", "relatedness",
                                            "similarity"};
    throw core::UsageError("{}: there is no protocol '{}'.{} It is one of: {}", value.where(), name,
                           core::did_you_mean(name, names), fmt::join(names, ", "));
}

text::Encoding encoding_of(const Value& value)
{
    const std::string name = value.string();
    if (name == "utf-8")
        return text::Encoding::utf8;
    if (name == "latin-1")
        return text::Encoding::latin1;
    value.refuse("\"utf-8\" or \"latin-1\"");
}

std::vector<std::string> labels_of(const Value& value)
{
    std::vector<std::string> labels;
    for (const Value& label : value.elements())
        labels.push_back(label.is_integer() ? std::to_string(label.integer()) : label.string());
    return labels;
}

/// A text.
TaskKey text_key(const std::string& name, std::string CustomTask::*member)
{
    return {name, [member](CustomTask& task, const Value& value) { task.*member = value.string(); }};
}

/// A column: its number, or its name in the header.
TaskKey column_key(const std::string& name, std::string CustomTask::*member)
{
    return {name, [member](CustomTask& task, const Value& value) {
                task.*member =
                    value.is_integer() ? std::to_string(value.integer()) : value.string();
            }};
}

TaskKey score_key(const std::string& name, double CustomTask::*member)
{
    return {name, [member](CustomTask& task, const Value& value) { task.*member = value.real(); }};
}

std::vector<TaskKey> make_keys()
{
    return {
        text_key("name", &CustomTask::name),
        {"protocol", [](CustomTask& t, const Value& v) { t.protocol = protocol_of(v); }},
        text_key("train", &CustomTask::train),
        text_key("dev", &CustomTask::dev),
        text_key("test", &CustomTask::test),
        {"header", [](CustomTask& t, const Value& v) { t.header = v.boolean(); }},
        {"encoding", [](CustomTask& t, const Value& v) { t.encoding = encoding_of(v); }},
        column_key("first", &CustomTask::first),
        column_key("second", &CustomTask::second),
        column_key("target", &CustomTask::target),
        {"labels", [](CustomTask& t, const Value& v) { t.labels = labels_of(v); }},
        score_key("lowest_score", &CustomTask::lowest_score),
        score_key("highest_score", &CustomTask::highest_score),
        text_key("metric", &CustomTask::metric),
    };
}

std::span<const TaskKey> task_keys()
{
    static const std::vector<TaskKey> keys = make_keys();
    return keys;
}

} // namespace

const TaskKey* find_task_key(std::string_view name)
{
    const auto keys = task_keys();
    const auto at = std::find_if(keys.begin(), keys.end(),
                                 [&](const TaskKey& key) { return key.name == name; });
    return at == keys.end() ? nullptr : &*at;
}

std::vector<std::string> task_key_names()
{
    std::vector<std::string> names;
    for (const TaskKey& key : task_keys())
        names.push_back(key.name);
    return names;
}

} // namespace senteval::run
