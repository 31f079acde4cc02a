// byte_text.hpp -- numbers of bytes as people read them.
#pragma once

#include <fmt/format.h>

#include <string>

namespace senteval::base {

/// "13.5 MiB", from a GiB on "1.50 GiB", "12 KiB" below a tenth of a MiB.
[[nodiscard]] inline std::string byte_text(double bytes)
{
    constexpr double kib = 1024.0;
    constexpr double mib = 1024 * kib;
    constexpr double gib = 1024 * mib;
    if (bytes >= gib)
        return fmt::format("{:.2f} GiB", bytes / gib);
    return bytes >= mib / 10 ? fmt::format("{:.1f} MiB", bytes / mib)
                             : fmt::format("{:.0f} KiB", bytes / kib);
}

} // namespace senteval::base
