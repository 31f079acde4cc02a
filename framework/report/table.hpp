// table.hpp -- a grid of texts, written for terminals, Markdown and LaTeX.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::report {

struct TextCell {
    std::string text;
    bool bold = false;
    std::string small = {}; ///< after the text, never bold: an interval, a mark
};

/// Lines of equally many cells. The first line and the first column are headings.
using TextTable = std::vector<std::vector<TextCell>>;

struct TerminalStyle {
    bool bold = false;       ///< escape sequences may be used
    std::size_t width = 100; ///< the table is turned round where it would be wider and that helps
};

std::string to_terminal(TextTable table, TerminalStyle style);
std::string to_markdown(const TextTable& table);

/// A table environment for booktabs.
std::string to_latex(const TextTable& table, const std::string& caption);

/// Columns that a terminal uses for UTF-8 text without wide characters.
std::size_t display_width(std::string_view text);

/// With spaces to the right, up to that display width.
std::string padded(const std::string& text, std::size_t width);

/// `text`, which begins in column `indent`, in lines that end before column `columns`: broken between
/// words, continued in column `indent`. Line ends in the text stay; a long word stays whole.
std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent);

/// Quoted where CSV asks for it.
std::string csv_field(const std::string& text);

std::string latex_escaped(const std::string& text);

} // namespace senteval::report
