// architecture.hpp -- the families of models: what each calls its sizes and tensors, and how it computes.
#pragma once

#include "model_files/added_tokens.hpp"
#include "model_files/files.hpp"
#include "model_files/safetensors.hpp"
#include "transformer/kernels.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::transformer {

/// Keys of config.json for the sizes.
struct ConfigKeys {
    const char* width = "hidden_size";
    const char* layers = "num_hidden_layers";
    const char* heads = "num_attention_heads";
    const char* inner = "intermediate_size";
    const char* activation = "hidden_act";
    const char* positions = "max_position_embeddings";
    const char* epsilon = "layer_norm_eps"; ///< of norms
};

/// The norms of a part of a layer, which is added to its input: x = sum(x + result(part(before(x)))).
struct NormNames {
    const char* before = nullptr;
    const char* result = nullptr;
    const char* sum = nullptr;
};

/// Tensors, by their names without ".weight" and ".bias"; those of a layer behind `layer` and its number.
struct TensorNames {
    const char* words = "embeddings.word_embeddings";
    const char* positions = nullptr; ///< a table, where positions are not rotary
    const char* segments = nullptr;  ///< a table of token types, of which sentences use the first
    const char* embedding_norm = nullptr;
    const char* final_norm = nullptr;
    const char* layer = nullptr;
    std::array<const char*, 3> projections; ///< of queries, keys and values, or one of all three
    const char* query_norm = nullptr;       ///< of each head by itself, and before it is rotated
    const char* key_norm = nullptr;
    const char* mixed; ///< what follows the heads
    NormNames attention;
    std::array<const char*, 2>
        up; ///< of a gated unit both, the activated one first, or one of both
    const char* down;
    NormNames unit;
};

enum class NormKind {
    layer,         ///< (x - mean) / deviation * w + b
    rms,           ///< x / root of the mean square * w
    rms_above_one, ///< the same * (1 + w)
};

/// Biases that a family always has; others are added where the file has them.
enum class Biases { none, of_norms, all };

/// Rotary positions (Su et al. 2021), and layers that attend to a window only: by the keys of config.json.
struct Rotary {
    const char* theta = nullptr;
    const char* window_theta = nullptr; ///< of the layers with a window
    const char* window = nullptr;       ///< in tokens, both sides together
    const char* every =
        nullptr; ///< one of so many layers attends to all, where `layer_types` does not say
    std::size_t usually_every = 1;
    bool whole_first = false; ///< the first of so many layers, not the last
};

/// A family of encoders: token embeddings, with positions; then in each layer attention and a unit of two products,
/// each added to its input and normalised somewhere. A row of the table in families.cpp; one that differs in more gets
/// a member here, and one place in network.cpp that reads it.
struct Family {
    std::array<std::string_view, 3> types; ///< config.json's `model_type`
    ConfigKeys keys = {};
    TensorNames names;
    /// Keys of config.json that other classes read, and its own does not.
    std::array<std::string_view, 3> unread = {"num_key_value_heads", "head_dim"};
    double epsilon = 1e-12; ///< of norms, where the config does not say
    NormKind norm = NormKind::layer;
    Biases biases = Biases::none;
    Rotary rotary = {};
    const char* attention_bias = nullptr; ///< a table by distance and head (Song et al. 2020)
    const char* scale =
        nullptr; ///< the key of d: scores are divided by its root; else the width of a head
    bool positions_after_pad = false;  ///< counted from the id of the padding token + 1
    bool scales_embeddings = false;    ///< by the root of their width
    bool norms_first_attention = true; ///< the first layer has attention.before, too
    bool is_causal = false;            ///< tokens attend to those before them only
    bool is_gated = false;
    bool has_known_code =
        false; ///< configs have auto_map, and what it names does no more than this
    Activation activation = Activation::gelu; ///< where the config does not say
};

std::span<const Family> all_families();

/// How a layer attends.
struct LayerPlan {
    double theta = 0.0;                                          ///< of rotary positions; 0: none
    std::size_t reach = std::numeric_limits<std::size_t>::max(); ///< tokens to either side
};

struct Architecture {
    const Family* family = nullptr;
    std::size_t width = 0;
    std::size_t heads = 0;
    std::size_t key_heads = 0; ///< each for as many of the heads, which stand together
    std::size_t head_width = 0;
    std::size_t inner = 0;
    std::size_t positions = 0;    ///< rows of their table, or the most tokens
    std::size_t most_rotated = 0; ///< beyond so many tokens angles would be scaled
    model_files::Id pad = 1;      ///< read where positions are counted from it
    bool may_have_biases = false; ///< beside those of the family
    float epsilon = 0.0F;
    float scale = 1.0F; ///< of scores
    Activation activation = Activation::gelu;
    std::vector<LayerPlan> layers;

    /// The position of a text's first token.
    [[nodiscard]] std::size_t first_position() const noexcept
    {
        return family->positions_after_pad ? static_cast<std::size_t>(pad) + 1 : 0;
    }
    /// Width of queries, keys and values of a token, side by side.
    [[nodiscard]] std::size_t projected_width() const noexcept
    {
        return (heads + 2 * key_heads) * head_width;
    }
};

/// Throws sdk::Error "FILE: ..., and which encoders evaluate it nevertheless".
template <typename... Args>
[[noreturn]] void
refuse_model(const std::filesystem::path& file, fmt::format_string<Args...> format, Args&&... args)
{
    base::refuse(file,
                 "{}. The encoders 'python', 'process' and 'http' evaluate any model that "
                 "another program computes",
                 fmt::format(format, std::forward<Args>(args)...));
}

enum class Purpose {
    vectors, ///< one for a text
    scores,  ///< of pairs: what follows the last layer is the reader's to know
};

/// Architecture of a folder with config.json. Throws sdk::Error naming what is not supported, and what is.
Architecture architecture_of(const std::filesystem::path& folder, Purpose purpose);

/// The keys of config.json that are read for a family, and those that change no vectors, separated by blanks.
std::string known_keys(const Family& family);

/// The tensor itself. Throws sdk::Error where it holds whole numbers, of which quantised models have others beside.
const model_files::Tensor& not_quantised(const model_files::Tensor& tensor);

/// Activation by the name that config.json or torch has for it, such as "gelu_new" or
/// "torch.nn.modules.activation.Tanh".
std::optional<Activation> activation_by_name(std::string_view name);

} // namespace senteval::transformer
