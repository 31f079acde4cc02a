// score_head.hpp -- what follows the transformer of a cross-encoder: one logit of the tokens of a pair.
#pragma once

#include "model_files/files.hpp"
#include "model_files/safetensors.hpp"
#include "transformer/head.hpp"
#include "transformer/linear.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::transformer {

/// Tokens of a causal model whose logits are compared.
struct Answers {
    model_files::Id yes = 0;
    std::optional<model_files::Id> no; ///< none: that of `yes` alone counts
};

/// How the model of config.json scores, by the class that its `architectures` name.
struct ScoreKind {
    std::string_view name;
    Pooling pooling;
    const char* dense = nullptr; ///< with tanh; none: the pooled vector itself
    const char* norm = nullptr;  ///< behind it
    const char* out = nullptr;   ///< none: of a causal model

    [[nodiscard]] bool is_causal() const noexcept { return out == nullptr; }
    /// A chat model, which judges a text that holds both.
    [[nodiscard]] bool is_instructed() const noexcept { return pooling == Pooling::lasttoken; }
};

/// Throws sdk::Error naming what is not computed here.
const ScoreKind& score_kind_of(const std::filesystem::path& folder);

/// Immutable.
class ScoreHead {
public:
    /// Reads config.json and the weights of `folder`; `answers`: of a causal model. Throws sdk::Error.
    ScoreHead(const std::filesystem::path& folder,
              const ScoreKind& kind,
              std::size_t width,
              const Answers& answers);

    /// The logits of texts whose tokens have these vectors, one text after the other.
    [[nodiscard]] std::vector<float> scores(std::span<const float> tokens,
                                            std::span<const std::size_t> lengths) const;

private:
    void read_out(const ScoreKind& kind, const model_files::Json& config, const Answers& answers);
    void read_dense(const ScoreKind& kind, const model_files::Json& config);
    [[nodiscard]] std::string full(const std::string& name) const;
    [[nodiscard]] std::vector<float> floats(const std::string& name,
                                            const std::vector<std::size_t>& shape) const;

    model_files::Tensors tensors_;
    std::size_t width_;
    Pooling pooling_;
    std::optional<Linear> dense_;
    Activation activation_ = Activation::tanh;
    std::vector<float> norm_weight_; ///< empty: no norm
    std::vector<float> norm_bias_;
    float epsilon_ = 0.0F;
    std::vector<float> out_;
    float offset_ = 0.0F;
};

} // namespace senteval::transformer
