#include "model_files/charsmap.hpp"

#include "model_files/normaliser.hpp"
#include "model_files/unicode.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <stdexcept>

namespace senteval::model_files {
namespace {

static_assert(std::endian::native == std::endian::little, "the map is little-endian");

/// The unit that follows on this one, before the next byte is added to its number.
std::uint32_t offset(std::uint32_t unit)
{
    return (unit >> 10U) << ((unit & 0x200U) >> 6U);
}

} // namespace

std::string from_base64(std::string_view text)
{
    static const auto values = [] {
        constexpr std::string_view digits =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        std::array<std::uint8_t, 256> all{};
        all.fill(64);
        for (std::size_t i = 0; i < digits.size(); ++i)
            all[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
        return all;
    }();
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char c : text.substr(0, text.find_last_not_of('=') + 1)) {
        const std::uint8_t value = values[static_cast<unsigned char>(c)];
        if (value == 64)
            throw std::length_error("its precompiled_charsmap is not base64");
        bits = bits << 6U | value;
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 0xFFU);
        }
    }
    return bytes;
}

CharacterMap::CharacterMap(std::string_view bytes)
{
    std::uint32_t size = 0;
    if (bytes.size() >= sizeof size)
        std::memcpy(&size, bytes.data(), sizeof size);
    if (size == 0 || size % sizeof(std::uint32_t) != 0 || size > bytes.size() - sizeof size)
        throw std::length_error("its precompiled_charsmap is cut off");
    units_.resize(size / sizeof(std::uint32_t));
    std::memcpy(units_.data(), bytes.data() + sizeof size, size);
    replacements_ = bytes.substr(sizeof size + size);
}

std::optional<std::string_view> CharacterMap::find(std::string_view key) const
{
    std::size_t at = offset(units_.front());
    for (const char c : key) {
        const auto byte = static_cast<unsigned char>(c);
        at ^= byte;
        if (byte == 0 || at >= units_.size() || (units_[at] & 0x800000FFU) != byte)
            return std::nullopt;
        const std::uint32_t unit = units_[at];
        at ^= offset(unit);
        if ((unit >> 8U & 1U) == 0)
            continue;
        const std::size_t begin = at < units_.size() ? units_[at] & 0x7FFFFFFFU : std::string::npos;
        if (begin >= replacements_.size())
            return std::nullopt;
        const std::string_view rest = std::string_view(replacements_).substr(begin, most_growth);
        return rest.substr(0, rest.find('\0'));
    }
    return std::nullopt;
}

std::string CharacterMap::operator()(std::string_view text) const
{
    constexpr std::size_t short_cluster = 6;
    std::string result;
    const auto try_to_map = [&](std::string_view part) {
        const auto replacement = find(part);
        if (replacement)
            result += *replacement;
        return replacement.has_value();
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = cluster_end(text, at);
        if (end - at < short_cluster && try_to_map(text.substr(at, end - at)))
            at = end;
        while (at < end) {
            const std::size_t begin = at;
            next_character(text, at);
            const std::string_view character = text.substr(begin, at - begin);
            if (!try_to_map(character))
                result += character;
        }
    }
    return result;
}

} // namespace senteval::model_files
