// model_folder.hpp -- folders of models that tests write.
#pragma once

#include <nlohmann/json.hpp>

#include <bit>
#include <cstdint>
#include <cstring>
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

} // namespace senteval::test
