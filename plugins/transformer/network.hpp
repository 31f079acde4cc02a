// network.hpp -- the forward pass of a transformer: token ids to one vector per token.
#pragma once

#include "model_files/safetensors.hpp"
#include "transformer/architecture.hpp"
#include "transformer/linear.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace senteval::transformer {

/// Tokens of several sentences, one after the other.
struct Packed {
    std::vector<model_files::Id> ids;
    std::vector<std::size_t>
        lengths; ///< of each sentence, at least 1 and at most Network::most_tokens()
    std::vector<std::uint8_t> types = {}; ///< of the tokens, below Network::types(); empty: all 0
};

/// Immutable; run() may be called from several threads at a time. A sentence's vectors depend on it alone.
class Network {
public:
    /// Reads config.json and the weights of `folder`. Throws sdk::Error naming file and tensor.
    Network(const std::filesystem::path& folder,
            Arithmetic arithmetic,
            Purpose purpose = Purpose::vectors);

    [[nodiscard]] const Family& family() const noexcept { return *architecture_.family; }
    [[nodiscard]] std::size_t width() const noexcept { return architecture_.width; }
    [[nodiscard]] std::size_t vocabulary() const noexcept
    {
        return words_->shape[0];
    } ///< rows, at least 1
    /// Of tokens, which tell a pair's texts apart: 1 or 2.
    [[nodiscard]] std::size_t types() const noexcept { return types_; }
    [[nodiscard]] std::size_t most_tokens() const noexcept
    {
        return architecture_.positions - architecture_.first_position();
    }

    /// The last layer's vectors, tokens x width() (and rows of no meaning behind them). Throws sdk::Cancelled.
    [[nodiscard]] std::vector<float> run(const Packed& packed, const sdk::Call& call) const;

private:
    /// A norm; none where the weight is empty.
    struct Norm {
        std::vector<float> weight;
        std::vector<float> bias;
    };
    struct Norms {
        Norm before;
        Norm result;
        Norm sum;
    };
    struct Layer {
        Linear projections; ///< queries, keys and values, side by side
        Norm query_norm;
        Norm key_norm;
        Linear mixed;
        Norms attention;
        Linear up;
        Linear down;
        Norms unit;
    };
    using Part = std::pair<const char*, std::size_t>; ///< a layer's tensor, and its outputs

    [[nodiscard]] const model_files::Tensor* find(const std::string& name) const;
    [[nodiscard]] const model_files::Tensor& tensor(const std::string& name) const;
    /// A tensor of at least one row as wide as a token's vector.
    [[nodiscard]] const model_files::Tensor& table(const std::string& name) const;
    [[nodiscard]] std::vector<float> floats(const std::string& name,
                                            const std::vector<std::size_t>& shape) const;
    /// Zeros where the file has none, and none is `needed`.
    [[nodiscard]] std::vector<float>
    bias(const std::string& name, std::size_t size, bool needed) const;
    [[nodiscard]] Norm
    norm(const std::string& prefix, const char* name, std::size_t norm_width) const;
    [[nodiscard]] Norms norms(const std::string& prefix, const NormNames& names) const;
    [[nodiscard]] Linear
    linear(const std::string& prefix, const std::vector<Part>& parts, std::size_t inputs) const;
    [[nodiscard]] Layer layer(std::size_t number) const;
    void read_embeddings();
    void read_attention_bias();

    void embed(const Packed& packed, float* rows) const;
    /// Leaves what a token's heads mixed in place of its queries.
    void attend(const Packed& packed,
                const Layer& layer,
                const LayerPlan& plan,
                const float* turns,
                float* projected,
                std::vector<float>& scratch,
                const sdk::Call& call) const;
    void normalise(const Norm& norm, float* row, float* out, const float* added = nullptr) const;
    /// The rows themselves where there is no norm.
    const float*
    normalised(const Norm& norm, float* rows, std::size_t count, std::vector<float>& out) const;
    void add(const Norms& norms, float* rows, std::size_t count, std::vector<float>& added) const;

    Architecture architecture_;
    Arithmetic arithmetic_;
    model_files::Tensors tensors_;
    std::string prefix_; ///< of all names
    const model_files::Tensor* words_ = nullptr;
    float word_scale_ = 1.0F;
    /// Vectors added to words, for each type: rows by position, one for all, or none.
    std::vector<float> positions_;
    std::size_t types_ = 1;
    Norm embedding_norm_;
    Norm final_norm_;
    std::vector<float>
        attention_bias_; ///< heads x bias_stride_, by distance; empty where there is none
    std::size_t bias_stride_ = 0;
    std::vector<Layer> layers_;
};

} // namespace senteval::transformer
