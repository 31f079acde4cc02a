// tfjs_folder.hpp -- small models of Universal Sentence Encoder lite's layout, that tests write.
#pragma once

#include "support/model_folder.hpp"

#include <map>
#include <string>
#include <vector>

namespace senteval::test {

/// By name the files of a model with vectors of 8 and then 12, and of 6 for sentences, in two shards.
inline std::map<std::string, std::string> small_use_model()
{
    nlohmann::json weights = nlohmann::json::array();
    std::vector<float> values;
    const auto add = [&](const std::string& name, const std::vector<std::size_t>& shape) {
        weights.push_back({{"name", "module/" + name}, {"shape", shape}, {"dtype", "float32"}});
        std::size_t count = 1;
        for (const std::size_t length : shape)
            count *= length;
        for (; count > 0; --count)
            values.push_back(static_cast<float>(static_cast<int>(values.size() * 37 % 101) - 50) /
                             64.0F);
    };
    const auto add_linear = [&](const std::string& name, const char* kernel,
                                const std::vector<std::size_t>& shape) {
        add(name + kernel, shape);
        add(name + "bias", {shape.back()});
    };
    add("Embeddings_en", {12, 8});
    add("Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1", {1, 4});
    for (const std::size_t i : {0U, 1U}) {
        const std::size_t width = i == 0 ? 8 : 12;
        const std::string layer = "Layer_" + std::to_string(i) + "/TransformerLayer/";
        const std::string norm = "layer_prepostprocess/layer_norm/layer_norm_";
        add_linear(layer + norm, "scale", {width});
        add_linear(layer + "MultiheadAttention/qkv_transform_single/", "kernel",
                   {1, 1, width, 3 * width});
        add(layer + "MultiheadAttention/mul/y", {});
        add_linear(layer + "MultiheadAttention/output_transform_single/", "kernel",
                   {1, 1, width, 12});
        add_linear(layer + "FFN/" + norm, "scale", {12});
        add_linear(layer + "FFN/conv1/", "Tensordot/Reshape_1", {12, 5});
        add_linear(layer + "FFN/conv2/", "Tensordot/Reshape_1", {5, 12});
    }
    add_linear("Layer_0/TransformerLayer/dense/", "kernel", {8, 12});
    add_linear("tanh_layer_0/", "weights", {12, 6});
    const std::string bytes = bytes_of(values);
    const nlohmann::json group = {{"paths", {"one", "two"}}, {"weights", weights}};
    return {
        {"model.json", nlohmann::json{{"weightsManifest", nlohmann::json::array({group})}}.dump()},
        {"one", bytes.substr(0, 1001)},
        {"two", bytes.substr(1001)},
        {"vocab.json", R"([["?",0],["<s>",0],["</s>",0],["x",0],["y",0],["z",0],)"
                       R"(["▁",-4],["▁a",-1.5],["b",-1],["a",-2],["ab",null],["b",-3]])"}};
}

} // namespace senteval::test
