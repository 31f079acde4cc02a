#include "http/secret.hpp"

#include <senteval/encoder.hpp>

#include <algorithm>
#include <cstdlib>

namespace senteval::http {

namespace {

/// What nearly every variable is called, and hardly any key.
bool is_plain_name(const std::string& name)
{
    return std::ranges::all_of(
        name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; });
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view space = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(space);
    return begin == std::string_view::npos
               ? std::string_view()
               : text.substr(begin, text.find_last_not_of(space) + 1 - begin);
}

} // namespace

Secret::Secret(const std::string& variable)
{
    const std::string name = is_plain_name(variable) ? variable : "that parameter 'key_env' names";
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr)
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT, "the environment variable " + name +
                                                        " is not set; it has to hold the API key");
    value_ = trimmed(value);
    const bool is_sendable =
        std::ranges::all_of(value_, [](char c) { return c > ' ' && c < '\x7f'; });
    if (value_.empty() || !is_sendable)
        throw sdk::Error(
            SENTEVAL_INVALID_ARGUMENT,
            "the environment variable " + name +
                " holds no API key: one or more printable ASCII characters, without spaces");
}

std::string Secret::without(std::string_view text) const
{
    // A server may give the key back in part, or escaped: what is between the escapes is found then.
    constexpr std::size_t shortest = 8;
    const std::size_t least = std::min(value_.size(), shortest);
    const std::string_view value = value_;
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t from = least == 0 ? value.npos : value.find(text.substr(at, least));
        if (from == value.npos || text.size() - at < least) {
            result += text[at++];
            continue;
        }
        std::size_t size = least;
        while (size < value.size() && at + size < text.size() &&
               value.find(text.substr(at, size + 1)) != value.npos)
            ++size;
        result += "[key]";
        at += size;
    }
    return result;
}

} // namespace senteval::http
