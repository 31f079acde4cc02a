// csv.hpp -- fields of CSV files.
#pragma once

#include "base/unicode.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>

namespace senteval::base {

/// Whether a spreadsheet would take a text for a formula: its first character that is seen is one of =, +, -, @, or of
/// their wide forms, and it is no number.
inline bool is_formula(std::string_view text)
{
    std::size_t first = 0;
    for (std::size_t end = 0; first < text.size(); first = end) {
        next_character(text, end);
        if (!is_unreadable(text.substr(first, end - first)))
            break;
    }
    const std::string_view seen = text.substr(first);
    double number = 0;
    const auto [end, error] = std::from_chars(seen.data(), seen.data() + seen.size(), number);
    const bool is_number = error == std::errc() && end == seen.data() + seen.size();
    constexpr std::array<std::string_view, 8> signs = {"=", "+", "-", "@", "＝", "＋", "－", "＠"};
    return !is_number && std::ranges::any_of(signs, [&](std::string_view sign) {
        return seen.starts_with(sign) && seen.size() > sign.size();
    });
}

/// A field: quoted where CSV asks for it; a formula begins with '.
inline std::string csv_field(const std::string& text)
{
    const std::string shown = is_formula(text) ? "'" + text : text;
    if (shown.find_first_of(",\"\r\n") == std::string::npos)
        return shown;
    std::string quoted = "\"";
    for (const char c : shown)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

} // namespace senteval::base
