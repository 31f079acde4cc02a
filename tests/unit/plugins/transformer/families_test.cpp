// Random models of the newer families beside the plainest arithmetic in double precision.
#include "transformer/transformer_encoder.hpp"

#include "support/model_folder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

using namespace senteval;
using model_files::Json;
using test::PluginHarness;
using transformer::TransformerEncoder;

namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;
using Function = double (*)(double);

constexpr std::size_t hidden = 12;
constexpr std::size_t inner = 10;
constexpr std::size_t head_width = 8;     // where it is not hidden / heads
constexpr std::size_t rows_of_table = 12; ///< of tokens

double gelu(double x)
{
    return x / 2 * (1 + std::erf(x / std::sqrt(2.0)));
}
double gelu_tanh(double x)
{
    return x / 2 * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}
double silu(double x)
{
    return x / (1 + std::exp(-x));
}

Rows sum(Rows a, const Rows& b)
{
    for (std::size_t t = 0; t < a.size(); ++t)
        for (std::size_t c = 0; c < a[t].size(); ++c)
            a[t][c] += b[t][c];
    return a;
}

Rows columns(const Rows& x, std::size_t begin, std::size_t count)
{
    Rows part;
    for (const Row& row : x)
        part.emplace_back(row.begin() + static_cast<std::ptrdiff_t>(begin),
                          row.begin() + static_cast<std::ptrdiff_t>(begin + count));
    return part;
}

Rows gated(const Rows& active, Function activation, const Rows& factor)
{
    Rows product = active;
    for (std::size_t t = 0; t < active.size(); ++t)
        for (std::size_t c = 0; c < active[t].size(); ++c)
            product[t][c] = activation(active[t][c]) * factor[t][c];
    return product;
}

struct PlainAttention {
    std::size_t heads;
    std::size_t key_heads;
    double theta;
    double divisor; ///< of scores
    std::size_t reach = 99;
    bool is_causal = false;
};

/// Turns heads of `size` columns by their place.
Rows turned(Rows x, std::size_t size, double theta)
{
    for (std::size_t t = 0; t < x.size(); ++t)
        for (std::size_t first = 0; first < x[t].size(); first += size)
            for (std::size_t i = 0; i < size / 2; ++i) {
                const double angle =
                    static_cast<double>(t) *
                    std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(size));
                double& a = x[t][first + i];
                double& b = x[t][first + i + size / 2];
                std::tie(a, b) = std::pair{a * std::cos(angle) - b * std::sin(angle),
                                           b * std::cos(angle) + a * std::sin(angle)};
            }
    return x;
}

Rows attended(const Rows& q, const Rows& k, const Rows& v, const PlainAttention& how)
{
    const std::size_t size = q.front().size() / how.heads;
    const Rows queries = turned(q, size, how.theta);
    const Rows keys = turned(k, size, how.theta);
    Rows out(q.size(), Row(q.front().size()));
    for (std::size_t h = 0; h < how.heads; ++h) {
        const std::size_t shared = h / (how.heads / how.key_heads) * size;
        for (std::size_t t = 0; t < q.size(); ++t) {
            Row weights(q.size());
            double total = 0.0;
            for (std::size_t u = 0; u < q.size(); ++u) {
                if ((t > u ? t - u : u - t) > how.reach || (how.is_causal && u > t))
                    continue;
                for (std::size_t c = 0; c < size; ++c)
                    weights[u] += queries[t][h * size + c] * keys[u][shared + c] / how.divisor;
                total += weights[u] = std::exp(weights[u]);
            }
            for (std::size_t u = 0; u < q.size(); ++u)
                for (std::size_t c = 0; c < size; ++c)
                    out[t][h * size + c] += weights[u] / total * v[u][shared + c];
        }
    }
    return out;
}

