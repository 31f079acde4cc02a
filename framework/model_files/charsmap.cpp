#include "model_files/charsmap.hpp"

#include "base/base64.hpp"
#include "base/unicode.hpp"
#include "model_files/unicode.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::model_files {
namespace {

static_assert(std::endian::native == std::endian::little, "the map is little-endian");

/// The unit that follows on this one, before the next byte is added to its number.
std::uint32_t offset(std::uint32_t unit)
{
    return (unit >> 10U) << ((unit & 0x200U) >> 6U);
}

/// The texts of a double-array trie (https://github.com/s-yata/darts-clone) with a replacement for each. Immutable.
class CharacterMap {
public:
    explicit CharacterMap(const std::string& bytes);

    /// The shortest text of the map that a grapheme cluster of less than six bytes begins with stands for all of it; in
    /// others, each character is looked up by itself.
    [[nodiscard]] std::string operator()(std::string_view text) const;

private:
    /// The replacement of the shortest text that `key` begins with.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view key) const;

    std::vector<std::uint32_t> units_;
    std::string replacements_; ///< each ends with NUL
};

CharacterMap::CharacterMap(const std::string& bytes)
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
            base::next_or_replacement(text, at);
            const std::string_view character = text.substr(begin, at - begin);
            if (!try_to_map(character))
                result += character;
        }
    }
    return result;
}

} // namespace

Normaliser character_map_of(const Json& map)
{
    if (map.is_null())
        throw std::invalid_argument("the normalizer Precompiled without its precompiled_charsmap");
    if (map.is_binary()) // of a .model file
        return CharacterMap({map.get_binary().begin(), map.get_binary().end()});
    const auto bytes = base::from_base64(map.get<std::string>());
    if (!bytes)
        throw std::length_error("its precompiled_charsmap is not base64");
    return CharacterMap(*bytes);
}

} // namespace senteval::model_files
