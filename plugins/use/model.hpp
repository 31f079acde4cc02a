// model.hpp -- Universal Sentence Encoder lite: text to the ids of tokens, and these to the vector of a sentence.
#pragma once

#include "model_files/added_tokens.hpp"
#include "model_files/trie.hpp"
#include "numeric/weights.hpp"

#include <armadillo>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::use {

/// The tokeniser of the model's JavaScript program. Immutable.
class Tokeniser {
public:
    static constexpr model_files::Id unknown = 0;

    /// Reads vocab.json, a list of pieces and scores. Throws sdk::Error naming it.
    explicit Tokeniser(const std::filesystem::path& vocabulary);

    /// Pieces, reserved ones too: ids are below it.
    [[nodiscard]] std::size_t size() const noexcept { return scores_.size(); }

    /// All tokens of a text; none where it is empty.
    [[nodiscard]] std::vector<model_files::Id> encode(std::string_view text) const;

private:
    std::vector<double> scores_;       ///< by id
    std::vector<std::size_t> lengths_; ///< in bytes
    model_files::Trie trie_;
};

/// The files of weights that a folder's model.json names, in their order; none where it is none of a TensorFlow.js model.
std::vector<std::string> weight_files(const std::filesystem::path& folder);

/// Tokens of several sentences, one after the other; a sentence may have none.
struct Packed {
    std::vector<model_files::Id> ids;
    std::vector<std::size_t> lengths; ///< at most Network::most_tokens
};

struct Linear {
    numeric::Weights weights;
    arma::fvec bias;
};
struct Norm {
    arma::fvec scale;
    arma::fvec bias;
};
struct Layer {
    Norm attention_norm;
    Linear projections; ///< queries, keys and values, side by side
    float scale;        ///< of queries
    Linear mixed;
    std::optional<Linear> residual; ///< of the layer's input; none: as it is
    Norm inner_norm;
    Linear up;
    Linear down;
};

/// Two layers of attention, the mean over tokens, a layer with tanh, and length 1. A sentence's vector depends on it alone.
/// Immutable.
class Network {
public:
    static constexpr std::size_t most_tokens = 128; ///< of a sentence; the model reads no more

    /// Throws sdk::Error naming file and tensor.
    explicit Network(const std::filesystem::path& folder);

    [[nodiscard]] std::size_t vocabulary() const noexcept { return embeddings_.n_cols; }
    [[nodiscard]] std::size_t dimension() const noexcept { return last_->weights.rows(); }

    /// One column for each sentence, and columns of no meaning behind them.
    [[nodiscard]] arma::fmat run(const Packed& packed) const;

private:
    arma::fmat embeddings_; ///< a token's is a column, here and below
    arma::fmat timing_;     ///< by the token's place in its sentence
    std::vector<Layer> layers_;
    std::optional<Linear> last_;
};

} // namespace senteval::use
