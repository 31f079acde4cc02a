// columns.hpp -- some columns of rows of floats, in whole cache lines.
#pragma once

#include "core/aligned.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace senteval::train {

/// Columns [first, last), multiples of core::line_floats.
struct Columns {
    std::size_t first = 0;
    std::size_t last = 0;

    [[nodiscard]] std::size_t count() const noexcept { return last - first; }

    /// How many of them are below `width`, where some are.
    [[nodiscard]] std::size_t within(std::size_t width) const noexcept
    {
        return std::min(last, width) - first;
    }
};

/// Rows of `width` columns in `count` parts, or as many as they have lines: none is empty.
inline std::vector<Columns> parts_of(std::size_t width, std::size_t count)
{
    const std::size_t lines = core::padded(width) / core::line_floats;
    std::vector<Columns> parts(std::min(count, lines));
    for (std::size_t part = 0; part < parts.size(); ++part)
        parts[part] = {lines * part / parts.size() * core::line_floats,
                       lines * (part + 1) / parts.size() * core::line_floats};
    return parts;
}

} // namespace senteval::train
