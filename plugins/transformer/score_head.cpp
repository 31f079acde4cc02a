#include "transformer/score_head.hpp"

#include "transformer/architecture.hpp"
#include "transformer/kernels.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

namespace senteval::transformer {
namespace {

namespace fs = std::filesystem;
using model_files::Json;

constexpr std::array kinds = {
    ScoreKind{"BertForSequenceClassification", Pooling::cls, "pooler.dense", nullptr, "classifier"},
    ScoreKind{"XLMRobertaForSequenceClassification", Pooling::cls, "classifier.dense", nullptr,
              "classifier.out_proj"},
    ScoreKind{"RobertaForSequenceClassification", Pooling::cls, "classifier.dense", nullptr,
              "classifier.out_proj"},
    ScoreKind{"CamembertForSequenceClassification", Pooling::cls, "classifier.dense", nullptr,
              "classifier.out_proj"},
    ScoreKind{"ModernBertForSequenceClassification", Pooling::cls, "head.dense", "head.norm",
              "classifier"},
    ScoreKind{"Qwen3ForSequenceClassification", Pooling::lasttoken, nullptr, nullptr, "score"},
    ScoreKind{"Qwen3ForCausalLM", Pooling::lasttoken},
};

/// A classifier of several classes has no score.
void require_one_label(const fs::path& file, std::size_t labels)
{
    if (labels != 1)
        refuse_model(file,
                     "is of a classifier with {} labels (num_labels), such as NLI; a model that "
                     "gives a pair one score is computed here",
                     labels);
}

} // namespace

const ScoreKind& score_kind_of(const fs::path& folder)
{
    const fs::path file = folder / "config.json";
    const Json config = model_files::read_json(file);
    return *model_files::reading(file, [&] {
        const Json names = config.value("architectures", Json::array());
        const std::string name = names.empty() ? "" : names.at(0).get<std::string>();
        const auto* const found = std::ranges::find(kinds, name, &ScoreKind::name);
        if (found == kinds.end()) {
            std::string known;
            for (const ScoreKind& kind : kinds)
                known += (known.empty() ? "" : ", ") + std::string(kind.name);
            refuse_model(file, "is of the model '{}'; cross-encoders of {} are computed here", name,
                         known);
        }
        if (const Json labels = config.value("id2label", Json());
            !found->is_causal() && !labels.is_null())
            require_one_label(file, labels.size());
        return found;
    });
}

ScoreHead::ScoreHead(const fs::path& folder,
                     const ScoreKind& kind,
                     std::size_t width,
                     const Answers& answers)
    : tensors_(model_files::Tensors::of_folder(folder)), width_(width), pooling_(kind.pooling)
{
    const fs::path file = folder / "config.json";
    const Json config = model_files::read_json(file);
    model_files::reading(file, [&] {
        read_out(kind, config, answers);
        read_dense(kind, config);
    });
    tensors_.refuse_left_over([](const std::string& name) {
        return name.starts_with("classifier.") || name.starts_with("head.") ||
               name.starts_with("score.");
    });
}

/// The name in the file, where the transformer's tensors may stand behind a prefix.
std::string ScoreHead::full(const std::string& name) const
{
    return tensors_.prefix_of(name) + name;
}

std::vector<float> ScoreHead::floats(const std::string& name,
                                     const std::vector<std::size_t>& shape) const
{
    const model_files::Tensor& found = not_quantised(tensors_.require(full(name)));
    found.require_shape(shape);
    return found.floats();
}

void ScoreHead::read_out(const ScoreKind& kind, const Json& config, const Answers& answers)
{
    if (!kind.is_causal()) {
        const std::string name = std::string(kind.out) + ".weight";
        const model_files::Tensor& weight = tensors_.require(full(name));
        if (weight.shape.size() == 2)
            require_one_label(weight.where, weight.shape[0]);
        out_ = floats(name, {1, width_});
        if (!kind.is_instructed())
            offset_ = floats(std::string(kind.out) + ".bias", {1}).front();
        return;
    }
    const bool is_tied = config.value("tie_word_embeddings", Json()) == true;
    const std::string name = full(is_tied ? "embed_tokens.weight" : "lm_head.weight");
    const model_files::Tensor& rows = not_quantised(tensors_.require(name));
    rows.require_shape({rows.shape.empty() ? std::size_t{0} : rows.shape[0], width_});
    const auto row_of = [&](model_files::Id id) {
        if (static_cast<std::size_t>(id) >= rows.shape[0])
            base::refuse(fs::path(rows.where), "has no row {}, of an answer", id);
        std::vector<float> row(width_);
        rows.read(static_cast<std::size_t>(id) * width_, row);
        return row;
    };
    out_ = row_of(answers.yes);
    if (answers.no) {
        const std::vector<float> no = row_of(*answers.no);
        std::ranges::transform(out_, no, out_.begin(), std::minus<>());
    }
}

void ScoreHead::read_dense(const ScoreKind& kind, const Json& config)
{
    if (kind.dense == nullptr)
        return;
    const std::string name = kind.dense;
    const bool is_modern = kind.norm != nullptr;
    const auto is_set = [&](const char* key) { return config.value(key, Json()) == true; };
    if (is_modern) {
        const std::string pooling = config.value("classifier_pooling", "cls");
        if (pooling != "cls" && pooling != "mean")
            throw std::invalid_argument("the classifier_pooling '" + pooling + "'");
        pooling_ = pooling == "cls" ? Pooling::cls : Pooling::mean;
        const std::string said = config.value("classifier_activation", "gelu");
        const auto activation = activation_by_name(said);
        if (!activation)
            throw std::invalid_argument("the classifier_activation '" + said + "'");
        activation_ = *activation;
        norm_weight_ = floats(std::string(kind.norm) + ".weight", {width_});
        norm_bias_ = is_set("norm_bias") ? floats(std::string(kind.norm) + ".bias", {width_})
                                         : std::vector<float>(width_);
        epsilon_ =
            static_cast<float>(model_files::member<double>(config, "norm_eps").value_or(1e-5));
    }
    dense_.emplace(floats(name + ".weight", {width_, width_}), width_,
                   is_modern && !is_set("classifier_bias") ? std::vector<float>()
                                                           : floats(name + ".bias", {width_}),
                   Arithmetic::float32);
}

std::vector<float> ScoreHead::scores(std::span<const float> tokens,
                                     std::span<const std::size_t> lengths) const
{
    std::vector<float> rows(Linear::padded(lengths.size()) * width_);
    const float* from = tokens.data();
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        pool(pooling_, from, width_, lengths[i], 0, &rows[i * width_]);
        from += lengths[i] * width_;
    }
    if (dense_) {
        std::vector<float> result(rows.size());
        dense_->apply(rows.data(), lengths.size(), result.data());
        kernels().activate(activation_, result.data(), lengths.size() * width_);
        rows = std::move(result);
    }
    std::vector<float> logits;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        float* const row = &rows[i * width_];
        if (!norm_weight_.empty())
            kernels().add_and_normalise(row, nullptr, row, width_,
                                        {norm_weight_.data(), norm_bias_.data(), epsilon_, true});
        logits.push_back(
            offset_ + static_cast<float>(std::inner_product(row, row + width_, out_.begin(), 0.0)));
    }
    return logits;
}

} // namespace senteval::transformer