/// A model of random weights. A tensor is made when it is first asked for: what computes it names its tensors.
class Model {
public:
    [[nodiscard]] Rows embedded(const std::vector<std::size_t>& ids, const std::string& name)
    {
        const Row& table = tensor(name, {rows_of_table, hidden}, 0.0, 1.0);
        Rows x;
        for (const std::size_t id : ids)
            x.emplace_back(table.begin() + static_cast<std::ptrdiff_t>(id * hidden),
                           table.begin() + static_cast<std::ptrdiff_t>((id + 1) * hidden));
        return x;
    }
    [[nodiscard]] Rows times(const Rows& x, const std::string& name, std::size_t outputs)
    {
        const std::size_t inputs = x.front().size();
        const Row& weights = tensor(name, {outputs, inputs}, 0.0, 1.2 / std::sqrt(inputs));
        const Row bias = biased ? tensor(name, {outputs}, 0.0, 0.5, ".bias") : Row(outputs);
        Rows y(x.size(), bias);
        for (std::size_t t = 0; t < x.size(); ++t)
            for (std::size_t o = 0; o < outputs; ++o)
                for (std::size_t c = 0; c < inputs; ++c)
                    y[t][o] += weights[o * inputs + c] * x[t][c];
        return y;
    }
    /// LayerNorm; its bias where `with_bias`.
    [[nodiscard]] Rows normed(Rows x, const std::string& name, bool with_bias = false)
    {
        for (Row& row : x) {
            double mean = 0.0;
            for (const double value : row)
                mean += value / hidden;
            for (double& value : row)
                value -= mean;
        }
        x = rms(std::move(x), name, hidden, 0.0);
        if (with_bias)
            x = sum(x, Rows(x.size(), tensor(name, {hidden}, 0.0, 0.3, ".bias")));
        return x;
    }
    /// Of each head of `size` columns by itself.
    [[nodiscard]] Rows rms(Rows x, const std::string& name, std::size_t size, double plus)
    {
        const Row& weights = tensor(name, {size}, 1.0 - plus, 0.3);
        for (Row& row : x)
            for (std::size_t first = 0; first < row.size(); first += size) {
                double squares = 0.0;
                for (std::size_t c = 0; c < size; ++c)
                    squares += row[first + c] * row[first + c];
                const double root = std::sqrt(squares / static_cast<double>(size) + 1e-3);
                for (std::size_t c = 0; c < size; ++c)
                    row[first + c] *= (plus + weights[c]) / root;
            }
        return x;
    }
    [[nodiscard]] std::vector<test::MadeTensor> tensors() const
    {
        std::vector<test::MadeTensor> made;
        for (const auto& [name, tensor] : tensors_)
            made.push_back(
                test::f32(name, tensor.first,
                          std::vector<float>(tensor.second.begin(), tensor.second.end())));
        return made;
    }

    bool biased = false; ///< products; they are so where the file says

private:
    const Row& tensor(const std::string& name,
                      const std::vector<std::size_t>& shape,
                      double mean,
                      double deviation,
                      const char* kind = ".weight")
    {
        auto& [made_shape, values] = tensors_[name + kind];
        if (values.empty()) {
            std::normal_distribution<float> normal(static_cast<float>(mean),
                                                   static_cast<float>(deviation));
            values.resize(shape.size() == 1 ? shape[0] : shape[0] * shape[1]);
            std::ranges::generate(values, [&] { return normal(generator_); });
            made_shape = shape;
        }
        return values;
    }

    std::map<std::string, std::pair<std::vector<std::size_t>, Row>> tensors_;
    std::mt19937 generator_{7};
};

Json sizes(const char* type, Json more)
{
    more.update({{"model_type", type},
                 {"hidden_size", hidden},
                 {"num_hidden_layers", 3},
                 {"num_attention_heads", 2},
                 {"intermediate_size", inner},
                 {"max_position_embeddings", 40}});
    return more;
}

