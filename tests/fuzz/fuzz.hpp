// fuzz.hpp -- what the harnesses share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace senteval::fuzz {

inline std::string_view text(const std::uint8_t* bytes, std::size_t size)
{
    return {reinterpret_cast<const char*>(bytes), size};
}

/// Ends the program where a property does not hold, so that the input is kept.
inline void require(bool property)
{
    if (!property)
        std::abort();
}

} // namespace senteval::fuzz
