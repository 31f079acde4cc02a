// terminal.hpp -- what the standard streams can show.
#pragma once

#include "report/table.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace senteval::host {

enum class Stream { out, err };

/// Whether a person looks at the stream.
bool is_terminal(Stream stream);

/// is_terminal, and neither NO_COLOR nor TERM=dumb speaks against escape sequences.
bool has_style(Stream stream);

/// Columns: of standard output those that COLUMNS asks for, else those of the terminal; 100 elsewhere.
std::size_t width(Stream stream);

/// How tables are written to standard output: folded to its columns where there is a terminal or COLUMNS.
report::TerminalStyle table_style();

/// report::wrapped() in those columns, for a list on standard output; as it is where nothing says how many.
std::string wrapped_for_reading(std::string_view text,
                                std::size_t indent,
                                report::LongWords long_words = report::LongWords::whole);

/// A line of such a list: `left` in its columns, and `text` beside it, or below where that leaves it no room.
std::string list_line(const std::string& left, std::string_view text);

} // namespace senteval::host
