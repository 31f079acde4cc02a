#include "use/model.hpp"

#include "base/refuse.hpp"
#include "model_files/safetensors.hpp"

#include <algorithm>
#include <list>
#include <set>
#include <utility>

namespace senteval::use {
namespace {

namespace fs = std::filesystem;
using model_files::Json;
using model_files::Tensor;
using Shape = std::vector<std::size_t>;

constexpr std::size_t element_bytes = 4;
constexpr std::size_t most_elements = std::size_t{1} << 32U; ///< of a tensor
constexpr std::size_t layer_count = 2;
constexpr std::size_t heads = 4;
constexpr float norm_epsilon = 1e-6F;
constexpr float least_square = 1e-12F; ///< of the length of a sentence's vector

std::vector<std::string> names_in(const fs::path& model, const Json& document)
{
    std::vector<std::string> names;
    std::set<std::string> seen;
    for (const Json& group : document.at("weightsManifest"))
        for (const std::string name : group.at("paths")) {
            if (fs::path(name).filename() != name || !seen.insert(name).second)
                base::refuse(model, "names the file '{}', which is not beside it, or named twice",
                             name);
            names.push_back(name);
        }
    return names;
}

/// The tensors of model.json. Their bytes follow each other in its joined files; the graph is not read.
class Shards {
public:
    explicit Shards(const fs::path& folder) : model_(folder / "model.json")
    {
        const Json document = model_files::read_json(model_);
        std::size_t wanted = 0;
        std::size_t size = 0;
        std::list<base::MappedFile> files;
        model_files::reading(model_, [&] {
            for (const Json& group : document.at("weightsManifest"))
                for (const Json& entry : group.at("weights"))
                    wanted += add(entry) * element_bytes;
            for (const std::string& name : names_in(model_, document)) {
                size += files.emplace_back(base::open_file(folder / name)).bytes().size();
            }
        });
        if (size != wanted)
            for (const std::string& name : names_in(model_, document))
                base::refuse_disguise(folder / name, base::open_file(folder / name).bytes(),
                                      base::Wanted::model);
        if (size != wanted)
            base::refuse(model_, "its tensors have {} bytes, and its files of weights {}", wanted,
                         size);
        bytes_.reserve(size);
        for (const base::MappedFile& file : files)
            bytes_ += file.bytes();
        std::string_view rest = bytes_;
        for (auto& [name, tensor] : tensors_) {
            tensor.bytes = rest.substr(0, tensor.size * element_bytes);
            rest.remove_prefix(tensor.bytes.size());
        }
    }

    /// The only tensor with `part` in its name, as whole steps of the path.
    [[nodiscard]] const Tensor& require(const std::string& part) const
    {
        const Tensor* found = nullptr;
        for (const auto& [name, tensor] : tensors_)
            if (("/" + name + "/").find("/" + part + "/") != std::string::npos) {
                if (found != nullptr)
                    base::refuse(model_, "has several tensors '{}'", part);
                found = &tensor;
            }
        if (found == nullptr)
            base::refuse(model_, "has no tensor '{}', so it is not Universal Sentence Encoder lite",
                         part);
        return *found;
    }

    [[nodiscard]] std::vector<float> floats(const std::string& part, const Shape& shape) const
    {
        require(part).require_shape(shape);
        return require(part).floats();
    }

private:
    /// Returns the number of its elements.
    std::size_t add(const Json& entry)
    {
        const std::string name = entry.at("name");
        const std::string type = entry.at("dtype");
        if ((type != "float32" && type != "int32") || entry.contains("quantization"))
            base::refuse(model_,
                         "tensor '{}' is quantised, or of type {}; float32 and int32 are read",
                         name, type);
        Tensor tensor{fmt::format("{}: tensor '{}'", model_.string(), name),
                      type == "float32" ? "F32" : "I32",
                      {},
                      {},
                      1};
        for (const Json& length : entry.at("shape")) {
            tensor.shape.push_back(length.get<std::size_t>());
            if (!length.is_number_unsigned() ||
                __builtin_mul_overflow(tensor.size, tensor.shape.back(), &tensor.size) ||
                tensor.size > most_elements)
                base::refuse(model_, "tensor '{}' has an impossible shape", name);
        }
        return tensors_.emplace_back(name, std::move(tensor)).second.size;
    }

