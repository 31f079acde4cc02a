#include "core/printed_text.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace senteval::core {

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
    if (shown_ < most) {
        const std::string text = sdk::printable(line_);
        show_(cut_ == 0 ? text : fmt::format("{}... ({} bytes more)", text, cut_));
        shown_ += line_.size() + 1;
        if (shown_ >= most)
            show_("(it prints more than is shown here)");
    }
    line_.clear();
    cut_ = 0;
}

void PrintedText::end()
{
    if (!line_.empty() || cut_ > 0)
        end_line();
}

} // namespace senteval::core
