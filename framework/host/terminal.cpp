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

/// What a person asks for; 0: nothing.
std::size_t wanted_columns(Stream stream)
{
    const char* columns = std::getenv("COLUMNS");
    if (stream == Stream::err || columns == nullptr)
        return 0;
    constexpr unsigned long fewest = 20;
    const unsigned long wanted = std::strtoul(columns, nullptr, 10);
    return wanted >= fewest ? wanted : 0;
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
    if (const std::size_t wanted = wanted_columns(stream); wanted > 0)
        return wanted;
    winsize size{};
    if (is_terminal(stream) && ioctl(descriptor(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 100;
}

report::TerminalStyle table_style()
{
    return {has_style(Stream::out), width(Stream::out),
            is_terminal(Stream::out) || wanted_columns(Stream::out) > 0};
}

std::string
wrapped_for_reading(std::string_view text, std::size_t indent, report::LongWords long_words)
{
    const report::TerminalStyle style = table_style();
    return style.folds ? report::wrapped(text, style.width, indent, long_words) : std::string(text);
}

std::string list_line(const std::string& left, std::string_view text)
{
    constexpr std::size_t readable = 28;
    constexpr std::size_t below = 4;
    const std::size_t used = report::display_width(left);
    const report::TerminalStyle style = table_style();
    if (!style.folds || used + std::min(readable, text.size()) <= style.width)
        return left + wrapped_for_reading(text, used) + '\n';
    return left.substr(0, left.find_last_not_of(' ') + 1) + '\n' + std::string(below, ' ') +
           wrapped_for_reading(text, below) + '\n';
}

} // namespace senteval::host
