// lines.hpp -- the lines of a file's bytes.
#pragma once

#include <algorithm>
#include <string_view>

namespace senteval::base {

/// `text` without the byte-order mark that some editors begin UTF-8 with.
constexpr std::string_view without_mark(std::string_view text) noexcept
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

/// `line` without the carriage return that may end it.
constexpr std::string_view without_return(std::string_view line) noexcept
{
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/// Takes the first line off `text`, with its line feed, which is no part of the line.
constexpr std::string_view take_line(std::string_view& text) noexcept
{
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    return line;
}

/// Calls visit(line) for every line. A line feed at the very end opens no further line.
template <typename Visit>
void for_each_line(std::string_view text, Visit visit)
{
    while (!text.empty())
        visit(take_line(text));
}

} // namespace senteval::base
