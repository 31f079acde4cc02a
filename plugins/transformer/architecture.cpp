#include "transformer/architecture.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace senteval::transformer {
namespace {

using model_files::Json;
using model_files::refuse;

constexpr SizeKeys bert_keys = {"hidden_size", "num_hidden_layers", "num_attention_heads",
                                "intermediate_size", "hidden_act"};

constexpr std::array families = {
    Family{.type = "bert",
           .keys = bert_keys,
           .names = {"encoder.layer.", "attention.self.query", "attention.self.key",
                     "attention.self.value", "attention.output.dense", "attention.output.LayerNorm",
                     "intermediate.dense", "output.dense", "output.LayerNorm"},
           .has_segments = true,
           .positions_after_pad = false,
           .attention_bias = nullptr,
           .epsilon = 1e-12},
    Family{.type = "distilbert",
           .keys = {"dim", "n_layers", "n_heads", "hidden_dim", "activation"},
           .names = {"transformer.layer.", "attention.q_lin", "attention.k_lin", "attention.v_lin",
                     "attention.out_lin", "sa_layer_norm", "ffn.lin1", "ffn.lin2",
                     "output_layer_norm"},
           .has_segments = false,
           .positions_after_pad = false,
           .attention_bias = nullptr,
           .epsilon = 1e-12},
    Family{.type = "mpnet",
           .keys = bert_keys,
           .names = {"encoder.layer.", "attention.attn.q", "attention.attn.k", "attention.attn.v",
                     "attention.attn.o", "attention.LayerNorm", "intermediate.dense",
                     "output.dense", "output.LayerNorm"},
           .has_segments = false,
           .positions_after_pad = true,
           .attention_bias = "encoder.relative_attention_bias",
           .epsilon = 1e-5},
};

const Family& family_of(const std::filesystem::path& file, const std::string& type)
{
    const auto found = std::ranges::find(families, type, &Family::type);
    if (found == families.end()) {
        std::string known;
        for (const Family& family : families)
            known += (known.empty() ? "" : ", ") + std::string(family.type);
        refuse(file,
               "is of a model of type '{}'; {} are computed here. The encoders 'python', 'process' "
               "and 'http' evaluate any other",
               type, known);
    }
    return *found;
}

/// What would change the vectors, and is not computed here.
void refuse_variants(const std::filesystem::path& folder, const Json& config)
{
    const std::filesystem::path file = folder / "config.json";
    if (const auto kind = model_files::member<std::string>(config, "position_embedding_type");
        kind && *kind != "absolute")
        refuse(file, "has positions of the kind '{}'; absolute ones are supported", *kind);
    if (model_files::member<bool>(config, "is_decoder").value_or(false))
        refuse(file, "is of a decoder, which is not supported");
    if (config.contains("auto_map"))
        refuse(file, "wants code of its own (auto_map), which is not run");
    if (std::filesystem::exists(folder / "adapter_config.json"))
        refuse(folder / "adapter_config.json",
               "is of an adapter; merge it into its model and save that");
}

std::size_t size_of(const std::filesystem::path& file, const Json& config, const char* key)
{
    constexpr std::size_t most = 1'000'000;
    const Json& value = config.at(key);
    if (!value.is_number_unsigned() || value.get<std::size_t>() == 0 ||
        value.get<std::size_t>() > most)
        refuse(file, "has the impossible {} {}", key, value.dump());
    return value.get<std::size_t>();
}

} // namespace

std::optional<Activation> activation_by_name(std::string_view name)
{
    using enum Activation;
    constexpr std::array names = {std::pair{std::string_view("gelu"), gelu},
                                  std::pair{std::string_view("gelu_new"), gelu_tanh},
                                  std::pair{std::string_view("gelu_pytorch_tanh"), gelu_tanh},
                                  std::pair{std::string_view("gelu_fast"), gelu_tanh},
                                  std::pair{std::string_view("relu"), relu},
                                  std::pair{std::string_view("silu"), silu},
                                  std::pair{std::string_view("swish"), silu},
                                  std::pair{std::string_view("tanh"), tanh},
                                  std::pair{std::string_view("sigmoid"), sigmoid},
                                  std::pair{std::string_view("identity"), none}};
    std::string last(name.substr(name.rfind('.') + 1));
    std::ranges::transform(last, last.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    const auto found =
        std::ranges::find(names, last, [](const auto& entry) { return entry.first; });
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

Architecture architecture_of(const std::filesystem::path& folder)
{
    const std::filesystem::path file = folder / "config.json";
    const Json config = model_files::read_json(file);
    return model_files::reading(file, [&] {
        const Family& family = family_of(file, config.at("model_type"));
        refuse_variants(folder, config);
        Architecture found;
        found.family = &family;
        found.width = size_of(file, config, family.keys.width);
        found.layers = size_of(file, config, family.keys.layers);
        found.heads = size_of(file, config, family.keys.heads);
        found.inner = size_of(file, config, family.keys.inner);
        found.positions = size_of(file, config, "max_position_embeddings");
        found.pad =
            config.contains("pad_token_id") ? model_files::id_from(config["pad_token_id"]) : 0;
        found.epsilon = static_cast<float>(
            model_files::member<double>(config, "layer_norm_eps").value_or(family.epsilon));
        const auto name = model_files::member<std::string>(config, family.keys.activation);
        const auto activation = activation_by_name(name.value_or("gelu"));
        if (!activation)
            refuse(file, "has the activation '{}', which is not supported", *name);
        found.activation = *activation;
        if (found.width % found.heads != 0)
            refuse(file, "has {} heads, which do not divide its width {}", found.heads,
                   found.width);
        if (found.positions <= found.first_position())
            refuse(file, "has {} positions, and the first would be {}", found.positions,
                   found.first_position());
        return found;
    });
}

} // namespace senteval::transformer
