#include "base/printed_text.hpp"

#include "base/counted.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace senteval::base {

void PrintedText::add(std::string_view bytes)
{
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, end);
        const std::size_t kept = std::min(piece.size(), longest_line - line_.size());
        line_ += piece.substr(0, kept);
        cut_ += piece.size() - kept;
        if (end == std::string_view::npos)
            return;
        end_line();
        bytes.remove_prefix(end + 1);
    }
}

void PrintedText::end_line()
{
    if (line_.ends_with('\r') && cut_ == 0)
        line_.pop_back();
    const std::string text = sdk::printable(line_);
    show(cut_ == 0 ? text : fmt::format("{}... ({} bytes more)", text, cut_));
    line_.clear();
    cut_ = 0;
}

void PrintedText::show(const std::string& line)
{
    if (const auto known = again_.find(line); known != again_.end()) {
        ++known->second;
    } else if (shown_ < most) {
        show_(line);
        again_[line] = 0;
        shown_ += line.size() + 1;
        if (shown_ >= most)
            show_("(further output is not shown)");
    }
}

void PrintedText::end()
{
    if (!line_.empty() || cut_ > 0)
        end_line();
}

PrintedText::~PrintedText()
{
    end();
    for (const auto& [line, times] : again_)
        if (times > 0 && !line.empty())
            show_(fmt::format("{} (again {})", line, counted(times, "time")));
}

} // namespace senteval::base
