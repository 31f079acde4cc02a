#include "host/terminal.hpp"

#include "host/output.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace senteval::host {
namespace {

int descriptor(Stream stream)
{
    return stream == Stream::out ? output_descriptor() : STDERR_FILENO;
}

/// Characters, which are columns in the texts of this program.
std::size_t length(std::string_view text)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

} // namespace

bool is_terminal(Stream stream)
{
    return isatty(descriptor(stream)) != 0;
}

bool has_style(Stream stream)
{
    const char* no_color = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    const bool refused = no_color != nullptr && *no_color != '\0';
    return is_terminal(stream) && !refused &&
           (terminal == nullptr || std::string_view(terminal) != "dumb");
}

std::size_t width(Stream stream)
{
    winsize size{};
    if (is_terminal(stream) && ioctl(descriptor(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 100;
}

std::string wrapped(std::string_view text, std::size_t columns, std::size_t indent)
{
    std::string result;
    std::size_t column = indent;
    const auto break_line = [&] {
        result += "\n" + std::string(indent, ' ');
        column = indent;
    };
    while (!text.empty()) {
        if (text.front() == '\n') {
            break_line();
            text.remove_prefix(1);
            continue;
        }
        const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
        const std::size_t end = std::min(text.find_first_of(" \n", blanks), text.size());
        const std::string_view word = text.substr(blanks, end - blanks);
        const std::size_t gap = column == indent && indent > 0 ? 0 : blanks;
        if (column > indent && column + gap + length(word) > columns)
            break_line();
        else
            result.append(gap, ' ');
        result += word;
        column += gap + length(word);
        text.remove_prefix(end);
    }
    return result;
}

std::string wrapped_for_reading(std::string_view text, std::size_t indent)
{
    return is_terminal(Stream::out) ? wrapped(text, width(Stream::out), indent) : std::string(text);
}

} // namespace senteval::host