/// The largest difference between the encoder's vectors (the first, the mean and the last token) and the plain ones.
double worst(const Json& config,
             const std::function<Rows(Model&, const std::vector<std::size_t>&)>& plain)
{
    Model model;
    model.biased = config.value("attention_bias", false);
    const std::vector<std::size_t> ids = {1, 3, 4, 5, 6, 7, 8, 9, 10, 3, 5, 7, 2};
    const Rows tokens = plain(model, ids);
    const test::ScratchFolder folder;
    folder.write("config.json", config.dump());
    folder.write("tokenizer.json",
                 test::bert_tokenizer({"a", "b", "c", "d", "e", "f", "g", "h"}).dump());
    folder.write("model.safetensors", test::safetensors(model.tensors()));
    const std::vector<float> vector =
        PluginHarness::of<TransformerEncoder>(
            {{"model", folder.path().string()}, {"pooling", "cls+mean+lasttoken"}})
            .encode("a b c d e f g h a c e");
    REQUIRE(vector.size() == 3 * hidden);
    double most = 0.0;
    for (std::size_t c = 0; c < hidden; ++c) {
        double mean = 0.0;
        for (const Row& token : tokens)
            mean += token[c] / static_cast<double>(tokens.size());
        for (const auto& [place, expected] : {std::pair{c, tokens.front()[c]},
                                              {hidden + c, mean},
                                              {2 * hidden + c, tokens.back()[c]}})
            most = std::max(most, std::fabs(static_cast<double>(vector[place]) - expected));
    }
    return most;
}

Rows modernbert(Model& m, const std::vector<std::size_t>& ids)
{
    Rows x = m.normed(m.embedded(ids, "embeddings.tok_embeddings"), "embeddings.norm");
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string name = "layers." + std::to_string(i) + ".";
        const PlainAttention how = i == 1 ? PlainAttention{2, 2, 300.0, std::sqrt(hidden / 2.0), 3}
                                          : PlainAttention{2, 2, 5000.0, std::sqrt(hidden / 2.0)};
        const Rows p =
            m.times(i == 0 ? x : m.normed(x, name + "attn_norm"), name + "attn.Wqkv", 3 * hidden);
        const Rows mixed = attended(columns(p, 0, hidden), columns(p, hidden, hidden),
                                    columns(p, 2 * hidden, hidden), how);
        x = sum(x, m.times(mixed, name + "attn.Wo", hidden));
        const Rows u = m.times(m.normed(x, name + "mlp_norm"), name + "mlp.Wi", 2 * inner);
        x = sum(x, m.times(gated(columns(u, 0, inner), gelu, columns(u, inner, inner)),
                           name + "mlp.Wo", hidden));
    }
    return m.normed(x, "final_norm");
}

Rows nomic(Model& m, const std::vector<std::size_t>& ids)
{
    const std::vector<std::size_t> first(ids.size(), 0);
    Rows x = m.normed(sum(m.embedded(ids, "embeddings.word_embeddings"),
                          m.embedded(first, "embeddings.token_type_embeddings")),
                      "emb_ln", true);
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string name = "encoder.layers." + std::to_string(i) + ".";
        const Rows p = m.times(x, name + "attn.Wqkv", 3 * hidden);
        const Rows mixed =
            attended(columns(p, 0, hidden), columns(p, hidden, hidden),
                     columns(p, 2 * hidden, hidden), {2, 2, 1000.0, std::sqrt(hidden / 2.0)});
        x = m.normed(sum(x, m.times(mixed, name + "attn.out_proj", hidden)), name + "norm1", true);
        const Rows u =
            gated(m.times(x, name + "mlp.fc12", inner), silu, m.times(x, name + "mlp.fc11", inner));
        x = m.normed(sum(x, m.times(u, name + "mlp.fc2", hidden)), name + "norm2", true);
    }
    return x;
}

