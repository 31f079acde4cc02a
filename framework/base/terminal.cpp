#include "base/terminal.hpp"

#include <senteval/printable.hpp>

#include <unicode/uchar.h>

#include <algorithm>

namespace senteval::base {
namespace {

/// Bytes of the character that the text, which is not empty, begins with; what is no UTF-8 counts byte by byte.
std::size_t bytes_of_character(std::string_view text)
{
    return std::max<std::size_t>(sdk::character_length(text), 1);
}

std::size_t columns_of_character(std::string_view character)
{
    const auto code = static_cast<UChar32>(sdk::code_point(character));
    const int type = u_charType(code);
    if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK || type == U_FORMAT_CHAR)
        return 0;
    const int width = u_getIntPropertyValue(code, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

/// How many bytes of a word fit into `columns`: up to its last joint, else as many characters as fit,
/// and one at least.
std::size_t fitting(std::string_view word, std::size_t columns)
{
    constexpr std::string_view joints = "-_/=,";
    std::size_t joint = 0;
    std::size_t used = 0;
    for (std::size_t at = 0; at < word.size();) {
        const std::size_t bytes = bytes_of_character(word.substr(at));
        used += columns_of_character(word.substr(at, bytes));
        if (used > columns)
            return joint > 0 ? joint : std::max(at, bytes);
        at += bytes;
        if (joints.find(word[at - 1]) != std::string_view::npos)
            joint = at;
    }
    return word.size();
}

} // namespace

std::size_t display_width(std::string_view text)
{
    std::size_t columns = 0;
    while (!text.empty()) {
        const std::size_t bytes = bytes_of_character(text);
        columns += columns_of_character(text.substr(0, bytes));
        text.remove_prefix(bytes);
    }
    return columns;
}

std::string padded(const std::string& text, std::size_t width)
{
    return text + std::string(width - std::min(width, display_width(text)), ' ');
}

std::string
wrapped(std::string_view text, std::size_t columns, std::size_t indent, LongWords long_words)
{
    std::string result;
    std::size_t column = indent;
    const auto break_line = [&] {
        result += "\n" + std::string(indent, ' ');
        column = indent;
    };
    const std::size_t room = columns > indent ? columns - indent : 1;
    while (!text.empty()) {
        if (text.front() == '\n') {
            break_line();
            text.remove_prefix(1);
            continue;
        }
        const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
        std::size_t end = std::min(text.find_first_of(" \n", blanks), text.size());
        if (text.substr(end).starts_with(" %")) // which begins no line
            end = std::min(text.find_first_of(" \n", end + 1), text.size());
        std::string_view word = text.substr(blanks, end - blanks);
        const std::size_t gap = column == indent && indent > 0 ? 0 : blanks;
        if (column > indent && column + gap + display_width(word) > columns)
            break_line();
        else {
            result.append(gap, ' ');
            column += gap;
        }
        while (long_words == LongWords::broken && display_width(word) > room) {
            const std::size_t part = fitting(word, room);
            if (part == word.size())
                break; // one character that is wider than the line
            result += word.substr(0, part);
            word.remove_prefix(part);
            break_line();
        }
        result += word;
        column += display_width(word);
        text.remove_prefix(end);
    }
    return result;
}

} // namespace senteval::base
