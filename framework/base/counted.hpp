// counted.hpp -- how many of what, as a person would say it.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace senteval::base {

/// A number with its noun: "1 pair", "2 pairs"; the plural has an s more.
inline std::string counted(std::uint64_t count, std::string_view noun)
{
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// Names, of many the first: "A, B, C and 9 more".
inline std::string first_of(std::span<const std::string> names)
{
    constexpr std::size_t most = 5;
    return names.size() <= most + 1
               ? fmt::format("{}", fmt::join(names, ", "))
               : fmt::format("{} and {} more", fmt::join(names.first(most), ", "),
                             names.size() - most);
}

} // namespace senteval::base
