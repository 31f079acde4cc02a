// members.hpp -- the members of a record, listed once: by the list it is written as a JSON object, and read and checked.
//
// A record has a function `void members(Overlap& overlap, Members& list)`. It names its members in the order of the
// document: by list(key, member, ...), or by list.if_any(key, member, ...) where they are absent at their defaults.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::results {

class Members {
public:
    /// A record or anything that records are made of.
    template <typename T>
    static base::Json written(T value)
    {
        if constexpr (requires(Members & list) { members(value, list); }) {
            Members list(nullptr, "");
            members(value, list);
            return std::move(list.written_);
        } else {
            return value;
        }
    }
    template <typename T>
    static base::Json written(const std::optional<T>& value)
    {
        return written(*value);
    }
    template <typename T>
    static base::Json written(const std::vector<T>& values)
    {
        base::Json json = base::Json::array();
        for (const T& value : values)
            json.push_back(written(value));
        return json;
    }

    /// Throws base::Error that names what is missing, not known or of another kind. `path`: of the value in its document.
    template <typename T>
    static void read(const base::Json& json, const std::string& path, T& value)
    {
        if constexpr (requires(Members & list) { members(value, list); }) {
            require(json.is_object(), path, "an object");
            Members list(&json, path);
            members(value, list);
            for (const auto& [key, unused] : json.items())
                require(list.known_.contains(key), path + "/" + key, "known");
        } else {
            if constexpr (std::same_as<T, bool>)
                require(json.is_boolean(), path, "true or false");
            else if constexpr (std::integral<T>)
                require(json.is_number() && json >= 0 && std::floor(json.get<double>()) == json,
                        path, "a whole number");
            else if constexpr (std::floating_point<T>)
                require(json.is_number(), path, "a number");
            else if constexpr (std::same_as<T, std::string>)
                require(json.is_string(), path, "a text");
            value = json.get<T>();
        }
    }
    template <typename T>
    static void read(const base::Json& json, const std::string& path, std::optional<T>& value)
    {
        read(json, path, value.emplace());
    }
    template <typename T>
    static void read(const base::Json& json, const std::string& path, std::vector<T>& values)
    {
        require(json.is_array(), path, "a list");
        for (std::size_t at = 0; at < json.size(); ++at)
            read(json[at], fmt::format("{}/{}", path, at), values.emplace_back());
    }
    /// Numbers that are not below 0.
    static void
    read(const base::Json& json, const std::string& path, std::map<std::string, double>& numbers)
    {
        require(json.is_object(), path, "an object");
        for (const auto& [key, number] : json.items()) {
            read(number, path + "/" + key, numbers[key]);
            require(numbers[key] >= 0, path + "/" + key, "a number from 0");
        }
    }

    /// A Json that must be there is an object.
    template <typename T, typename... More>
    void operator()(const char* key, T& value, More&... more)
    {
        require(reads_ == nullptr || reads_->contains(key), path_ + "/" + key, "there");
        add(key, value);
        if constexpr (std::same_as<T, base::Json>)
            require(value.is_object(), path_ + "/" + key, "an object");
        if constexpr (sizeof...(more) > 0)
            (*this)(more...);
    }
    template <typename T, typename... More>
    void if_any(const char* key, T& value, More&... more)
    {
        if (reads_ != nullptr || !(value == T()))
            add(key, value);
        if constexpr (sizeof...(more) > 0)
            if_any(more...);
    }
    /// A part of a path, and of a line in a table.
    void name(const char* key, std::string& value)
    {
        (*this)(key, value);
        const auto is_no_part = [](unsigned char c) { return c < 0x20 || c == '/' || c == 0x7f; };
        require(reads_ == nullptr || (!value.empty() && std::ranges::none_of(value, is_no_part)),
                path_ + "/" + key, "a name");
    }
    /// One of the values of a table, by its name.
    template <typename Table, typename T>
    void choice(const char* key, T& value, const Table& table)
    {
        std::string name(base::name_in(table, value));
        (*this)(key, name);
        const auto at = std::ranges::find(table, name, &Table::value_type::first);
        require(at != table.end(), path_ + "/" + key, "one of its names");
        value = at->second;
    }
    /// All members but these, by their keys.
    template <typename T>
    void others(std::vector<std::pair<std::string, T>>& values, const std::set<std::string>& but)
    {
        if (reads_ != nullptr)
            for (const auto& [key, unused] : reads_->items())
                if (!but.contains(key))
                    values.emplace_back(key, T());
        for (auto& [key, value] : values)
            add(key, value);
    }

private:
    /// `reads`: what is read; nullptr: it is written.
    Members(const base::Json* reads, std::string path) : reads_(reads), path_(std::move(path)) {}

    template <typename T>
    void add(const std::string& key, T& value)
    {
        known_.insert(key);
        if (reads_ == nullptr)
            written_[key] = written(value);
        else if (const auto at = reads_->find(key); at != reads_->end())
            read(*at, path_ + "/" + key, value);
    }

    static void require(bool is_right, const std::string& path, std::string_view what)
    {
        if (!is_right)
            throw base::Error("'{}' is not {}", path, what);
    }

    const base::Json* reads_;
    std::string path_;
    std::set<std::string> known_;
    base::Json written_ = base::Json::object();
};

} // namespace senteval::results
