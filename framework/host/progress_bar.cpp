#include "host/progress_bar.hpp"

#include "host/output.hpp"
#include "host/terminal.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::host {
namespace {

/// At most `bytes` of a text, with no character cut.
void shorten(std::string& text, std::size_t bytes)
{
    if (text.size() <= bytes)
        return;
    while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U)
        --bytes;
    text.resize(bytes);
}

} // namespace

std::string duration(double seconds)
{
    const auto whole = std::lround(seconds);
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

ProgressBar::ProgressBar(bool wanted) : is_shown_(wanted && has_style(Stream::err)) {}

ProgressBar::~ProgressBar()
{
    if (is_drawn_)
        erase();
}

double ProgressBar::elapsed() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

bool ProgressBar::is_due() const
{
    return is_shown_ && !is_put_away_ && (last_drawn_ < 0 || elapsed() - last_drawn_ >= 0.1);
}

void ProgressBar::draw(double share, std::string text, double seconds_left)
{
    constexpr std::size_t columns = 20;
    constexpr double young = 2;
    if (!is_shown_ || is_put_away_)
        return;
    if (seconds_left > 0 && elapsed() > young)
        text += fmt::format(", {} left", duration(seconds_left));
    const auto filled = std::min(static_cast<std::size_t>(share * columns), columns);
    std::string line = fmt::format("[{:#<{}}{:.<{}}] {}", "", filled, "", columns - filled, text);
    shorten(line, width(Stream::err) - 1);
    last_drawn_ = elapsed();
    write_log("\r\x1b[K" + printable(line));
    is_drawn_ = true;
}

void ProgressBar::line(std::string_view text)
{
    erase();
    note("{}\n", text);
}

void ProgressBar::erase()
{
    if (!is_shown_)
        return;
    write_log("\r\x1b[K");
    is_drawn_ = false;
}

void ProgressBar::put_away()
{
    if (is_drawn_)
        erase();
    is_put_away_ = true;
}

} // namespace senteval::host