    fs::path model_;
    std::vector<std::pair<std::string, Tensor>> tensors_; ///< and their names
    std::string bytes_;
};

/// y = x W + b, with W of inputs x outputs; kernels of attention have two lengths of 1 in front.
Linear linear(const Shards& shards, const std::string& path, const char* kernel, std::size_t inputs)
{
    const Tensor& weights = shards.require(path + kernel);
    const std::size_t outputs =
        weights.shape.empty() ? 1 : std::max<std::size_t>(weights.shape.back(), 1);
    Shape shape(weights.shape.size() == 4 ? 2 : 0, 1);
    shape.insert(shape.end(), {inputs, outputs});
    weights.require_shape(shape);
    return {numeric::Weights(weights.floats(), outputs), shards.floats(path + "bias", {outputs})};
}

Norm norm(const Shards& shards, const std::string& path, std::size_t width)
{
    const std::string name = path + "layer_prepostprocess/layer_norm/layer_norm_";
    return {shards.floats(name + "scale", {width}), shards.floats(name + "bias", {width})};
}

Layer layer(const Shards& shards, const std::string& path, std::size_t width)
{
    const std::string attention = path + "MultiheadAttention/";
    Linear mixed = linear(shards, attention + "output_transform_single/", "kernel", width);
    const std::size_t out = mixed.weights.rows();
    Linear up = linear(shards, path + "FFN/conv1/", "Tensordot/Reshape_1", out);
    Linear down = linear(shards, path + "FFN/conv2/", "Tensordot/Reshape_1", up.weights.rows());
    Linear projections = linear(shards, attention + "qkv_transform_single/", "kernel", width);
    std::optional<Linear> residual;
    if (out != width)
        residual = linear(shards, path + "dense/", "kernel", width);
    if (width == 0 || width % heads != 0 || projections.weights.rows() != 3 * width ||
        down.weights.rows() != out || (residual && residual->weights.rows() != out))
        base::refuse("{}: the layer's sizes do not fit each other, or its 4 heads",
                     shards.require(attention + "mul/y").where);
    return {norm(shards, path, width),
            std::move(projections),
            shards.floats(attention + "mul/y", {}).front(),
            std::move(mixed),
            std::move(residual),
            norm(shards, path + "FFN/", out),
            std::move(up),
            std::move(down)};
}

/// Zeros, with room for whole tiles of products.
arma::fmat columns(std::size_t width, std::size_t count)
{
    return {width, numeric::filled_up(count, numeric::tile_columns), arma::fill::zeros};
}

arma::fmat apply(const Linear& linear, const arma::fmat& in)
{
    arma::fmat product(linear.weights.output_rows(), in.n_cols);
    linear.weights.multiply(in.memptr(), in.n_cols, product.memptr());
    arma::fmat result = product.head_rows(linear.weights.rows());
    result.each_col() += linear.bias;
    return result;
}

arma::fmat apply(const Norm& norm, arma::fmat in)
{
    in.each_row() -= arma::mean(in, 0);
    in.each_row() /= arma::sqrt(arma::mean(arma::square(in), 0) + norm_epsilon);
    in.each_col() %= norm.scale;
    in.each_col() += norm.bias;
    return in;
}

/// Each token's values, mixed over the tokens of its sentence, by head.
arma::fmat attend(const arma::fmat& projected, float scale, const Packed& packed)
{
    const std::size_t width = projected.n_rows / 3;
    const std::size_t size = width / heads;
    arma::fmat mixed(width, projected.n_cols, arma::fill::zeros);
    std::size_t first = 0;
    for (const std::size_t length : packed.lengths) {
        for (std::size_t head = 0; head < width && length > 0; head += size) {
            const auto part = [&](std::size_t row) -> arma::fmat {
                return projected.submat(row + head, first, arma::size(size, length));
            };
            const arma::fmat queries = part(0) * scale;
            const arma::fmat keys = part(width);
            const arma::fmat values = part(2 * width);
            for (std::size_t i = 0; i < length; ++i) { // not by BLAS, which rounds by its threads
                arma::frowvec shares = arma::sum(keys.each_col() % queries.col(i), 0);
                shares = arma::exp(shares - shares.max());
                shares /= arma::accu(shares);
                mixed.submat(head, first + i, arma::size(size, 1)) =
                    arma::sum(values.each_row() % shares, 1);
            }
        }
        first += length;
    }
    return mixed;
}

arma::fmat apply(const Layer& layer, const arma::fmat& in, const Packed& packed)
{
    const arma::fmat projected = apply(layer.projections, apply(layer.attention_norm, in));
    const arma::fmat attended = apply(layer.mixed, attend(projected, layer.scale, packed)) +
                                (layer.residual ? apply(*layer.residual, in) : in);
    arma::fmat inner = apply(layer.up, apply(layer.inner_norm, attended));
    inner.transform([](float value) { return std::max(value, 0.0F); });
    return apply(layer.down, inner) + attended;
}

} // namespace

std::vector<std::string> weight_files(const fs::path& folder)
{
    const fs::path model = folder / "model.json";
    const Json document = model_files::read_json_if(model);
    return document.contains("weightsManifest") ? names_in(model, document)
                                                : std::vector<std::string>();
}

Network::Network(const fs::path& folder)
{
    const Shards shards(folder);
    const Tensor& table = shards.require("Embeddings_en");
    std::size_t width = table.shape.empty() ? 0 : table.shape.back();
    const arma::vec frequencies = arma::conv_to<arma::vec>::from(
        shards.floats("AddTimingSignal/TimingSignal/ExpandDims_1", {1, width / 2}));
    const arma::mat angles = frequencies * arma::regspace<arma::rowvec>(0, most_tokens - 1);
    timing_ =
        arma::conv_to<arma::fmat>::from(arma::join_cols(arma::sin(angles), arma::cos(angles)));
    table.require_shape({table.size / std::max<std::size_t>(width, 1), 2 * frequencies.n_elem});
    embeddings_ = arma::fmat(table.floats().data(), width, table.shape.front());
    for (std::size_t i = 0; i < layer_count; ++i) {
        layers_.push_back(layer(shards, fmt::format("Layer_{}/TransformerLayer/", i), width));
        width = layers_.back().down.weights.rows();
    }
    last_ = linear(shards, "tanh_layer_0/", "weights", width);
}

arma::fmat Network::run(const Packed& packed) const
{
    arma::fmat tokens = columns(embeddings_.n_rows, packed.ids.size());
    std::size_t at = 0;
    for (const std::size_t length : packed.lengths)
        for (std::size_t t = 0; t < length; ++t, ++at) // the model's graph adds a token's row twice
            tokens.col(at) =
                2.0F * embeddings_.col(static_cast<std::size_t>(packed.ids[at])) + timing_.col(t);
    for (const Layer& layer : layers_)
        tokens = apply(layer, tokens, packed);
    arma::fmat means = columns(tokens.n_rows, packed.lengths.size());
    at = 0;
    for (std::size_t i = 0; i < packed.lengths.size(); at += packed.lengths[i++])
        if (packed.lengths[i] > 0)
            means.col(i) = arma::mean(tokens.cols(at, at + packed.lengths[i] - 1), 1);
    arma::fmat vectors = arma::tanh(apply(*last_, means));
    const arma::frowvec squares = arma::sum(arma::square(vectors), 0);
    vectors.each_row() /= arma::sqrt(arma::clamp(squares, least_square, arma::Datum<float>::inf));
    return vectors;
}

} // namespace senteval::use
