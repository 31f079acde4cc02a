#include "transformer/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace senteval::transformer {
namespace {

using model_files::Tensor;

/// Rows that go through the products of a layer together: they stay in the processor's cache.
constexpr std::size_t block_rows = 256;
constexpr std::size_t behind = 16; ///< floats that kernels may read behind a matrix

/// By distance to the other token, of 32: 0 to 7 each have a bucket of their own, then they widen by the eighth root of
/// 16, and 91 begins the last; those of tokens ahead come behind those of tokens before.
std::size_t bucket_of(std::ptrdiff_t distance)
{
    constexpr std::array<std::ptrdiff_t, 7> widening = {12, 16, 23, 32, 46, 64, 91};
    const std::ptrdiff_t far = std::abs(distance);
    const std::ptrdiff_t bucket =
        far < 8 ? far
                : 8 + std::ranges::count_if(widening, [far](auto first) { return first <= far; });
    return static_cast<std::size_t>(bucket + (distance > 0 ? 16 : 0));
}

} // namespace

Network::Network(const std::filesystem::path& folder, Arithmetic arithmetic)
    : architecture_(architecture_of(folder)),
      arithmetic_(arithmetic),
      tensors_(model_files::Tensors::of_folder(folder))
{
    read_embeddings();
    read_attention_bias();
    for (std::size_t i = 0; i < architecture_.layers; ++i)
        layers_.push_back(layer(i));
}

/// Old files call a norm's weight gamma and its bias beta.
const Tensor& Network::tensor(const std::string& name) const
{
    const std::string full = prefix_ + name;
    if (tensors_.find(full) == nullptr)
        for (const auto& [now, then] : {std::pair{"LayerNorm.weight", "LayerNorm.gamma"},
                                        std::pair{"LayerNorm.bias", "LayerNorm.beta"}})
            if (full.ends_with(now))
                if (const Tensor* const old = tensors_.find(
                        full.substr(0, full.size() - std::string_view(now).size()) + then))
                    return *old;
    return tensors_.require(full);
}

const Tensor& Network::table(const std::string& name) const
{
    const Tensor& found = tensor(name);
    found.require_shape(
        {std::max<std::size_t>(found.shape.empty() ? 0 : found.shape[0], 1), width()});
    return found;
}

std::vector<float> Network::floats(const std::string& name,
                                   const std::vector<std::size_t>& shape) const
{
    const Tensor& found = tensor(name);
    found.require_shape(shape);
    std::vector<float> values = found.floats();
    found.release();
    return values;
}

Network::Norm Network::norm(const std::string& name) const
{
    return {floats(name + ".weight", {width()}), floats(name + ".bias", {width()})};
}

/// Of several layers with the same inputs, side by side.
Linear Network::linear(const std::vector<std::string>& names,
                       std::size_t inputs,
                       std::size_t outputs) const
{
    std::vector<float> weights;
    std::vector<float> bias;
    for (const std::string& name : names) {
        const std::vector<float> part = floats(name + ".weight", {outputs, inputs});
        weights.insert(weights.end(), part.begin(), part.end());
        const std::vector<float> offset = floats(name + ".bias", {outputs});
        bias.insert(bias.end(), offset.begin(), offset.end());
    }
    return {weights, inputs, bias, arithmetic_};
}

Network::Layer Network::layer(std::size_t number) const
{
    const TensorNames& names = architecture_.family->names;
    const auto named = [&](const char* part) {
        return fmt::format("{}{}.{}", names.layer, number, part);
    };
    const std::size_t inner = architecture_.inner;
    return {linear({named(names.query), named(names.key), named(names.value)}, width(), width()),
            linear({named(names.mixed)}, width(), width()),
            norm(named(names.attention_norm)),
            linear({named(names.up)}, width(), inner),
            linear({named(names.down)}, inner, width()),
            norm(named(names.output_norm))};
}

void Network::read_embeddings()
{
    const std::string words = "embeddings.word_embeddings.weight";
    for (const std::string& prefix :
         {std::string(architecture_.family->type) + ".", std::string("model.")})
        if (tensors_.find(prefix + words) != nullptr)
            prefix_ = prefix;
    words_ = &table(words);
    positions_ =
        floats("embeddings.position_embeddings.weight", {architecture_.positions, width()});
    if (architecture_.family->has_segments) {
        std::vector<float> first(width());
        table("embeddings.token_type_embeddings.weight").read(0, first);
        for (std::size_t i = 0; i < positions_.size(); ++i)
            positions_[i] += first[i % width()];
    }
    embedding_norm_ = norm("embeddings.LayerNorm");
}

