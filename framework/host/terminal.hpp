// terminal.hpp -- what the standard streams can show.
#pragma once

#include <cstddef>

namespace senteval::host {

enum class Stream { out, err };

/// Whether a person looks at the stream.
bool is_terminal(Stream stream);

/// is_terminal, and neither NO_COLOR nor TERM=dumb speaks against escape sequences.
bool has_style(Stream stream);

/// Columns of the terminal; 100 elsewhere.
std::size_t width(Stream stream);

} // namespace senteval::host
