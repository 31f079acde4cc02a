// charsmap.hpp -- SentencePiece's precompiled map of characters, as the tokenizers library applies it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::model_files {

/// Throws std::length_error where there is another character.
std::string from_base64(std::string_view text);

/// The texts of a double-array trie (https://github.com/s-yata/darts-clone) with a replacement for each. Immutable.
class CharacterMap {
public:
    /// Throws std::length_error where the sizes in `bytes` do not agree.
    explicit CharacterMap(std::string_view bytes);

    /// The shortest text of the map that a grapheme cluster of less than six bytes begins with stands for all of it; in
    /// others, each character is looked up by itself.
    [[nodiscard]] std::string operator()(std::string_view text) const;

private:
    /// The replacement of the shortest text that `key` begins with.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view key) const;

    std::vector<std::uint32_t> units_;
    std::string replacements_; ///< each ends with NUL
};

} // namespace senteval::model_files