void Network::read_attention_bias()
{
    if (architecture_.family->attention_bias == nullptr)
        return;
    const std::size_t heads = architecture_.heads;
    const std::vector<float> table =
        floats(std::string(architecture_.family->attention_bias) + ".weight", {32, heads});
    const auto last = static_cast<std::ptrdiff_t>(most_tokens()) - 1;
    bias_stride_ = 2 * most_tokens() + behind;
    attention_bias_.resize(heads * bias_stride_);
    for (std::size_t head = 0; head < heads; ++head)
        for (std::ptrdiff_t distance = -last; distance <= last; ++distance)
            attention_bias_[head * bias_stride_ + static_cast<std::size_t>(distance + last)] =
                table[bucket_of(distance) * heads + head];
}

void Network::normalise(const Norm& norm, float* row, const float* added) const
{
    kernels().add_and_normalise(row, added, width(), norm.weight.data(), norm.bias.data(),
                                architecture_.epsilon);
}

void Network::embed(const Packed& packed, float* rows) const
{
    std::size_t at = 0;
    for (const std::size_t length : packed.lengths) {
        std::size_t position = architecture_.first_position();
        for (std::size_t t = 0; t < length; ++t, ++at) {
            const auto id = packed.ids[at];
            // A padding token that somebody wrote has the position of padding, and is not counted.
            const bool is_pad =
                architecture_.family->positions_after_pad && id == architecture_.pad;
            const std::size_t place = is_pad ? static_cast<std::size_t>(id) : position++;
            float* const row = rows + at * width();
            words_->read(static_cast<std::size_t>(id) * width(), {row, width()});
            normalise(embedding_norm_, row, &positions_[place * width()]);
        }
    }
}

void Network::attend(const Packed& packed,
                     const float* projected,
                     float* mixed,
                     std::vector<float>& scratch,
                     const sdk::Call& call) const
{
    const std::size_t size = width() / architecture_.heads;
    Attention attention;
    attention.width = size;
    attention.stride = 3 * width();
    attention.out_stride = width();
    attention.scale = 1.0F / std::sqrt(static_cast<float>(size));
    std::size_t at = 0;
    for (const std::size_t length : packed.lengths) {
        call.check_cancelled();
        attention.tokens = length;
        scratch.resize(std::max(scratch.size(), attention_scratch(length, size)));
        attention.scratch = scratch.data();
        for (std::size_t head = 0; head < architecture_.heads; ++head) {
            const float* const first = projected + at * attention.stride + head * size;
            attention.queries = first;
            attention.keys = first + width();
            attention.values = first + 2 * width();
            attention.out = mixed + at * width() + head * size;
            if (!attention_bias_.empty())
                attention.bias = &attention_bias_[head * bias_stride_ + most_tokens() - length];
            kernels().attend(attention);
        }
        at += length;
    }
}

std::vector<float> Network::run(const Packed& packed, const sdk::Call& call) const
{
    const std::size_t tokens = packed.ids.size();
    const std::size_t room = Linear::padded(tokens);
    const std::size_t block_room = std::min(room, block_rows);
    std::vector<float> rows(room * width());
    std::vector<float> projected(room * 3 * width() + behind);
    std::vector<float> mixed(room * width());
    std::vector<float> added(block_room * width());
    std::vector<float> inner(block_room * architecture_.inner);
    std::vector<float> scratch;
    embed(packed, rows.data());
    for (const Layer& layer : layers_) {
        layer.projections.apply(rows.data(), tokens, projected.data());
        attend(packed, projected.data(), mixed.data(), scratch, call);
        for (std::size_t begin = 0; begin < tokens; begin += block_rows) {
            const std::size_t count = std::min(block_rows, tokens - begin);
            float* const block = &rows[begin * width()];
            const auto add_and_normalise = [&](const Norm& norm) {
                for (std::size_t i = 0; i < count; ++i)
                    normalise(norm, block + i * width(), &added[i * width()]);
            };
            layer.mixed.apply(&mixed[begin * width()], count, added.data());
            add_and_normalise(layer.attention_norm);
            layer.up.apply(block, count, inner.data());
            kernels().activate(architecture_.activation, inner.data(), count * architecture_.inner);
            layer.down.apply(inner.data(), count, added.data());
            add_and_normalise(layer.output_norm);
        }
    }
    return rows;
}

} // namespace senteval::transformer
