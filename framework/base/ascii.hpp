// ascii.hpp -- letters and digits of ASCII, in every locale. The functions of <cctype> ask the locale of
// the process, which a library that was loaded may have changed.
#pragma once

namespace senteval::base {

constexpr bool is_ascii_digit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

constexpr char ascii_lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr bool is_ascii_letter(char c) noexcept
{
    return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

constexpr bool is_hexadecimal(char c) noexcept
{
    return is_ascii_digit(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'f');
}

} // namespace senteval::base
