#include "remote/text.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace senteval::remote {

namespace {

constexpr int most_levels = 64;

/// Length of the UTF-8 character at the beginning of `text`, 0 where there is none.
std::size_t character_length(std::string_view text)
{
    const auto byte = [&](std::size_t at) {
        return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
    };
    const auto follows = [&](std::size_t at) { return (byte(at) & 0xC0U) == 0x80U; };
    const unsigned lead = byte(0);
    if (lead < 0x80U)
        return 1;
    if (lead >= 0xC2U && lead < 0xE0U)
        return follows(1) ? 2 : 0;
    if (lead >= 0xE0U && lead < 0xF0U) {
        const bool overlong = lead == 0xE0U && byte(1) < 0xA0U;
        const bool surrogate = lead == 0xEDU && byte(1) > 0x9FU;
        return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
    }
    if (lead >= 0xF0U && lead < 0xF5U) {
        const bool overlong = lead == 0xF0U && byte(1) < 0x90U;
        const bool beyond = lead == 0xF4U && byte(1) > 0x8FU;
        return follows(1) && follows(2) && follows(3) && !overlong && !beyond ? 4 : 0;
    }
    return 0;
}

/// Controls of both sets, which a terminal may obey.
bool is_control(std::string_view character)
{
    const auto first = static_cast<unsigned char>(character[0]);
    return first < 0x20U || first == 0x7FU ||
           (character.size() == 2 && first == 0xC2U &&
            static_cast<unsigned char>(character[1]) < 0xA0U);
}

std::string escaped_bytes(std::string_view bytes)
{
    std::string text;
    for (const char byte : bytes)
        text += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    return text;
}

std::string escaped(std::string_view character, bool quotes)
{
    if (character == "\n")
        return "\\n";
    if (character == "\t")
        return "\\t";
    if (character == "\r")
        return "\\r";
    if (quotes && (character == "\"" || character == "\\"))
        return "\\" + std::string(character);
    return is_control(character) ? escaped_bytes(character) : std::string(character);
}

std::string safe(std::string_view text, std::size_t most, bool quotes)
{
    std::string result;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t length = character_length(text.substr(at));
        if (at + (length == 0 ? 1 : length) > most)
            break;
        result += length == 0 ? escaped_bytes(text.substr(at, 1))
                              : escaped(text.substr(at, length), quotes);
        at += length == 0 ? 1 : length;
    }
    if (quotes)
        result = '"' + result + '"';
    if (at < text.size())
        result += fmt::format("... ({} bytes more)", text.size() - at);
    return result;
}

} // namespace

nlohmann::json read_json(std::string_view text)
{
    const auto guard = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
        if (depth > most_levels)
            throw std::runtime_error(fmt::format("goes more than {} levels deep", most_levels));
        return true;
    };
    try {
        return nlohmann::json::parse(text, guard);
    } catch (const nlohmann::json::parse_error& e) {
        throw std::runtime_error(fmt::format("is not JSON (at byte {})", e.byte));
    } catch (const nlohmann::json::exception&) {
        throw std::runtime_error("has a number that no double can hold");
    }
}

std::string shown(std::string_view text, std::size_t most)
{
    return safe(text, most, true);
}

std::string printable(std::string_view text, std::size_t most)
{
    return safe(text, most, false);
}

} // namespace senteval::remote
