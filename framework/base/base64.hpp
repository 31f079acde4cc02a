// base64.hpp -- bytes from base64 (RFC 4648, section 4).
#pragma once

#include "base/ascii.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace senteval::base {

/// The 6 bits of a character, or -1.
constexpr int six_bits(char c) noexcept
{
    if (is_ascii_digit(c))
        return c - '0' + 52;
    if (is_ascii_letter(c))
        return c <= 'Z' ? c - 'A' : c - 'a' + 26;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// The bytes; nothing where the text has other characters. '=' may be missing at its end.
inline std::optional<std::string> from_base64(std::string_view text)
{
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3 + 2);
    unsigned bits = 0;
    unsigned count = 0;
    for (const char c : text.substr(0, text.find_last_not_of('=') + 1)) {
        const int value = six_bits(c);
        if (value < 0)
            return std::nullopt;
        bits = bits << 6U | static_cast<unsigned>(value);
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 0xFFU);
        }
    }
    return bytes;
}

} // namespace senteval::base
