// csv.hpp -- fields of CSV files.
#pragma once

#include <charconv>
#include <string>
#include <system_error>

namespace senteval::base {

/// Quoted where CSV asks for it.
inline std::string csv_field(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

/// The same for a table that people open with a spreadsheet: a text that it would take for a formula begins with '.
inline std::string csv_cell(const std::string& text)
{
    const bool is_formula = text.size() > 1 && text.find_first_of("=+-@\t\r") == 0;
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_number = error == std::errc() && end == text.data() + text.size();
    return csv_field(is_formula && !is_number ? "'" + text : text);
}

} // namespace senteval::base
