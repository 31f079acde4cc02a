// added_tokens.hpp -- texts that a tokenizer takes as one token anywhere, such as [SEP].
#pragma once

#include "model_files/files.hpp"
#include "model_files/trie.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::model_files {

using Id = std::int32_t;

struct AddedToken {
    std::string content;
    Id id = 0;
    bool single_word = false; ///< only where no letter, digit or underscore touches it
    bool takes_left = false;  ///< white space before it belongs to it
    bool takes_right = false;
    bool normalised = false; ///< looked for behind the normaliser, not before it
};

/// Throws std::invalid_argument where a file says something else than a number from 0 on.
Id id_from(const Json& json);

/// The id of a piece in a model's `vocab`; null where it has none.
Json id_in(const Json& vocabulary, std::string_view piece);

/// Reads `added_tokens` of a tokenizer.json. Throws Json::exception, and std::length_error where an id is not the one
/// that the tokenizers library gives: the vocabulary's, else the next one behind it.
std::vector<AddedToken> added_tokens_of(const Json& document);

/// Immutable.
class AddedTokens {
public:
    /// Leaves out tokens without content.
    explicit AddedTokens(std::vector<AddedToken> tokens);

    /// Calls text(std::string_view) and token(Id) in order: the leftmost tokens, the longest at one place, and the
    /// pieces between them, none empty.
    template <typename Text, typename Token>
    void cut(std::string_view all, Text&& text, Token&& token) const
    {
        std::size_t begin = 0;
        for (Match match = next(all, 0, 0); match.token != nullptr;
             match = next(all, match.end, match.end)) {
            if (match.begin > begin)
                text(all.substr(begin, match.begin - begin));
            token(match.token->id);
            begin = match.end;
        }
        if (begin < all.size())
            text(all.substr(begin));
    }

private:
    struct Match {
        std::size_t begin = 0;
        std::size_t end = 0;
        const AddedToken* token = nullptr;
    };
    /// The first from `at` on, with the white space that belongs to it, but none before `least`.
    [[nodiscard]] Match next(std::string_view all, std::size_t at, std::size_t least) const;

    std::vector<AddedToken> tokens_;
    Trie trie_;
    std::array<bool, 256> begins_{}; ///< some token, by its first byte
};

} // namespace senteval::model_files
