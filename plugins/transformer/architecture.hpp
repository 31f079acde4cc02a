// architecture.hpp -- the families of models: what each calls its sizes and tensors, and how it differs from BERT.
#pragma once

#include "model_files/added_tokens.hpp"
#include "model_files/files.hpp"
#include "transformer/kernels.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace senteval::transformer {

/// What config.json calls the sizes.
struct SizeKeys {
    const char* width;
    const char* layers;
    const char* heads;
    const char* inner;
    const char* activation;
};

/// Tensors, by their names without ".weight" and ".bias"; those of a layer behind `layer` and its number.
struct TensorNames {
    const char* layer;
    const char* query;
    const char* key;
    const char* value;
    const char* mixed; ///< what follows the heads
    const char* attention_norm;
    const char* up;
    const char* down;
    const char* output_norm;
};

/// A family of encoders with BERT's forward pass (Devlin et al. 2019): token, position and segment embeddings, then in
/// each layer attention and a network of two products, each added to its input and normalised. A row of the table in
/// architecture.cpp; a family that differs in more gets a member here, and one place in network.cpp that reads it.
struct Family {
    std::string_view type; ///< config.json's `model_type`
    SizeKeys keys;
    TensorNames names;
    bool has_segments;        ///< a table of token types, of which sentences use the first
    bool positions_after_pad; ///< positions are counted from the id of the padding token + 1
    const char*
        attention_bias; ///< a table by distance and head (Song et al. 2020), where there is one
    double epsilon;     ///< of norms, where the config does not say
};

struct Architecture {
    const Family* family = nullptr;
    std::size_t width = 0;
    std::size_t layers = 0;
    std::size_t heads = 0;
    std::size_t inner = 0;
    std::size_t positions = 0; ///< rows of their table
    model_files::Id pad = 0;
    float epsilon = 0.0F;
    Activation activation = Activation::gelu;

    /// The position of a text's first token.
    [[nodiscard]] std::size_t first_position() const noexcept
    {
        return family->positions_after_pad ? static_cast<std::size_t>(pad) + 1 : 0;
    }
};

/// Of a folder with config.json. Throws sdk::Error naming what is not supported, and what is.
Architecture architecture_of(const std::filesystem::path& folder);

/// By the name that config.json or torch has for it, such as "gelu_new" or "torch.nn.modules.activation.Tanh".
std::optional<Activation> activation_by_name(std::string_view name);

} // namespace senteval::transformer
