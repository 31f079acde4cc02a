// table.hpp -- a grid of texts, written for terminals, Markdown and LaTeX.
#pragma once

#include "report/wrapping.hpp"

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
    std::size_t width = 100; ///< columns
    bool folds =
        true; ///< no table is wider; false for files, which a table would rather leave whole
};

/// Lines in the place of columns.
TextTable turned(const TextTable& table);

/// A table that would be too wide is turned round where that helps. Where it does not help enough and the
/// style says so, headings and texts are folded, and then columns follow below the others.
std::string to_terminal(const TextTable& table, const TerminalStyle& style);
std::string to_markdown(const TextTable& table);

/// A table environment for booktabs. A table that is wider than a page is turned round where that helps, and
/// columns for which there is no room follow in tables of their own.
std::string to_latex(const TextTable& table, const std::string& caption);

/// What a cell shows: one line, whatever a name contains, of characters that can be seen.
std::string one_line(std::string text);

/// Text in Markdown (GitHub's: with mathematics and struck-out text), one line: within a line, and a line of its own.
std::string markdown_escaped(const std::string& text);
std::string markdown_paragraph(const std::string& text);

/// Quoted where CSV asks for it.
std::string csv_field(const std::string& text);

std::string latex_escaped(const std::string& text);

} // namespace senteval::report
