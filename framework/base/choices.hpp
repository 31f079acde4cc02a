// choices.hpp -- tables of choices: pairs of a name, as users write it, and what it means.
#pragma once

#include <string>
#include <vector>

namespace senteval::base {

/// The names, in the order of the table.
template <typename Table>
std::vector<std::string> names_of(const Table& table)
{
    std::vector<std::string> names;
    names.reserve(table.size());
    for (const auto& [name, meaning] : table)
        names.emplace_back(name);
    return names;
}

} // namespace senteval::base
