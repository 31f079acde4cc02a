#include "host/warning_kind.hpp"

#include <algorithm>
#include <cstddef>

namespace senteval::host {
namespace {

bool is_word(std::string_view text, std::size_t at)
{
    const auto within = [&](char first, char last) {
        return text[at] >= first && text[at] <= last;
    };
    return at < text.size() && (within('0', '9') || within('a', 'z') || within('A', 'Z'));
}

/// Bytes of the longest of `names` that stands at `at` as words of its own; 0: none.
std::size_t name_at(std::string_view text, std::size_t at, const std::set<std::string>& names)
{
    if (at > 0 && is_word(text, at - 1))
        return 0;
    std::size_t longest = 0;
    for (const std::string& name : names)
        if (text.substr(at).starts_with(name) && !is_word(text, at + name.size()))
            longest = std::max(longest, name.size());
    return longest;
}

} // namespace

std::string without_numbers(std::string_view text, const std::set<std::string>& names)
{
    std::string kind;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t name = name_at(text, at, names);
        if (name > 0 || text[at] < '0' || text[at] > '9')
            kind += text.substr(at, std::max<std::size_t>(name, 1));
        at += std::max<std::size_t>(name, 1);
    }
    return kind;
}

} // namespace senteval::host
