// model_folder.hpp -- folders of models that tests write.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace senteval::test {

struct MadeTensor {
    std::string name;
    std::string type;
    std::vector<std::size_t> shape;
    std::string bytes;
};

template <typename Number>
std::string bytes_of(const std::vector<Number>& numbers)
{
    std::string bytes(numbers.size() * sizeof(Number), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

inline MadeTensor
f32(std::string name, std::vector<std::size_t> shape, const std::vector<float>& numbers)
{
    return {std::move(name), "F32", std::move(shape), bytes_of(numbers)};
}

inline std::string with_header(const std::string& header, const std::string& data)
{
    return bytes_of(std::vector<std::uint64_t>{header.size()}) + header + data;
}

/// The bytes of a safetensors file.
inline std::string safetensors(const std::vector<MadeTensor>& tensors)
{
    nlohmann::json header = {{"__metadata__", {{"format", "pt"}}}};
    std::string data;
    for (const MadeTensor& tensor : tensors) {
        header[tensor.name] = {{"dtype", tensor.type},
                               {"shape", tensor.shape},
                               {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
        data += tensor.bytes;
    }
    return with_header(header.dump(), data);
}

/// A tokenizer.json of BERT's kind: [UNK] 0, [CLS] 1, [SEP] 2, then the pieces.
inline nlohmann::json bert_tokenizer(const std::vector<std::string>& pieces)
{
    nlohmann::json vocabulary = {{"[UNK]", 0}, {"[CLS]", 1}, {"[SEP]", 2}};
    for (const std::string& piece : pieces)
        vocabulary[piece] = vocabulary.size();
    nlohmann::json added = nlohmann::json::array();
    for (const char* const name : {"[UNK]", "[CLS]", "[SEP]"})
        added.push_back({{"content", name}, {"id", vocabulary[name]}});
    return {{"added_tokens", added},
            {"normalizer", {{"type", "BertNormalizer"}, {"lowercase", true}}},
            {"pre_tokenizer", {{"type", "BertPreTokenizer"}}},
            {"post_processor",
             {{"type", "BertProcessing"}, {"cls", {"[CLS]", 1}}, {"sep", {"[SEP]", 2}}}},
            {"model", {{"type", "WordPiece"}, {"unk_token", "[UNK]"}, {"vocab", vocabulary}}}};
}

/// The largest difference of cosines with the anchor of cases/runs from those of an expected.json.
template <typename Encoder>
double worst_cosine(const Encoder& encoder, const nlohmann::json& expected)
{
    const std::vector<float> anchor = encoder.encode("a man is playing the guitar");
    const auto product = [](const std::vector<float>& a, const std::vector<float>& b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    double worst = 0.0;
    for (std::size_t i = 0; i < expected.at("texts").size(); ++i) {
        const std::vector<float> one =
            encoder.encode(expected["texts"][i].template get<std::string>());
        const double cosine =
            product(one, anchor) / std::sqrt(product(one, one) * product(anchor, anchor));
        worst = std::max(worst, std::fabs(cosine - expected["cosine"][i].template get<double>()));
    }
    return worst;
}

inline nlohmann::json small_bert_config()
{
    return {{"model_type", "bert"},     {"hidden_size", 8},        {"num_hidden_layers", 1},
            {"num_attention_heads", 2}, {"intermediate_size", 12}, {"max_position_embeddings", 10},
            {"hidden_act", "gelu"}};
}

/// Tensors of the model of small_bert_config(), with random values.
inline std::vector<MadeTensor> small_bert_tensors()
{
    constexpr std::size_t width = 8;
    std::mt19937 generator(1);
    std::normal_distribution<float> normal;
    std::vector<MadeTensor> tensors;
    const auto add = [&](const std::string& name, const std::vector<std::size_t>& shape) {
        std::vector<float> values(
            std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
        for (float& value : values)
            value = normal(generator);
        tensors.push_back(f32(name, shape, values));
    };
    const auto add_both = [&](const std::string& name, std::size_t outputs, std::size_t inputs) {
        add(name + ".weight", inputs == 0 ? std::vector{outputs} : std::vector{outputs, inputs});
        add(name + ".bias", {outputs});
    };
    add("embeddings.word_embeddings.weight", {8, width});
    add("embeddings.position_embeddings.weight", {10, width});
    add("embeddings.token_type_embeddings.weight", {2, width});
    add_both("embeddings.LayerNorm", width, 0);
    const std::string layer = "encoder.layer.0.";
    for (const char* const part : {"attention.self.query", "attention.self.key",
                                   "attention.self.value", "attention.output.dense"})
        add_both(layer + part, width, width);
    add_both(layer + "attention.output.LayerNorm", width, 0);
    add_both(layer + "intermediate.dense", 12, width);
    add_both(layer + "output.dense", width, 12);
    add_both(layer + "output.LayerNorm", width, 0);
    return tensors;
}

} // namespace senteval::test
