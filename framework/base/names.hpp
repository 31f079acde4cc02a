// names.hpp -- names as people write them, and finding what was meant among those there are.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::base {

/// `name` without what people write differently: capitals, and '-', '_' and spaces between its parts.
/// "STS-B" and "sts_b" are both "stsb".
std::string folded(std::string_view name);

/// The candidate with the fewest edits (insert, delete, replace, swap of neighbours; case counts
/// half) from `name`; empty when none is near enough to be a slip of the finger.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// " Did you mean 'X'?", or nothing.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

/// The name of a value in a table of names and values, which has all of them.
template <typename Table, typename T>
constexpr std::string_view name_in(const Table& table, T value)
{
    for (const auto& [name, known] : table)
        if (known == value)
            return name;
    return {};
}

/// Whether the name is the pattern, in which * stands for any text and ? for one character; case does
/// not count.
bool matches(const std::string& name, const std::string& pattern);

/// The names and patterns of lists with commas between. A comma within one of `names` divides nothing.
std::vector<std::string> names_in(std::span<const std::string> lists,
                                  std::span<const std::string> names);

} // namespace senteval::base
