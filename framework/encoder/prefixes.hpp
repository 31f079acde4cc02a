// prefixes.hpp -- what the host puts in front of texts for an encoder, whatever door it came through.
#pragma once

#include "encoder/parameters.hpp"
#include "text/sentence.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::encoder {

/// The keys of every encoder that has no parameter of that name itself, and the texts that they are for.
inline constexpr std::array<std::pair<std::string_view, text::Role>, 3> prefix_keys{
    {{"prefix", text::Role::none},
     {"query_prefix", text::Role::query},
     {"document_prefix", text::Role::document}}};

/// Another key: a text with "{instruction}", in which the instruction of a task is put in front of its texts.
inline constexpr std::string_view instruction_key = "instruction";

/// A text behind what stands in front of it: as it is given before one that is as it was written, its words as tokens
/// before tokens.
[[nodiscard]] std::string put_before(std::string_view prefix, const text::Sentence& sentence);

/// Whether a setting of that name is the host's.
[[nodiscard]] bool is_prefix_key(const senteval_encoder& encoder, std::string_view key);

/// The prefixes among the parameters of an encoder. An empty one is one, too.
class Prefixes {
public:
    Prefixes(const senteval_encoder& encoder, const std::vector<Parameter>& parameters);

    [[nodiscard]] bool has(text::Role role) const { return of(role).has_value(); }

    /// A text behind the prefix of its role.
    [[nodiscard]] std::string before(const text::Sentence& sentence) const
    {
        return put_before(of(sentence.role).value(), sentence);
    }

private:
    [[nodiscard]] const std::optional<std::string>& of(text::Role role) const
    {
        return texts_.at(static_cast<std::size_t>(role));
    }

    std::array<std::optional<std::string>, prefix_keys.size() + 1> texts_; ///< by role
};

} // namespace senteval::encoder
