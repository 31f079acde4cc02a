#include "report/labels.hpp"

#include "report/markup.hpp"

#include <senteval/printable.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace senteval::report::markup {
namespace {

constexpr double font_size = 11.5;
constexpr double line_height = 13;

/// Hundredths of the font's size, from the blank on: rounded up from a bold sans-serif with wide letters.
constexpr std::array<unsigned char, 95> advances = {
    35, 46,  53, 84, 70, 101, 88, 31,  46, 46, 53, 84, 38, 42,  38, 37, 70, 70,  70,
    70, 70,  70, 70, 70, 70,  70, 40,  40, 84, 84, 84, 59, 100, 78, 77, 74, 84,  69,
    69, 83,  84, 38, 38, 78,  64, 100, 84, 86, 74, 86, 78, 73,  69, 82, 78, 111, 78,
    73, 73,  46, 37, 46, 84,  50, 50,  68, 72, 60, 72, 68, 44,  72, 72, 35, 35,  67,
    35, 105, 72, 69, 72, 72,  50, 60,  48, 72, 66, 93, 65, 66,  59, 72, 37, 72,  84};

/// A character as it is shown, with the marks that belong to it.
struct Letter {
    std::string_view bytes;
    double width = 0;
    bool breaks_after = false;
};

double width_of_shown(std::string_view shown)
{
    double width = 0;
    for (const char c : shown) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7F)
            width += advances[byte - 0x20U];
        else if (byte >= 0xC0) // wide scripts begin at three bytes
            width += byte < 0xE0 ? 90 : byte < 0xF0 ? 112 : 145;
    }
    return width * font_size / 100;
}

/// Accents, variation selectors and tones of skin: nothing is broken off before them.
bool is_mark(std::string_view shown)
{
    return shown.starts_with("\xCC") || (shown.starts_with("\xCD") && shown < "\xCD\xB0") ||
           shown.starts_with("\xEF\xB8") ||
           (shown >= "\xF0\x9F\x8F\xBB" && shown <= "\xF0\x9F\x8F\xBF");
}

/// From the radicals to the last of the syllables of Hangul.
bool is_ideograph(std::string_view shown)
{
    return (shown >= "\xE2\xBA\x80" && shown <= "\xED\x9F\xBF") ||
           (shown >= "\xF0\xA0\x80\x80" && shown <= "\xF0\xBF\xBF\xBF");
}

std::vector<Letter> letters_of(std::string_view text)
{
    std::vector<Letter> letters;
    while (!text.empty()) {
        const std::string_view rest = text;
        const bool is_blank = text.front() == '\t' || text.front() == '\n';
        const std::string shown = is_blank ? " " : sdk::take_shown(text);
        if (is_blank)
            text.remove_prefix(1);
        const std::string_view bytes = rest.substr(0, rest.size() - text.size());
        if (is_mark(bytes) && !letters.empty()) {
            Letter& base = letters.back();
            base.bytes = {base.bytes.data(), base.bytes.size() + bytes.size()};
            continue;
        }
        const bool joins = bytes.size() == 1 &&
                           std::string_view(" -_/=,.:;+|&").find(bytes) != std::string_view::npos;
        letters.push_back({bytes, width_of_shown(shown), joins || is_ideograph(bytes)});
    }
    return letters;
}

/// One past the last letter of the line that begins at `begin`.
std::size_t end_of_line(const std::vector<Letter>& letters, std::size_t begin, double width)
{
    double used = 0;
    std::size_t broken = begin; // after the last place that may be broken
    for (std::size_t at = begin; at < letters.size(); ++at) {
        used += letters[at].width;
        const bool is_blank = letters[at].bytes == " ";
        if (used > width && !is_blank && at > begin)
            return broken > begin ? broken : at;
        if (letters[at].breaks_after)
            broken = at + 1;
    }
    return letters.size();
}

} // namespace

double text_width(std::string_view text)
{
    const auto letters = letters_of(text);
    return std::accumulate(letters.begin(), letters.end(), 0.0,
                           [](double sum, const Letter& letter) { return sum + letter.width; });
}

std::vector<std::string> lines_of(std::string_view text, double width)
{
    const auto letters = letters_of(text);
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < letters.size();) {
        const std::size_t end = end_of_line(letters, begin, width);
        std::string line;
        for (std::size_t at = begin; at < end; ++at)
            line += letters[at].bytes;
        while (line.size() > 1 && line.ends_with(' '))
            line.pop_back();
        lines.push_back(std::move(line));
        begin = end;
    }
    return lines.empty() ? std::vector<std::string>(1) : lines;
}

RowLabels::RowLabels(const std::vector<std::string>& names, double top, double row_height)
    : edges_{top}
{
    for (const std::string& name : names) {
        lines_.push_back(lines_of(name, widest));
        edges_.push_back(
            edges_.back() +
            std::max(row_height, line_height * static_cast<double>(lines_.back().size()) + 5));
    }
}

double RowLabels::width_of(const std::vector<std::string>& names, double least)
{
    double width = least;
    for (const std::string& name : names)
        for (const std::string& line : lines_of(name, widest))
            width = std::max(width, text_width(line));
    return width;
}

double RowLabels::middle(std::size_t row) const
{
    return (edges_[row] + edges_[row + 1]) / 2;
}

void RowLabels::draw(std::string& out,
                     std::size_t row,
                     double right,
                     std::string_view classes) const
{
    const auto& lines = lines_[row];
    double y = middle(row) + 4 - line_height * (static_cast<double>(lines.size()) - 1) / 2;
    for (const std::string& line : lines) {
        text(out, right, y, classes.empty() ? "e" : fmt::format("e {}", classes), line);
        y += line_height;
    }
}

std::string row_name(std::string_view name)
{
    std::string result = "<bdi class=\"name\">";
    for (const Letter& letter : letters_of(name)) {
        result += escape(letter.bytes);
        if (letter.breaks_after && letter.bytes.size() == 1 && letter.bytes != " ")
            result += "<wbr>";
    }
    return result + "</bdi>";
}

} // namespace senteval::report::markup
