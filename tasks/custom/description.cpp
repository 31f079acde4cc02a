#include "tasks/custom/description.hpp"

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

/// The choice that the value names.
template <typename T>
T choice(const Value& value, const std::vector<std::pair<std::string, T>>& choices)
{
    const std::string name = value.string();
    std::vector<std::string> names;
    for (const auto& [known, result] : choices) {
        if (known == name)
            return result;
        names.push_back(known);
    }
    throw core::UsageError("{}: there is no {} '{}'.{} It is one of: {}", value.where(),
                           value.key(), name, core::did_you_mean(name, names),
                           fmt::join(names, ", "));
}

template <typename T>
Key choice_key(const std::string& name,
               T CustomTask::*member,
               std::vector<std::pair<std::string, T>> choices)
{
    return {name, [member, choices = std::move(choices)](CustomTask& task, const Value& value) {
                task.*member = choice(value, choices);
            }};
}

Key text_key(const std::string& name, std::string CustomTask::*member)
{
    return {name,
            [member](CustomTask& task, const Value& value) { task.*member = value.string(); }};
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
        choice_key<CustomProtocol>("protocol", &CustomTask::protocol,
                                   {{"classification", CustomProtocol::classification},
                                    {"pair-classification", CustomProtocol::pair_classification},
                                    {"relatedness", CustomProtocol::relatedness},
                                    {"similarity", CustomProtocol::similarity}}),
        text_key("train", &CustomTask::train),
        text_key("dev", &CustomTask::dev),
        text_key("test", &CustomTask::test),
        flag_key("header", &CustomTask::header),
        choice_key<text::Encoding>(
            "encoding", &CustomTask::encoding,
            {{"utf-8", text::Encoding::utf8}, {"latin-1", text::Encoding::latin1}}),
        column_key("first", &CustomTask::first),
        column_key("second", &CustomTask::second),
        column_key("target", &CustomTask::target),
        {"labels", set_labels},
        score_key("lowest_score", &CustomTask::lowest_score),
        score_key("highest_score", &CustomTask::highest_score),
        choice_key<Tokeniser>(
            "tokenise", &CustomTask::tokenise,
            {{"none", Tokeniser::none}, {"ptb", Tokeniser::ptb}, {"moses", Tokeniser::moses}}),
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
