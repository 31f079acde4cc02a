#include "transformer/architecture.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>

namespace senteval::transformer {
namespace {

using model_files::Json;
namespace fs = std::filesystem;

/// A key that changes the vectors, and the only value that is computed here, as JSON. Absent is as said so, but where
/// `needed`.
struct Option {
    std::string_view type; ///< of model; empty: of all
    const char* key;
    const char* value;
    bool needed = false;
};
constexpr std::array options = {
    Option{"", "position_embedding_type", "\"absolute\""},
    Option{"", "is_decoder", "false"},
    Option{"", "use_sliding_window", "false"},
    Option{"", "attn_logit_softcapping", "null"},
    Option{"gemma3_text", "use_bidirectional_attention", "true", true},
    Option{"nomic_bert", "activation_function", "\"swiglu\"", true},
    Option{"nomic_bert", "prenorm", "false"},
    Option{"nomic_bert", "causal", "false"},
    Option{"nomic_bert", "use_rms_norm", "false"},
    Option{"nomic_bert", "rotary_emb_fraction", "1.0"},
    Option{"nomic_bert", "rotary_emb_interleaved", "false"},
    Option{"nomic_bert", "rotary_emb_scale_base", "null"},
};

const Family& family_of(const fs::path& file, std::string_view type)
{
    std::string known;
    for (const Family& family : all_families())
        for (const std::string_view one : family.types) {
            if (one == type && !type.empty())
                return family;
            if (!one.empty())
                known += (known.empty() ? "" : ", ") + std::string(one);
        }
    refuse_model(file, "is of a model of type '{}'; {} are computed here", type, known);
}

/// Refuses settings that would change the vectors and are not computed here.
void refuse_variants(const fs::path& folder,
                     const Json& config,
                     const Family& family,
                     Purpose purpose)
{
    const fs::path file = folder / "config.json";
    const std::string type = config.at("model_type");
    for (const Option& option : options) {
        const Json value = config.value(option.key, Json());
        if ((option.type.empty() || option.type == type) && (option.needed || !value.is_null()) &&
            value != Json::parse(option.value))
            refuse_model(file, "has {} {}; {} alone is computed here", option.key, value.dump(),
                         option.value);
    }
    if (model_files::member<bool>(config, "is_causal").value_or(family.is_causal) !=
        family.is_causal)
        refuse_model(file, "has is_causal {}, which is not computed here", !family.is_causal);
    for (const std::string name : config.value("architectures", Json::array())) {
        if (name.find("ColBERT") != name.npos)
            refuse_model(file, "is of the model {}, which does not give one vector for a text",
                         name);
        if (purpose == Purpose::vectors && name.ends_with("ForSequenceClassification"))
            base::refuse(file,
                         "is of {}, which gives no vector for a text; a cross-encoder, which "
                         "judges pairs of texts, is for --rerank",
                         name);
    }
    if (config.contains("auto_map") && !family.has_known_code)
        refuse_model(file, "needs code of its own (auto_map), which is not run");
    if (!config.value("quantization_config", Json()).is_null())
        refuse_model(file, "is of a quantised model (quantization_config), which is not computed "
                           "here");
    if (fs::exists(folder / "adapter_config.json"))
        base::refuse(folder / "adapter_config.json",
                     "is of an adapter; merge it into its model and save that");
}

/// Other formats of weights come without a config.
void refuse_gguf(const fs::path& folder)
{
    std::error_code ignored;
    bool is_gguf = folder.extension() == ".gguf";
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        is_gguf = is_gguf || entry.path().extension() == ".gguf";
    if (is_gguf && !fs::exists(folder / "config.json"))
        refuse_model(folder, "is of the format GGUF; weights are read from model.safetensors");
}

/// Theta of the layers of a kind, under the keys of transformers 5 or before.
double theta_of(const fs::path& file, const Json& config, const char* kind, const char* key)
{
    Json rotation = config.value("rope_parameters", Json());
    if (rotation.contains(kind))
        rotation = rotation.at(kind);
    for (const Json& said : {rotation, config.value("rope_scaling", Json())})
        if (!said.is_null()) {
            const std::string type = said.value("rope_type", said.value("type", "default"));
            if (type != "default")
                refuse_model(file, "scales its rotary positions ({}), which is not computed here",
                             type);
        }
    const double theta = rotation.contains("rope_theta") ? rotation.at("rope_theta").get<double>()
                                                         : config.at(key).get<double>();
    if (!(theta >= 1.0 && theta <= 1e12))
        base::refuse(file, "has rotary positions with the impossible base {}", theta);
    return theta;
}

std::vector<LayerPlan> plan_of(const fs::path& file, const Json& config, const Family& family)
{
    const Rotary& rotary = family.rotary;
    const std::size_t count = model_files::count_of(config, family.keys.layers);
    if (rotary.theta == nullptr)
        return std::vector<LayerPlan>(count);
    const LayerPlan whole{theta_of(file, config, "full_attention", rotary.theta)};
    LayerPlan windowed;
    std::size_t every = 1;
    if (rotary.window != nullptr) {
        windowed = {theta_of(file, config, "sliding_attention", rotary.window_theta),
                    model_files::count_of(config, rotary.window) / 2};
        every = rotary.usually_every;
        for (const std::string& key : {std::string(rotary.every), "_" + std::string(rotary.every)})
            if (config.contains(key))
                every = model_files::count_of(config, key.c_str());
    }
    std::vector<LayerPlan> plan;
    for (std::size_t i = 0; i < count; ++i)
        plan.push_back(i % every == (rotary.whole_first ? 0 : every - 1) ? whole : windowed);
    const Json types = config.value("layer_types", Json());
    if (!types.is_null() && types.size() != count)
        base::refuse(file, "has {} layers and {} layer_types", count, types.size());
    for (std::size_t i = 0; i < types.size(); ++i) {
        const std::string type = types.at(i);
        if (type != "full_attention" && (type != "sliding_attention" || rotary.window == nullptr))
            refuse_model(file, "has a layer of the type '{}', which is not computed here", type);
        plan[i] = type == "full_attention" ? whole : windowed;
    }
    return plan;
}

} // namespace

std::string known_keys(const Family& family)
{
    std::string keys =
        "_name_or_path _sliding_window_pattern add_cross_attention architectures attention_bias "
        "attention_dropout attention_probs_dropout_prob attn_pdrop auto_map bos_token_id "
        "cache_implementation chunk_size_feed_forward classifier_activation classifier_bias "
        "classifier_dropout classifier_pooling cls_token_id decoder_bias dense_seq_output "
        "deterministic_flash_attn directionality dropout dtype embd_pdrop embedding_dropout "
        "eos_token_id final_logit_softcapping finetuning_task fused_bias_fc fused_dropout_add_ln "
        "gradient_checkpointing head_dim hidden_dropout_prob hidden_size id2label "
        "initializer_cutoff_factor initializer_range is_causal label2id layer_norm_eps "
        "layer_types mask_token_id max_position_embeddings max_trained_positions "
        "max_window_layers mlp_bias mlp_dropout mlp_fc1_bias mlp_fc2_bias model_type norm_bias "
        "num_attention_heads num_hidden_layers num_key_value_heads output_attentions "
        "output_hidden_states output_past pad_token_id pad_vocab_size_multiple pooler_fc_size "
        "pooler_num_attention_heads pooler_num_fc_layers pooler_size_per_head pooler_type "
        "problem_type qa_dropout qkv_proj_bias reference_compile relative_attention_num_buckets "
        "repad_logits_with_grad resid_pdrop rope_parameters rope_scaling rotary_scaling_factor "
        "scale_attn_weights sep_token_id seq_classif_dropout sinusoidal_pos_embds sliding_window "
        "sparse_pred_ignore_index sparse_prediction summary_activation summary_first_dropout "
        "summary_proj_to_labels summary_type summary_use_proj tie_weights_ tie_word_embeddings "
        "tokenizer_class torch_dtype transformers_version type_vocab_size use_cache "
        "use_flash_attn use_xentropy vocab_size";
    const auto add = [&keys](const char* key) {
        if (key != nullptr)
            keys += fmt::format(" {}", key);
    };
    for (const Option& option : options)
        if (option.type.empty() || option.type == family.types.front())
            add(option.key);
    const auto& [width, layers, heads, inner, activation, positions, epsilon] = family.keys;
    for (const char* const key : {width, layers, heads, inner, activation, positions, epsilon})
        add(key);
    for (const char* const key : {family.rotary.theta, family.rotary.window_theta,
                                  family.rotary.window, family.rotary.every, family.scale})
        add(key);
    return keys;
}

const model_files::Tensor& not_quantised(const model_files::Tensor& tensor)
{
    if (tensor.type == "I8")
        refuse_model(tensor.where, "is quantised (I8); F32, F16, BF16 and F64 are computed here");
    return tensor;
}

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
    std::ranges::transform(last, last.begin(), base::ascii_lower);
    const auto found =
        std::ranges::find(names, last, [](const auto& entry) { return entry.first; });
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

Architecture architecture_of(const fs::path& folder, Purpose purpose)
{
    refuse_gguf(folder);
    const fs::path file = folder / "config.json";
    Json config = model_files::read_json(file);
    return model_files::reading(file, [&] {
        const Family& family = family_of(file, config.at("model_type").get<std::string>());
        for (const std::string_view key : family.unread)
            config.erase(std::string(key));
        for (const auto key :
             {&ConfigKeys::width, &ConfigKeys::layers, &ConfigKeys::heads, &ConfigKeys::positions})
            if (const Json other = config.value(ConfigKeys{}.*key, Json()); !other.is_null())
                config[family.keys.*key] = other; // another name of it, which wins there
        refuse_variants(folder, config, family, purpose);
        const auto size = [&](const char* key) { return model_files::count_of(config, key); };
        const auto size_or = [&](const char* key, std::size_t otherwise) {
            return config.value(key, Json()).is_null() ? otherwise : size(key);
        };
        Architecture found;
        found.family = &family;
        found.width = size(family.keys.width);
        found.heads = size(family.keys.heads);
        found.key_heads = size_or("num_key_value_heads", found.heads);
        found.head_width = size_or("head_dim", found.width / found.heads);
        for (const char* const key : {"attention_bias", "mlp_bias", "norm_bias", "qkv_proj_bias",
                                      "mlp_fc1_bias", "mlp_fc2_bias"})
            found.may_have_biases = found.may_have_biases || config.value(key, Json()) == true;
        if (config.value("head_dim", Json()).is_null() && found.width % found.heads != 0)
            base::refuse(file, "has {} heads, which do not divide its width {}", found.heads,
                         found.width);
        if (found.heads % found.key_heads != 0)
            base::refuse(file, "has {} heads, which its {} of keys do not divide", found.heads,
                         found.key_heads);
        found.inner = size(family.keys.inner);
        found.positions = size(family.keys.positions);
        found.most_rotated = config.value("rotary_scaling_factor", Json()).is_null()
                                 ? found.positions
                                 : size_or("max_trained_positions", found.positions);
        if (family.positions_after_pad && !config.value("pad_token_id", Json()).is_null())
            found.pad =
                static_cast<model_files::Id>(model_files::count_of(config, "pad_token_id", 0));
        const double epsilon =
            model_files::member<double>(config, family.keys.epsilon).value_or(family.epsilon);
        if (!(epsilon >= 0.0 && epsilon <= 1.0))
            base::refuse(file, "has the impossible {} {}", family.keys.epsilon, epsilon);
        found.epsilon = static_cast<float>(epsilon);
        const std::size_t divisor = family.scale != nullptr ? size(family.scale) : found.head_width;
        found.scale = 1.0F / std::sqrt(static_cast<float>(divisor));
        found.activation = family.activation;
        if (const auto name = model_files::member<std::string>(config, family.keys.activation)) {
            const auto activation = activation_by_name(*name);
            if (!activation)
                base::refuse(file, "has the activation '{}', which is not supported", *name);
            found.activation = *activation;
        }
        found.layers = plan_of(file, config, family);
        if (family.rotary.theta != nullptr && found.head_width % 2 != 0)
            base::refuse(file, "has heads {} wide, whose halves cannot be rotated",
                         found.head_width);
        if (found.positions <= found.first_position())
            base::refuse(file, "has {} positions, and the first would be {}", found.positions,
                         found.first_position());
        return found;
    });
}

} // namespace senteval::transformer
