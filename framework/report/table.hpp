// table.hpp -- text in the columns of a terminal, and a grid of texts, written for terminals, Markdown and LaTeX.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::report {

/// A name in lines of at most `columns` (1 or more): broken between words, long words after a sign that
/// joins their parts ("-", "_", "/", "=", ","), or else anywhere between characters. One line at least.
std::vector<std::string> folded(std::string_view text, std::size_t columns);

struct TextCell {
    std::string text;
    bool bold = false;
    std::string small = {}; ///< after the text, never bold: an interval, a mark
};

/// Lines of equally many cells. The first line and the first column are headings.
using TextTable = std::vector<std::vector<TextCell>>;

struct TerminalStyle {
    bool bold = false;       ///< escape sequences may be used
    std::size_t width = 100; ///< columns
    bool folds = true;       ///< no table is wider; false for files
};

/// A table that is too wide is folded where the style says so: headings between words, then columns follow below the
/// others. `groups`: a number for each column; columns of one number are kept together where that is possible.
std::string to_terminal(const TextTable& table,
                        const TerminalStyle& style,
                        std::span<const std::size_t> groups = {});
std::string to_markdown(const TextTable& table);

struct LatexText {
    std::string caption;
    std::string label;
    std::vector<std::string> comments = {}; ///< lines above the table
};

/// A table environment with one tabular, for booktabs.
std::string to_latex(const TextTable& table, const LatexText& text);

/// Appends an HTML table that `label` names.
void to_html(const TextTable& table, std::string_view label, std::string& out);

/// The text of a cell on one line, of visible characters, whatever a name contains.
std::string one_line(std::string text);

/// Text within a line of Markdown (GitHub's: with mathematics and struck-out text).
std::string markdown_escaped(const std::string& text);

std::string latex_escaped(const std::string& text);

} // namespace senteval::report