Rows decoder(Model& m, const std::vector<std::size_t>& ids, bool is_gemma)
{
    const double plus = is_gemma ? 1.0 : 0.0;
    const auto rms = [&](const Rows& x, const std::string& name) {
        return m.rms(x, name, hidden, plus);
    };
    Rows x = m.embedded(ids, "embed_tokens");
    for (Row& row : x)
        for (double& value : row)
            value *= is_gemma ? std::sqrt(hidden) : 1.0;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::string name = "layers." + std::to_string(i) + ".";
        const std::string self = name + "self_attn.";
        PlainAttention how{4, 2, 5000.0, std::sqrt(head_width), 99, true};
        if (is_gemma)
            how = i == 1 ? PlainAttention{4, 2, 5000.0, std::sqrt(24)}
                         : PlainAttention{4, 2, 300.0, std::sqrt(24), 3};
        const Rows y = rms(x, name + "input_layernorm");
        const Rows q =
            m.rms(m.times(y, self + "q_proj", 4 * head_width), self + "q_norm", head_width, plus);
        const Rows k =
            m.rms(m.times(y, self + "k_proj", 2 * head_width), self + "k_norm", head_width, plus);
        const Rows v = m.times(y, self + "v_proj", 2 * head_width);
        const Rows mixed = m.times(attended(q, k, v, how), self + "o_proj", hidden);
        x = sum(x, is_gemma ? rms(mixed, name + "post_attention_layernorm") : mixed);
        const Rows z =
            rms(x, name + (is_gemma ? "pre_feedforward_layernorm" : "post_attention_layernorm"));
        const Rows u =
            m.times(gated(m.times(z, name + "mlp.gate_proj", inner), is_gemma ? gelu_tanh : silu,
                          m.times(z, name + "mlp.up_proj", inner)),
                    name + "mlp.down_proj", hidden);
        x = sum(x, is_gemma ? rms(u, name + "post_feedforward_layernorm") : u);
    }
    return rms(x, "norm");
}

} // namespace

TEST_CASE("ModernBERT, by the keys of its config before and since transformers 5")
{
    const Json before = sizes("modernbert", {{"norm_eps", 1e-3},
                                             {"local_attention", 6},
                                             {"global_attn_every_n_layers", 2},
                                             {"global_rope_theta", 5000},
                                             {"local_rope_theta", 300}});
    CHECK(worst(before, modernbert) < 1e-5);
    Json biased = before;
    biased["attention_bias"] = true;
    CHECK(worst(biased, modernbert) < 1e-5);
    CHECK(worst(sizes("modernbert",
                      {{"norm_eps", 1e-3},
                       {"local_attention", 6},
                       {"layer_types", {"full_attention", "sliding_attention", "full_attention"}},
                       {"rope_parameters",
                        {{"full_attention", {{"rope_type", "default"}, {"rope_theta", 5000}}},
                         {"sliding_attention", {{"rope_theta", 300}}}}}}),
                modernbert) < 1e-5);
}

TEST_CASE("NomicBERT")
{
    Json config = {{"model_type", "nomic_bert"},
                   {"auto_map", Json::object()},
                   {"activation_function", "swiglu"},
                   {"layer_norm_epsilon", 1e-3},
                   {"n_embd", hidden},
                   {"n_layer", 3},
                   {"n_head", 2},
                   {"n_inner", inner},
                   {"n_positions", 40},
                   {"rotary_emb_base", 1000},
                   {"rotary_emb_fraction", 1.0},
                   {"rotary_scaling_factor", 2},
                   {"max_trained_positions", 13}};
    CHECK(worst(config, nomic) < 1e-5);
    config["max_trained_positions"] = 12; // beyond which positions would be scaled
    CHECK_THROWS_AS(worst(config, nomic), test::PluginFailure);
}

TEST_CASE(
    "Qwen3 and EmbeddingGemma: grouped heads wider than their share, norms of queries and keys")
{
    const Json heads = {
        {"rms_norm_eps", 1e-3}, {"head_dim", head_width}, {"num_key_value_heads", 2}};
    Json qwen = sizes("qwen3", heads);
    qwen.update({{"num_attention_heads", 4},
                 {"rope_theta", 5000},
                 {"rope_scaling", nullptr},
                 {"use_sliding_window", false}});
    CHECK(worst(qwen, [](Model& m, const auto& ids) { return decoder(m, ids, false); }) < 1e-5);

    Json gemma = sizes("gemma3_text", heads);
    gemma.update(
        {{"num_attention_heads", 4},
         {"query_pre_attn_scalar", 24},
         {"use_bidirectional_attention", true},
         {"sliding_window", 7}, // as some re-saved configs have it, half of it rounded down
         {"_sliding_window_pattern", 2},
         {"rope_theta", 5000},
         {"rope_local_base_freq", 300}});
    CHECK(worst(gemma, [](Model& m, const auto& ids) { return decoder(m, ids, true); }) < 2e-5);
}
