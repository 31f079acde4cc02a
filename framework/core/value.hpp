// value.hpp -- a value that a user wrote: on the command line, where all is text, or in a TOML file.
#pragma once

#include "base/json.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace senteval::core {

/// Knows where it was written, so that a complaint can say so. Every reader throws base::UsageError that
/// names the place, the key and what was wanted.
class Value {
public:
    /// A value of the command line: read as whatever type is asked for.
    static Value of_text(std::string text, std::string key, std::string where);

    /// A value of a file, of the type it has. `base` is the folder that relative paths start from.
    static Value
    of_json(base::Json json, std::string key, std::string where, std::filesystem::path base);

    [[nodiscard]] bool boolean() const;
    [[nodiscard]] std::int64_t integer() const;
    [[nodiscard]] double real() const; ///< finite; an integer will do
    [[nodiscard]] std::string string() const;
    [[nodiscard]] std::filesystem::path path() const; ///< absolute; "~/" is the user's home
    [[nodiscard]] bool is_list() const { return json_.is_array(); }
    [[nodiscard]] bool is_integer() const { return json_.is_number_integer(); } ///< of a file's

    /// The elements of a list; one element otherwise. Text is split at commas, around which blanks do
    /// not count.
    [[nodiscard]] std::vector<Value> list() const;

    /// The elements of an array; the value itself otherwise. Text is one element.
    [[nodiscard]] std::vector<Value> elements() const;

    [[nodiscard]] const std::string& key() const noexcept { return key_; }
    [[nodiscard]] const base::Json& json() const noexcept { return json_; } ///< as a file has it
    [[nodiscard]] const std::string& where() const noexcept { return where_; }

    /// Throws the base::UsageError "WHERE: 'KEY' must be WANTED, not VALUE".
    [[noreturn]] void refuse(const std::string& wanted) const;

    /// The meaning of the text among `choices`, pairs of a name and a meaning. Throws with the nearest name.
    template <typename Choices>
    [[nodiscard]] auto choice(const Choices& choices) const
    {
        std::vector<std::string> names;
        for (const auto& [name, meaning] : choices) {
            if (string() == name)
                return meaning;
            names.emplace_back(name);
        }
        refuse_choice(names);
    }

private:
    [[noreturn]] void refuse_choice(const std::vector<std::string>& names) const;
    Value(base::Json json,
          bool is_text,
          std::string key,
          std::string where,
          std::filesystem::path base);

    base::Json json_;
    bool is_text_;
    std::string key_;
    std::string where_;
    std::filesystem::path base_;
};

} // namespace senteval::core
