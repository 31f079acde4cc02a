// trained_words.hpp -- the word vectors of a model, as they are and as they were before training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::annex {

/// The words of a model's file in its order, without the unknown one.
struct TrainedWords {
    std::vector<std::string> words;
    std::vector<std::uint32_t>
        counts; ///< in the training pairs; empty where the file does not tell
    std::size_t dimension = 0;
    std::vector<float> after;  ///< words x dimension
    std::vector<float> before; ///< likewise; empty where it is not known

    [[nodiscard]] std::span<const float> row(const std::vector<float>& matrix,
                                             std::size_t word) const
    {
        return {matrix.data() + word * dimension, dimension};
    }

    /// The place of a word, nothing where it is not there.
    [[nodiscard]] std::optional<std::size_t> find(std::string_view word) const;

    /// The `most` words with the highest counts, and of those of equal count the first ones; without counts the
    /// first words of the file. Words that never occurred are left out.
    [[nodiscard]] std::vector<std::size_t> common(std::size_t most) const;
};

/// Reads the words of a model, or plain word vectors, which have no counts. Throws base::Error.
TrainedWords read_trained_words(const std::filesystem::path& file);

struct Neighbour {
    std::size_t word = 0;
    double cosine = 0;
};

/// The `count` words among `candidates` that are nearest to `word` by cosine in `matrix` (after or
/// before), the nearest first; without the word itself.
std::vector<Neighbour> neighbours_of(const TrainedWords& words,
                                     const std::vector<float>& matrix,
                                     std::size_t word,
                                     std::span<const std::size_t> candidates,
                                     std::size_t count);

} // namespace senteval::annex
