#include "host/terminal.hpp"

#include "host/output.hpp"
#include "report/table.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace senteval::host {
namespace {

int descriptor(Stream stream)
{
    return stream == Stream::out ? output_descriptor() : log_descriptor();
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

std::string wrapped_for_reading(std::string_view text, std::size_t indent)
{
    return is_terminal(Stream::out) ? report::wrapped(text, width(Stream::out), indent)
                                    : std::string(text);
}

} // namespace senteval::host
