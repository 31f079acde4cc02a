#include "core/byte_text.hpp"

#include <fmt/format.h>

namespace senteval::core {

std::string byte_text(double bytes)
{
    constexpr double mib = 1024.0 * 1024;
    constexpr double gib = 1024 * mib;
    return bytes >= gib ? fmt::format("{:.2f} GiB", bytes / gib)
                        : fmt::format("{:.1f} MiB", bytes / mib);
}

} // namespace senteval::core
