// sif.hpp -- smooth inverse frequency: weighted averages less their common component (Arora, Liang
// and Ma, "A simple but tough-to-beat baseline for sentence embeddings", ICLR 2017, algorithm 1).
#pragma once

#include "base/string_map.hpp"
#include "glove/pooling.hpp"
#include "word_vectors/table.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::glove {

/// How often words occur in a large text.
class WordCounts {
public:
    /// Reads a file with a word and its count on each line. Throws sdk::Error naming file and line.
    explicit WordCounts(const std::filesystem::path& file);

    /// Share of all counts in the file that `word` has; nothing where it is not in it.
    [[nodiscard]] std::optional<double> probability(std::string_view word) const;

private:
    base::StringMap<double> counts_;
    double total_ = 0.0;
};

/// Weighs words by a / (a + probability). A word that the counts do not have weighs 1, as in the
/// authors' program.
class SifWeights {
public:
    /// `a` above 0, or sdk::Error. A token is sought in the counts by the same case policy as in the
    /// vectors.
    SifWeights(WordCounts counts, double a, word_vectors::CasePolicy policy);

    /// Computes the weights of the table's tokens, once for all sentences.
    void fill(const word_vectors::Table& table);

    /// Sum of weight times vector over the tokens, divided by the number of tokens that count, as in
    /// the authors' program, not by the sum of the weights. Zeros where none counts.
    void average(Unknown unknown,
                 std::span<const word_vectors::Token> tokens,
                 std::span<double> out) const;

private:
    [[nodiscard]] double weight_of(std::string_view token) const;

    WordCounts counts_;
    double a_;
    word_vectors::CasePolicy policy_;
    std::vector<double> weights_; ///< by row of the table
};

/// The direction that a set of vectors has in common: the first right singular vector of the matrix
/// whose rows they are, not centred.
class CommonComponent {
public:
    /// Writes the vectors number `begin` and up of the set, one behind the other, to the second
    /// argument and fills it. Called from several threads.
    using Vectors = std::function<void(std::size_t begin, std::span<double>)>;

    /// The component of `count` vectors of `dimension` values, on the threads of the call; the result does not depend
    /// on their number. All zeros where all vectors are.
    void
    fit(const sdk::Call& call, std::size_t count, std::size_t dimension, const Vectors& vectors);

    /// Subtracts from `vector` its projection on the component.
    void remove_from(std::span<double> vector) const;

private:
    std::vector<double> component_; ///< of length 1, or zeros, or empty
};

} // namespace senteval::glove
