// counted.hpp -- how many of what, as a person would say it.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace senteval::base {

/// A number with its noun: "1 pair", "2 pairs"; the plural has an s more.
inline std::string counted(std::uint64_t count, std::string_view noun)
{
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

} // namespace senteval::base
