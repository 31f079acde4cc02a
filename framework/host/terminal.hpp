// terminal.hpp -- what the standard streams can show.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace senteval::host {

enum class Stream { out, err };

/// Whether a person looks at the stream.
bool is_terminal(Stream stream);

/// is_terminal, and neither NO_COLOR nor TERM=dumb speaks against escape sequences.
bool has_style(Stream stream);

/// Columns of the terminal; 100 elsewhere.
std::size_t width(Stream stream);

/// report::wrapped() in the width of the terminal, for a list on standard output; as it is elsewhere.
std::string wrapped_for_reading(std::string_view text, std::size_t indent);

} // namespace senteval::host
