#include "run/heard_warnings.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace senteval::run {

void HeardWarnings::preparing()
{
    const std::lock_guard lock(mutex_);
    std::erase_if(warnings_, [](const Warning& warning) { return warning.is_of_task; });
    is_preparing_ = true;
}

void HeardWarnings::prepared()
{
    const std::lock_guard lock(mutex_);
    is_preparing_ = false;
}

void HeardWarnings::add(std::string_view line)
{
    constexpr std::size_t most = 10;
    constexpr std::size_t longest = 300;
    const std::lock_guard lock(mutex_);
    std::string text(line.substr(0, longest));
    const auto is_known = [&](const Warning& warning) { return warning.text == text; };
    if (warnings_.size() < most && std::ranges::none_of(warnings_, is_known))
        warnings_.push_back({std::move(text), is_preparing_});
}

std::vector<std::string> HeardWarnings::lines() const
{
    const std::lock_guard lock(mutex_);
    std::vector<std::string> lines;
    lines.reserve(warnings_.size());
    for (const Warning& warning : warnings_)
        lines.push_back(warning.text);
    return lines;
}

} // namespace senteval::run
