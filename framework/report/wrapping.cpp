#include "report/wrapping.hpp"

#include <senteval/printable.hpp>

#include <algorithm>
#include <array>

namespace senteval::report {
namespace {

struct CodeRange {
    char32_t first, last;
};

/// Scripts and pictures that take two columns (Unicode's East Asian Width W and F, by blocks).
constexpr std::array wide_characters = {
    CodeRange{0x1100, 0x115F},   CodeRange{0x2E80, 0x303E},   CodeRange{0x3041, 0x33FF},
    CodeRange{0x3400, 0x4DBF},   CodeRange{0x4E00, 0x9FFF},   CodeRange{0xA000, 0xA4CF},
    CodeRange{0xAC00, 0xD7A3},   CodeRange{0xF900, 0xFAFF},   CodeRange{0xFE30, 0xFE6F},
    CodeRange{0xFF01, 0xFF60},   CodeRange{0xFFE0, 0xFFE6},   CodeRange{0x1F300, 0x1F64F},
    CodeRange{0x1F680, 0x1F6FF}, CodeRange{0x1F900, 0x1F9FF}, CodeRange{0x20000, 0x3FFFD}};

/// Marks that combine with the character before them, and the joiner of emoji.
constexpr std::array combining_marks = {CodeRange{0x0300, 0x036F}, CodeRange{0x1AB0, 0x1AFF},
                                        CodeRange{0x1DC0, 0x1DFF}, CodeRange{0x200D, 0x200D},
                                        CodeRange{0x20D0, 0x20FF}, CodeRange{0xFE00, 0xFE0F},
                                        CodeRange{0xFE20, 0xFE2F}};

template <typename Ranges>
bool is_among(const Ranges& ranges, char32_t code)
{
    return std::any_of(ranges.begin(), ranges.end(), [&](const CodeRange& range) {
        return code >= range.first && code <= range.last;
    });
}

/// Bytes of the character that the text, which is not empty, begins with; what is no UTF-8 counts byte by byte.
std::size_t bytes_of_character(std::string_view text)
{
    return std::max<std::size_t>(sdk::character_length(text), 1);
}

std::size_t columns_of_character(std::string_view character)
{
    const char32_t code = sdk::code_point(character);
    if (code < 0x0300)
        return 1;
    return is_among(wide_characters, code) ? 2 : is_among(combining_marks, code) ? 0 : 1;
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

std::vector<std::string> folded(std::string_view text, std::size_t columns)
{
    const std::string all = wrapped(text, columns, 0, LongWords::broken);
    std::vector<std::string> lines;
    for (std::size_t at = 0; at <= all.size();) {
        const std::size_t end = std::min(all.find('\n', at), all.size());
        lines.push_back(all.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}

} // namespace senteval::report
