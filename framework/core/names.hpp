// names.hpp -- "did you mean": the nearest of the names there are.
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

} // namespace senteval::core
