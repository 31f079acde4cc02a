// lines.hpp -- walking over the lines and the tab-separated fields of a file's bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace senteval::data {

/// Calls visit(line) for every line, without its '\n'. A newline at the very end opens no further
/// line.
template <typename Visit>
void for_each_line(std::string_view bytes, Visit visit)
{
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        visit(bytes.substr(0, end));
        if (end == std::string_view::npos)
            return;
        bytes.remove_prefix(end + 1);
    }
}

/// Field `index` (from 0) of a line whose fields are separated by tabs; a line without any tab is
/// its own every field, as it is to cut(1). Empty where the line has fewer.
inline std::string_view field(std::string_view line, std::size_t index)
{
    if (line.find('\t') == std::string_view::npos)
        return line;
    for (; index > 0; --index) {
        const std::size_t tab = line.find('\t');
        if (tab == std::string_view::npos)
            return {};
        line.remove_prefix(tab + 1);
    }
    return line.substr(0, line.find('\t'));
}

/// `line` without the carriage return that may end it.
inline std::string_view without_return(std::string_view line)
{
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

} // namespace senteval::data
