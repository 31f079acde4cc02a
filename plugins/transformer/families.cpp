#include "transformer/architecture.hpp"

namespace senteval::transformer {
namespace {

constexpr TensorNames bert_names = {
    .words = "embeddings.word_embeddings",
    .positions = "embeddings.position_embeddings",
    .segments = "embeddings.token_type_embeddings",
    .embedding_norm = "embeddings.LayerNorm",
    .layer = "encoder.layer.",
    .projections = {"attention.self.query", "attention.self.key", "attention.self.value"},
    .mixed = "attention.output.dense",
    .attention = {.sum = "attention.output.LayerNorm"},
    .up = {"intermediate.dense"},
    .down = "output.dense",
    .unit = {.sum = "output.LayerNorm"},
};

constexpr ConfigKeys decoder_keys = {.activation = "hidden_act", .epsilon = "rms_norm_eps"};
constexpr TensorNames decoder_names = {
    .words = "embed_tokens",
    .final_norm = "norm",
    .layer = "layers.",
    .projections = {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"},
    .query_norm = "self_attn.q_norm",
    .key_norm = "self_attn.k_norm",
    .mixed = "self_attn.o_proj",
    .attention = {.before = "input_layernorm"},
    .up = {"mlp.gate_proj", "mlp.up_proj"},
    .down = "mlp.down_proj",
    .unit = {.before = "post_attention_layernorm"},
};

constexpr auto mpnet_names = [] {
    TensorNames names = bert_names;
    names.segments = nullptr;
    names.projections = {"attention.attn.q", "attention.attn.k", "attention.attn.v"};
    names.mixed = "attention.attn.o";
    names.attention = {.sum = "attention.LayerNorm"};
    return names;
}();

constexpr auto gemma_names = [] {
    TensorNames names = decoder_names;
    names.attention = {.before = "input_layernorm", .result = "post_attention_layernorm"};
    names.unit = {.before = "pre_feedforward_layernorm", .result = "post_feedforward_layernorm"};
    return names;
}();

constexpr std::array families = {
    Family{.types = {"bert"}, .names = bert_names, .biases = Biases::all},
    Family{.types = {"xlm-roberta", "roberta", "camembert"},
           .names = bert_names,
           .biases = Biases::all,
           .positions_after_pad = true},
    Family{.types = {"distilbert"},
           .keys = {.width = "dim",
                    .layers = "n_layers",
                    .heads = "n_heads",
                    .inner = "hidden_dim",
                    .activation = "activation"},
           .names = {.positions = "embeddings.position_embeddings",
                     .embedding_norm = "embeddings.LayerNorm",
                     .layer = "transformer.layer.",
                     .projections = {"attention.q_lin", "attention.k_lin", "attention.v_lin"},
                     .mixed = "attention.out_lin",
                     .attention = {.sum = "sa_layer_norm"},
                     .up = {"ffn.lin1"},
                     .down = "ffn.lin2",
                     .unit = {.sum = "output_layer_norm"}},
           .unread = {"num_key_value_heads", "head_dim", "layer_norm_eps"},
           .biases = Biases::all},
    Family{.types = {"mpnet"},
           .names = mpnet_names,
           .unread = {"num_key_value_heads", "head_dim", "pad_token_id"},
           .biases = Biases::all,
           .attention_bias = "encoder.relative_attention_bias",
           .positions_after_pad = true},
    Family{.types = {"modernbert"},
           .keys = {.activation = "hidden_activation", .epsilon = "norm_eps"},
           .names = {.words = "embeddings.tok_embeddings",
                     .embedding_norm = "embeddings.norm",
                     .final_norm = "final_norm",
                     .layer = "layers.",
                     .projections = {"attn.Wqkv"},
                     .mixed = "attn.Wo",
                     .attention = {.before = "attn_norm"},
                     .up = {"mlp.Wi"},
                     .down = "mlp.Wo",
                     .unit = {.before = "mlp_norm"}},
           .epsilon = 1e-5,
           .rotary = {.theta = "global_rope_theta",
                      .window_theta = "local_rope_theta",
                      .window = "local_attention",
                      .every = "global_attn_every_n_layers",
                      .usually_every = 3,
                      .whole_first = true},
           .norms_first_attention = false,
           .is_gated = true},
    Family{.types = {"nomic_bert"},
           .keys = {.width = "n_embd",
                    .layers = "n_layer",
                    .heads = "n_head",
                    .inner = "n_inner",
                    .positions = "n_positions",
                    .epsilon = "layer_norm_epsilon"},
           .names = {.segments = "embeddings.token_type_embeddings",
                     .embedding_norm = "emb_ln",
                     .layer = "encoder.layers.",
                     .projections = {"attn.Wqkv"},
                     .mixed = "attn.out_proj",
                     .attention = {.sum = "norm1"},
                     .up = {"mlp.fc12", "mlp.fc11"},
                     .down = "mlp.fc2",
                     .unit = {.sum = "norm2"}},
           .epsilon = 1e-5,
           .biases = Biases::of_norms,
           .rotary = {.theta = "rotary_emb_base"},
           .is_gated = true,
           .has_known_code = true,
           .activation = Activation::silu},
    Family{.types = {"qwen3"},
           .keys = decoder_keys,
           .names = decoder_names,
           .unread = {},
           .epsilon = 1e-6,
           .norm = NormKind::rms,
           .rotary = {.theta = "rope_theta"},
           .is_causal = true,
           .is_gated = true,
           .activation = Activation::silu},
    Family{.types = {"gemma3_text"},
           .keys = {.activation = "hidden_activation", .epsilon = "rms_norm_eps"},
           .names = gemma_names,
           .unread = {},
           .epsilon = 1e-6,
           .norm = NormKind::rms_above_one,
           .rotary = {.theta = "rope_theta",
                      .window_theta = "rope_local_base_freq",
                      .window = "sliding_window",
                      .every = "sliding_window_pattern",
                      .usually_every = 6},
           .scale = "query_pre_attn_scalar",
           .scales_embeddings = true,
           .is_gated = true,
           .activation = Activation::gelu_tanh},
};

} // namespace

std::span<const Family> all_families()
{
    return families;
}

} // namespace senteval::transformer
