// network.hpp -- the forward pass of a transformer: token ids to one vector per token.
#pragma once

#include "model_files/safetensors.hpp"
#include "transformer/architecture.hpp"
#include "transformer/linear.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace senteval::transformer {

/// Tokens of several sentences, one after the other.
struct Packed {
    std::vector<model_files::Id> ids;
    std::vector<std::size_t>
        lengths; ///< of each sentence, at least 1 and at most Network::most_tokens()
};

/// Immutable; run() may be called from several threads at a time. A sentence's vectors depend on it alone.
class Network {
public:
    /// Reads config.json and the weights of `folder`. Throws sdk::Error naming file and tensor.
    Network(const std::filesystem::path& folder, Arithmetic arithmetic);

    [[nodiscard]] std::size_t width() const noexcept { return architecture_.width; }
    [[nodiscard]] std::size_t vocabulary() const noexcept
    {
        return words_->shape[0];
    } ///< rows, at least 1
    [[nodiscard]] std::size_t most_tokens() const noexcept
    {
        return architecture_.positions - architecture_.first_position();
    }

    /// The last layer's vectors, tokens x width() (and rows of no meaning behind them). Throws sdk::Cancelled.
    [[nodiscard]] std::vector<float> run(const Packed& packed, const sdk::Call& call) const;

private:
    struct Norm {
        std::vector<float> weight;
        std::vector<float> bias;
    };
    struct Layer {
        Linear projections; ///< queries, keys and values, side by side
        Linear mixed;
        Norm attention_norm;
        Linear up;
        Linear down;
        Norm output_norm;
    };

    [[nodiscard]] const model_files::Tensor& tensor(const std::string& name) const;
    /// Of at least one row as wide as a token's vector.
    [[nodiscard]] const model_files::Tensor& table(const std::string& name) const;
    [[nodiscard]] std::vector<float> floats(const std::string& name,
                                            const std::vector<std::size_t>& shape) const;
    [[nodiscard]] Norm norm(const std::string& name) const;
    [[nodiscard]] Linear
    linear(const std::vector<std::string>& names, std::size_t inputs, std::size_t outputs) const;
    [[nodiscard]] Layer layer(std::size_t number) const;
    void read_embeddings();
    void read_attention_bias();

    void embed(const Packed& packed, float* rows) const;
    void attend(const Packed& packed,
                const float* projected,
                float* mixed,
                std::vector<float>& scratch,
                const sdk::Call& call) const;
    void normalise(const Norm& norm, float* row, const float* added) const;

    Architecture architecture_;
    Arithmetic arithmetic_;
    model_files::Tensors tensors_;
    std::string prefix_; ///< of all names
    const model_files::Tensor* words_ = nullptr;
    std::vector<float> positions_; ///< with the segment's row added
    Norm embedding_norm_;
    std::vector<float>
        attention_bias_; ///< heads x bias_stride_, by distance; empty where there is none
    std::size_t bias_stride_ = 0;
    std::vector<Layer> layers_;
};

} // namespace senteval::transformer
