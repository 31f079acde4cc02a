// terminal.hpp -- text in the columns of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace senteval::base {

/// Columns that a terminal uses for UTF-8 text: two for a wide character, none for what stands on top of the
/// character before it.
std::size_t display_width(std::string_view text);

/// Text with spaces to its right, up to that display width.
std::string padded(const std::string& text, std::size_t width);

/// Treatment of a word longer than a line: commands, paths and addresses are copied whole.
enum class LongWords { whole, broken };

/// `text`, which begins in column `indent`, in lines that end before column `columns`: broken between
/// words, continued in column `indent`. Line ends in the text stay.
std::string wrapped(std::string_view text,
                    std::size_t columns,
                    std::size_t indent,
                    LongWords long_words = LongWords::whole);

} // namespace senteval::base
