#include "transformer/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <utility>

namespace senteval::transformer {
namespace {

using model_files::Tensor;

/// Rows that go through the products of a layer together: they stay in the processor's cache.
constexpr std::size_t block_rows = 256;
constexpr std::size_t behind = 16; ///< floats that kernels may read behind a matrix

/// One of 32 buckets by distance to the other token: 0 to 7 each have their own, then they widen by the eighth root
/// of 16, and 91 begins the last; those of tokens ahead come behind those of tokens before.
std::size_t bucket_of(std::ptrdiff_t distance)
{
    constexpr std::array<std::ptrdiff_t, 7> widening = {12, 16, 23, 32, 46, 64, 91};
    const std::ptrdiff_t far = std::abs(distance);
    const std::ptrdiff_t bucket =
        far < 8 ? far
                : 8 + std::ranges::count_if(widening, [far](auto first) { return first <= far; });
    return static_cast<std::size_t>(bucket + (distance > 0 ? 16 : 0));
}

/// Cosines and then sines of the angles of a head's pairs, per token; angles in float32, as their authors have them.
std::vector<float> turns_of(std::size_t tokens, std::size_t width, double theta)
{
    std::vector<float> turns(tokens * width);
    for (std::size_t i = 0; i < width / 2; ++i) {
        const auto frequency = static_cast<float>(
            1.0 / std::pow(theta, static_cast<double>(2 * i) / static_cast<double>(width)));
        for (std::size_t t = 0; t < tokens; ++t) {
            const auto angle = static_cast<double>(static_cast<float>(t) * frequency);
            turns[t * width + i] = static_cast<float>(std::cos(angle));
            turns[t * width + width / 2 + i] = static_cast<float>(std::sin(angle));
        }
    }
    return turns;
}

} // namespace

Network::Network(const std::filesystem::path& folder, Arithmetic arithmetic, Purpose purpose)
    : architecture_(architecture_of(folder, purpose)),
      arithmetic_(arithmetic),
      tensors_(model_files::Tensors::of_folder(folder))
{
    read_embeddings();
    read_attention_bias();
    for (std::size_t i = 0; i < architecture_.layers.size(); ++i)
        layers_.push_back(layer(i));
    // Buffers, which are computed anew, are no weights; nor are heads, which have other names.
    const TensorNames& names = architecture_.family->names;
    tensors_.refuse_left_over([&](const std::string& name) {
        const std::string_view own =
            name.starts_with(prefix_) ? std::string_view(name).substr(prefix_.size()) : "";
        return (own.starts_with(names.layer) || own.starts_with("embeddings.")) &&
               !own.ends_with("inv_freq") && !own.ends_with("position_ids");
    });
}

/// Old files call a norm's weight gamma and its bias beta.
const Tensor* Network::find(const std::string& name) const
{
    const std::string full = prefix_ + name;
    if (const Tensor* const found = tensors_.find(full))
        return found;
    for (const auto& [now, then] : {std::pair{"LayerNorm.weight", "LayerNorm.gamma"},
                                    std::pair{"LayerNorm.bias", "LayerNorm.beta"}})
        if (full.ends_with(now))
            return tensors_.find(full.substr(0, full.size() - std::string_view(now).size()) + then);
    return nullptr;
}

const Tensor& Network::tensor(const std::string& name) const
{
    const Tensor* const found = find(name);
    return not_quantised(found != nullptr ? *found : tensors_.require(prefix_ + name));
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

std::vector<float> Network::bias(const std::string& name, std::size_t size, bool needed) const
{
    return needed || (architecture_.may_have_biases && find(name + ".bias") != nullptr)
               ? floats(name + ".bias", {size})
               : std::vector<float>(size);
}

Network::Norm
Network::norm(const std::string& prefix, const char* name, std::size_t norm_width) const
{
    if (name == nullptr)
        return {};
    const std::string full = prefix + name;
    Norm norm{floats(full + ".weight", {norm_width}),
              bias(full, norm_width, architecture_.family->biases != Biases::none)};
    if (architecture_.family->norm == NormKind::rms_above_one)
        for (float& weight : norm.weight)
            weight += 1.0F;
    return norm;
}

Network::Norms Network::norms(const std::string& prefix, const NormNames& names) const
{
    return {norm(prefix, names.before, width()), norm(prefix, names.result, width()),
            norm(prefix, names.sum, width())};
}

/// Joins several layers with the same inputs, side by side.
Linear
Network::linear(const std::string& prefix, const std::vector<Part>& parts, std::size_t inputs) const
{
    std::vector<float> weights;
    std::vector<float> offsets;
    for (const auto& [name, outputs] : parts) {
        const std::string full = prefix + name;
        const std::vector<float> part = floats(full + ".weight", {outputs, inputs});
        weights.insert(weights.end(), part.begin(), part.end());
        const std::vector<float> offset =
            bias(full, outputs, architecture_.family->biases == Biases::all);
        offsets.insert(offsets.end(), offset.begin(), offset.end());
    }
    return {weights, inputs, offsets, arithmetic_};
}

Network::Layer Network::layer(std::size_t number) const
{
    const Family& family = *architecture_.family;
    const TensorNames& names = family.names;
    const std::string prefix = fmt::format("{}{}.", names.layer, number);
    const std::size_t head = architecture_.head_width;
    const std::size_t queries = architecture_.heads * head;
    const std::size_t keys = architecture_.key_heads * head;
    const std::size_t inner = architecture_.inner;
    const auto& [first, second, third] = names.projections;
    std::vector<Part> projections = {{first, architecture_.projected_width()}};
    if (second != nullptr)
        projections = {{first, queries}, {second, keys}, {third, keys}};
    std::vector<Part> up = {{names.up[0], family.is_gated ? 2 * inner : inner}};
    if (names.up[1] != nullptr)
        up = {{names.up[0], inner}, {names.up[1], inner}};
    NormNames attention = names.attention;
    if (number == 0 && !family.norms_first_attention)
        attention.before = nullptr;
    return {linear(prefix, projections, width()),
            norm(prefix, names.query_norm, head),
            norm(prefix, names.key_norm, head),
            linear(prefix, {{names.mixed, width()}}, queries),
            norms(prefix, attention),
            linear(prefix, up, width()),
            linear(prefix, {{names.down, width()}}, inner),
            norms(prefix, names.unit)};
}

void Network::read_embeddings()
{
    const TensorNames& names = architecture_.family->names;
    const std::string words = std::string(names.words) + ".weight";
    prefix_ = tensors_.prefix_of(words);
    words_ = &table(words);
    if (architecture_.family->scales_embeddings)
        word_scale_ = std::sqrt(static_cast<float>(width()));
    if (names.positions != nullptr)
        positions_ =
            floats(std::string(names.positions) + ".weight", {architecture_.positions, width()});
    if (names.segments != nullptr) {
        const Tensor& segments = table(std::string(names.segments) + ".weight");
        types_ = std::min<std::size_t>(segments.shape[0], 2);
        positions_.resize(std::max(positions_.size(), width()));
        const std::vector<float> places = std::exchange(positions_, {});
        std::vector<float> added(width());
        for (std::size_t type = 0; type < types_; ++type) {
            segments.read(type * width(), added);
            for (std::size_t i = 0; i < places.size(); ++i)
                positions_.push_back(places[i] + added[i % width()]);
        }
    }
    embedding_norm_ = norm("", names.embedding_norm, width());
    final_norm_ = norm("", names.final_norm, width());
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

void Network::normalise(const Norm& norm, float* row, float* out, const float* added) const
{
    kernels().add_and_normalise(row, added, out, norm.weight.size(),
                                {norm.weight.data(), norm.bias.data(), architecture_.epsilon,
                                 architecture_.family->norm == NormKind::layer});
}

const float*
Network::normalised(const Norm& norm, float* rows, std::size_t count, std::vector<float>& out) const
{
    if (norm.weight.empty())
        return rows;
    out.resize(std::max(out.size(), Linear::padded(count) * width()));
    for (std::size_t i = 0; i < count; ++i)
        normalise(norm, rows + i * width(), &out[i * width()]);
    return out.data();
}

void Network::add(const Norms& norms,
                  float* rows,
                  std::size_t count,
                  std::vector<float>& added) const
{
    for (std::size_t i = 0; i < count; ++i) {
        float* const row = rows + i * width();
        float* const change = &added[i * width()];
        if (!norms.result.weight.empty())
            normalise(norms.result, change, change);
        if (!norms.sum.weight.empty())
            normalise(norms.sum, row, row, change);
        else
            std::transform(change, change + width(), row, row, std::plus<>());
    }
}

void Network::embed(const Packed& packed, float* rows) const
{
    const bool has_table = architecture_.family->names.positions != nullptr;
    const std::size_t of_a_type = positions_.size() / types_;
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
            if (word_scale_ != 1.0F)
                std::transform(row, row + width(), row,
                               [this](float x) { return x * word_scale_; });
            const std::size_t type = packed.types.empty() ? 0 : packed.types[at] * of_a_type;
            const float* const added = positions_.empty()
                                           ? nullptr
                                           : &positions_[type + (has_table ? place * width() : 0)];
            if (!embedding_norm_.weight.empty())
                normalise(embedding_norm_, row, row, added);
        }
    }
}

void Network::attend(const Packed& packed,
                     const Layer& layer,
                     const LayerPlan& plan,
                     const float* turns,
                     float* projected,
                     std::vector<float>& scratch,
                     const sdk::Call& call) const
{
    const std::size_t size = architecture_.head_width;
    const std::size_t key_heads = architecture_.key_heads;
    Attention attention;
    attention.width = size;
    attention.heads = architecture_.heads / key_heads;
    attention.stride = attention.out_stride = architecture_.projected_width();
    attention.scale = architecture_.scale;
    attention.back = plan.reach;
    attention.ahead = architecture_.family->is_causal ? 0 : plan.reach;
    for (const std::size_t length : packed.lengths) {
        float* const keys = projected + architecture_.heads * size;
        for (std::size_t t = 0; t < length; ++t) {
            const std::size_t at = t * attention.stride;
            for (std::size_t h = 0; h < architecture_.heads && !layer.query_norm.weight.empty();
                 ++h)
                normalise(layer.query_norm, projected + at + h * size, projected + at + h * size);
            for (std::size_t h = 0; h < key_heads && !layer.key_norm.weight.empty(); ++h)
                normalise(layer.key_norm, keys + at + h * size, keys + at + h * size);
            if (turns != nullptr) // queries and keys stand side by side
                kernels().rotate(projected + at, architecture_.heads + key_heads, size,
                                 turns + t * size);
        }
        attention.tokens = length;
        scratch.resize(std::max(scratch.size(), attention_scratch(length, size)));
        attention.scratch = scratch.data();
        for (std::size_t head = 0; head < key_heads; ++head) {
            call.check_cancelled();
            attention.out = projected + head * attention.heads * size;
            attention.queries = attention.out;
            attention.keys = keys + head * size;
            attention.values = keys + (key_heads + head) * size;
            if (!attention_bias_.empty())
                attention.bias = &attention_bias_[head * bias_stride_ + most_tokens() - length];
            kernels().attend(attention);
        }
        projected += length * attention.stride;
    }
}

std::vector<float> Network::run(const Packed& packed, const sdk::Call& call) const
{
    const std::size_t tokens = packed.ids.size();
    const std::size_t longest = std::ranges::max(packed.lengths);
    if (longest > architecture_.most_rotated)
        throw sdk::Error(SENTEVAL_UNSUPPORTED,
                         fmt::format("a text has {} tokens, and beyond {} the model scales its "
                                     "rotary positions, which is not computed here: write "
                                     "max_seq_length {} in its sentence_bert_config.json",
                                     longest, architecture_.most_rotated,
                                     architecture_.most_rotated));
    std::map<double, std::vector<float>> turns; // by theta
    for (const LayerPlan& plan : architecture_.layers)
        if (plan.theta != 0.0 && !turns.contains(plan.theta))
            turns[plan.theta] = turns_of(longest, architecture_.head_width, plan.theta);

    const std::size_t room = Linear::padded(tokens);
    const std::size_t block_room = std::min(room, block_rows);
    const std::size_t stride = architecture_.projected_width();
    const std::size_t mixed_width = layers_.empty() ? 0 : layers_.front().mixed.inputs();
    std::vector<float> rows(room * width());
    std::vector<float> projected(room * stride + behind);
    std::vector<float> mixed(block_room * mixed_width);
    std::vector<float> normed;
    std::vector<float> added(block_room * width());
    std::vector<float> inner(block_room * (layers_.empty() ? 0 : layers_.front().up.outputs()));
    std::vector<float> scratch;
    const auto for_blocks = [&](auto&& work) {
        for (std::size_t begin = 0; begin < tokens; begin += block_rows) {
            call.check_cancelled();
            work(begin, std::min(block_rows, tokens - begin), &rows[begin * width()]);
        }
    };
    embed(packed, rows.data());
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const Layer& layer = layers_[i];
        const LayerPlan& plan = architecture_.layers[i];
        for_blocks([&](std::size_t begin, std::size_t count, float* block) {
            layer.projections.apply(normalised(layer.attention.before, block, count, normed), count,
                                    &projected[begin * stride]);
        });
        attend(packed, layer, plan, plan.theta != 0.0 ? turns.at(plan.theta).data() : nullptr,
               projected.data(), scratch, call);
        for_blocks([&](std::size_t begin, std::size_t count, float* block) {
            for (std::size_t t = 0; t < count; ++t)
                std::copy_n(&projected[(begin + t) * stride], mixed_width, &mixed[t * mixed_width]);
            layer.mixed.apply(mixed.data(), count, added.data());
            add(layer.attention, block, count, added);
            layer.up.apply(normalised(layer.unit.before, block, count, normed), count,
                           inner.data());
            if (architecture_.family->is_gated)
                kernels().gate(architecture_.activation, inner.data(), count, architecture_.inner);
            else
                kernels().activate(architecture_.activation, inner.data(),
                                   count * architecture_.inner);
            layer.down.apply(inner.data(), count, added.data());
            add(layer.unit, block, count, added);
        });
    }
    for (std::size_t t = 0; t < tokens && !final_norm_.weight.empty(); ++t)
        normalise(final_norm_, &rows[t * width()], &rows[t * width()]);
    return rows;
}

} // namespace senteval::transformer
