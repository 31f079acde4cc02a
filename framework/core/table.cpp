// The one place that sees toml++.
#include "core/table.hpp"

#include "base/files.hpp"
#include "base/names.hpp"

#include <toml++/toml.h>

#include <algorithm>

namespace senteval::core {

/// Turns what toml++ has parsed into tables.
class TableReader {
public:
    TableReader(std::string name, std::filesystem::path base)
        : name_(std::move(name)), base_(std::move(base))
    {
    }

    [[nodiscard]] Table table(const toml::table& from) const
    {
        Table result;
        result.where_ = at(from.source());
        result.base_ = base_;
        for (const auto& [key, node] : from) {
            const auto* list = node.as_array();
            const bool is_list_of_tables =
                list != nullptr && std::all_of(list->begin(), list->end(),
                                               [](const auto& one) { return one.is_table(); });
            Table::Entry entry{
                at(key.source()),
                Value::of_json(json(node), std::string(key.str()), at(node.source()), base_),
                node.is_table(),
                is_list_of_tables,
                {}};
            if (entry.is_table)
                entry.tables.push_back(table(*node.as_table()));
            else if (is_list_of_tables)
                for (const toml::node& one : *list)
                    entry.tables.push_back(table(*one.as_table()));
            result.entries_.push_back(std::move(entry));
        }
        return result;
    }

    [[nodiscard]] std::string at(const toml::source_region& source) const
    {
        return fmt::format("{}:{}:{}", name_, source.begin.line, source.begin.column);
    }

private:
    [[nodiscard]] base::Json json(const toml::node& node) const
    {
        if (const auto* text = node.as_string())
            return base::Json(text->get());
        if (const auto* number = node.as_integer())
            return base::Json(number->get());
        if (const auto* real = node.as_floating_point())
            return base::Json(real->get());
        if (const auto* flag = node.as_boolean())
            return base::Json(flag->get());
        if (const auto* array = node.as_array()) {
            base::Json list = base::Json::array();
            for (const toml::node& element : *array)
                list.push_back(json(element));
            return list;
        }
        if (const auto* table = node.as_table()) {
            base::Json object = base::Json::object();
            for (const auto& [key, element] : *table)
                object[std::string(key.str())] = json(element);
            return object;
        }
        throw base::UsageError("{}: expected a string, number, boolean or list of these",
                               at(node.source()));
    }

    std::string name_;
    std::filesystem::path base_;
};

Table Table::parse(std::string_view toml,
                   const std::string& name,
                   const std::filesystem::path& base)
{
    const TableReader reader(name, base);
    try {
        return reader.table(toml::parse(toml, name));
    } catch (const toml::parse_error& e) {
        throw base::UsageError("{}: {}", reader.at(e.source()), std::string(e.description()));
    }
}

Table Table::read(const std::filesystem::path& file)
{
    const auto text = [&] {
        try {
            return base::read_file(file);
        } catch (const base::Error& e) {
            throw base::UsageError("{}", e.what());
        }
    }();
    return parse(text, file.string(), std::filesystem::absolute(file).parent_path());
}

const Table::Entry* Table::entry(std::string_view key) const
{
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& e) { return e.value.key() == key; });
    return found == entries_.end() ? nullptr : &*found;
}

std::vector<Value> Table::values() const
{
    std::vector<Value> all;
    for (const Entry& one : entries_)
        all.push_back(one.value);
    return all;
}

const Value* Table::find(std::string_view key) const
{
    const Entry* found = entry(key);
    return found == nullptr ? nullptr : &found->value;
}

const Value& Table::required(std::string_view key) const
{
    if (const Value* found = find(key))
        return *found;
    fail("'{}' is missing", key);
}

std::string Table::text(std::string_view key) const
{
    const Value* found = find(key);
    return found == nullptr ? std::string{} : found->string();
}

std::vector<std::string> Table::texts(std::string_view key) const
{
    std::vector<std::string> all;
    if (const Value* found = find(key))
        for (const Value& one : found->elements())
            all.push_back(one.string());
    return all;
}

const Table* Table::table(std::string_view key) const
{
    const Entry* found = entry(key);
    if (found == nullptr)
        return nullptr;
    if (!found->is_table)
        throw base::UsageError("{}: '{}' must be a table", found->value.where(), key);
    return &found->tables.front();
}

std::span<const Table> Table::tables(std::string_view key) const
{
    const Entry* found = entry(key);
    if (found == nullptr)
        return {};
    if (!found->is_list_of_tables)
        throw base::UsageError("{}: write this section as [[{}]]", found->value.where(), key);
    return found->tables;
}

void Table::allow_only(std::span<const std::string> keys, std::string_view what) const
{
    for (const Entry& one : entries_)
        if (std::find(keys.begin(), keys.end(), one.value.key()) == keys.end())
            throw base::UsageError("{}: there is no {} '{}'.{} Valid are: {}", one.where, what,
                                   one.value.key(), base::did_you_mean(one.value.key(), keys),
                                   fmt::join(keys, ", "));
}

void Table::allow_only(std::initializer_list<std::string_view> keys, std::string_view what) const
{
    allow_only(std::vector<std::string>(keys.begin(), keys.end()), what);
}

} // namespace senteval::core
