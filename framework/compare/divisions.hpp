// divisions.hpp -- ways of dividing the test items of a task into parts.
#pragma once

#include "run/items.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace senteval::compare {

struct Division {
    std::string by; ///< as a title says it
    std::vector<std::string> parts;
    /// Index of the part that row belongs to; nothing where it belongs to none.
    std::function<std::optional<std::size_t>(const run::Items& items, std::size_t row)> part_of;
    bool by_class = false; ///< parts are gold classes
};

/// The divisions that make sense for the items: see slices.hpp.
std::vector<Division> divisions_of(const run::Items& items);

} // namespace senteval::compare
