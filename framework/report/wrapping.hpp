// wrapping.hpp -- text in the columns of a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::report {

/// Columns that a terminal uses for UTF-8 text: two for a wide character, none for what stands on top of the
/// character before it.
std::size_t display_width(std::string_view text);

/// With spaces to the right, up to that display width.
std::string padded(const std::string& text, std::size_t width);

/// What becomes of a word that is longer than a line: commands, paths and addresses are copied whole.
enum class LongWords { whole, broken };

/// `text`, which begins in column `indent`, in lines that end before column `columns`: broken between
/// words, continued in column `indent`. Line ends in the text stay.
std::string wrapped(std::string_view text,
                    std::size_t columns,
                    std::size_t indent,
                    LongWords long_words = LongWords::whole);

/// A name in lines of at most `columns` (1 or more): broken between words, long words after a sign that
/// joins their parts ("-", "_", "/", "=", ","), or else anywhere between characters. One line at least.
std::vector<std::string> folded(std::string_view text, std::size_t columns);

} // namespace senteval::report
