// packing.hpp -- a batch of sentences of different lengths, step by step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::paragram {

/// Where the tokens of a batch of sentences stand among the rows of its inputs: all first tokens, then all
/// second ones, and so on, longer sentences before shorter ones. What is read at a step is then one block,
/// and its sentences are the first ones of the step before.
struct Packing {
    std::vector<std::uint32_t> rank;   ///< of each sentence, within every step
    std::vector<std::uint32_t> length; ///< tokens of each sentence, at least 1
    std::vector<std::uint32_t> offset; ///< of each step, its first row; and the number of rows

    /// Replaces it by that of sentences of these lengths, each at least 1.
    void assign(std::span<const std::uint32_t> lengths);

    [[nodiscard]] std::size_t sentences() const noexcept { return length.size(); }
    [[nodiscard]] std::size_t steps() const noexcept
    {
        return offset.empty() ? 0 : offset.size() - 1;
    }
    [[nodiscard]] std::size_t rows() const noexcept { return offset.empty() ? 0 : offset.back(); }
    /// Sentences that have a token at `step`.
    [[nodiscard]] std::size_t active(std::size_t step) const noexcept
    {
        return offset[step + 1] - offset[step];
    }
    [[nodiscard]] std::size_t row(std::size_t sentence, std::size_t step) const noexcept
    {
        return offset[step] + rank[sentence];
    }
    [[nodiscard]] std::size_t last_row(std::size_t sentence) const noexcept
    {
        return row(sentence, length[sentence] - 1);
    }
};

} // namespace senteval::paragram
