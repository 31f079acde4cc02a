// names.hpp -- finding what was meant among the names there are.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace senteval::core {

/// The candidate with the fewest edits (insert, delete, replace, swap of neighbours; case counts
/// half) from `name`; empty when none is near enough to be a slip of the finger.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// " Did you mean 'X'?", or nothing.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

/// Whether the name is the pattern, in which * stands for any text and ? for one character; case does
/// not count.
bool matches(const std::string& name, const std::string& pattern);

} // namespace senteval::core
