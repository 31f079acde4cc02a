// pairs.hpp -- two texts as one sequence of tokens: the `pair` of a tokenizer's post-processor.
#pragma once

#include "model_files/added_tokens.hpp"
#include "model_files/files.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::model_files {

/// Tokens, and of each the type that tells a model's texts apart.
struct TypedIds {
    std::vector<Id> ids;
    std::vector<std::uint8_t> types;
};

/// How many tokens of two texts are kept where there is room for so many, as the tokenizers library cuts "longest
/// first": of equal ones the second counts as longer.
std::array<std::size_t, 2> longest_first(std::array<std::size_t, 2> lengths, std::size_t room);

/// The special tokens around two texts, and the types of all.
class PairTemplate {
public:
    /// Of a post-processor's step. Throws std::invalid_argument, Json::exception.
    explicit PairTemplate(const Json& step);

    [[nodiscard]] std::size_t special() const noexcept { return parts_.size() - 2; }
    [[nodiscard]] Id largest_id() const noexcept;
    [[nodiscard]] TypedIds join(std::span<const Id> first, std::span<const Id> second) const;

private:
    struct Part {
        std::size_t text; ///< 0 and 1: the texts
        Id id;            ///< of a special token otherwise
        std::uint8_t type;
    };
    static constexpr std::size_t none = 2;

    void add_special(const Json& id, std::uint8_t type);

    std::vector<Part> parts_;
};

} // namespace senteval::model_files
