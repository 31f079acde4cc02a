#include "tasks/custom/description.hpp"

#include "core/home.hpp"
#include "core/names.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

namespace senteval::tasks {
namespace {

using core::Value;

struct Key {
    std::string name;
    std::function<void(CustomTask&, const Value&)> set;
};

template <typename T, typename Choices>
Key choice_key(const std::string& name, T CustomTask::*member, const Choices& choices)
{
    return {name, [member, choices](CustomTask& task, const Value& value) {
                task.*member = value.choice(choices);
            }};
}

Key text_key(const std::string& name, std::string CustomTask::*member)
{
    return {name,
            [member](CustomTask& task, const Value& value) { task.*member = value.string(); }};
}

Key path_key(const std::string& name, std::string CustomTask::*member)
{
    return {name, [member](CustomTask& task, const Value& value) {
                task.*member = core::expand_home(value.string()).string();
            }};
}

Key flag_key(const std::string& name, bool CustomTask::*member)
{
    return {name,
            [member](CustomTask& task, const Value& value) { task.*member = value.boolean(); }};
}

/// A column or label: a number, or a text.
std::string number_or_text(const Value& value)
{
    return value.is_integer() ? std::to_string(value.integer()) : value.string();
}

Key column_key(const std::string& name, std::string CustomTask::*member)
{
    return {name, [member](CustomTask& task, const Value& value) {
                task.*member = number_or_text(value);
                if ((task.*member).empty())
                    value.refuse("the number or the name of a column");
            }};
}

Key score_key(const std::string& name, double CustomTask::*member)
{
    return {name, [member](CustomTask& task, const Value& value) { task.*member = value.real(); }};
}

void set_labels(CustomTask& task, const Value& value)
{
    for (const Value& label : value.elements())
        task.labels.push_back(number_or_text(label));
}

std::vector<Key> make_keys()
{
    return {
        text_key("name", &CustomTask::name),
        choice_key("protocol", &CustomTask::protocol, protocol_names),
        path_key("train", &CustomTask::train),
        path_key("dev", &CustomTask::dev),
        path_key("test", &CustomTask::test),
        flag_key("header", &CustomTask::header),
        choice_key("encoding", &CustomTask::encoding, encoding_names),
        column_key("first", &CustomTask::first),
        column_key("second", &CustomTask::second),
        column_key("target", &CustomTask::target),
        {"labels", set_labels},
        score_key("lowest_score", &CustomTask::lowest_score),
        score_key("highest_score", &CustomTask::highest_score),
        choice_key("tokenise", &CustomTask::tokenise, tokeniser_names),
        flag_key("lowercase", &CustomTask::lowercase),
        text_key("metric", &CustomTask::metric),
    };
}

std::span<const Key> keys()
{
    static const std::vector<Key> all = make_keys();
    return all;
}

} // namespace

CustomTask read_description(const core::Table& table)
{
    std::vector<std::string> names;
    for (const Key& key : keys())
        names.push_back(key.name);
    table.allow_only(names, "key of a task");
    CustomTask task;
    task.base = table.base();
    task.where = table.where();
    for (const Key& key : keys())
        if (const Value* value = table.find(key.name))
            key.set(task, *value);
    return task;
}

} // namespace senteval::tasks
