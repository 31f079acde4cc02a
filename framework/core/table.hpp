// table.hpp -- a TOML file as tables of values that know where they were written.
#pragma once

#include "base/error.hpp"
#include "core/value.hpp"

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::core {

/// Every complaint is a base::UsageError "FILE:LINE:COLUMN: ...".
class Table {
public:
    /// The whole of a text. `name` is what errors call it; relative paths start from `base`.
    static Table
    parse(std::string_view toml, const std::string& name, const std::filesystem::path& base = {});

    /// The whole of a file; relative paths start from its folder.
    static Table read(const std::filesystem::path& file);

    [[nodiscard]] const std::string& where() const noexcept { return where_; }
    [[nodiscard]] const std::filesystem::path& base() const noexcept { return base_; }

    /// Everything in it, in the order of the keys.
    [[nodiscard]] std::vector<Value> values() const;

    /// The value of a key, nullptr where there is none.
    [[nodiscard]] const Value* find(std::string_view key) const;

    [[nodiscard]] const Value& required(std::string_view key) const;

    /// The text of a key, empty where there is none.
    [[nodiscard]] std::string text(std::string_view key) const;

    /// A list of texts, or one text; none where there is no such key.
    [[nodiscard]] std::vector<std::string> texts(std::string_view key) const;

    /// The table [key], nullptr where there is none.
    [[nodiscard]] const Table* table(std::string_view key) const;

    /// The tables [[key]].
    [[nodiscard]] std::span<const Table> tables(std::string_view key) const;

    /// Complains of the first key that is not among `keys`, with the nearest of them. `what` is what
    /// such a key is called: "section", "key of an encoder".
    void allow_only(std::span<const std::string> keys, std::string_view what) const;
    void allow_only(std::initializer_list<std::string_view> keys, std::string_view what) const;

    template <typename... Args>
    [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const
    {
        throw base::UsageError("{}: {}", where_, fmt::format(format, std::forward<Args>(args)...));
    }

private:
    friend class TableReader;

    struct Entry {
        std::string where; ///< of the key; its value knows where that is
        Value value;
        bool is_table;
        bool is_list_of_tables;
        std::vector<Table> tables; ///< the table, or those of the list
    };

    [[nodiscard]] const Entry* entry(std::string_view key) const;

    std::string where_;
    std::filesystem::path base_;
    std::vector<Entry> entries_;
};

} // namespace senteval::core
