#include "static/static_encoder.hpp"

#include "base/refuse.hpp"
#include "base/unicode.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace senteval::static_embeddings {
namespace {

namespace fs = std::filesystem;
using model_files::Id;
using model_files::Json;

constexpr std::size_t sentences_per_poll = 1024;

Layout layout_of(const fs::path& folder)
{
    const fs::path own = folder / "config.json";
    const fs::path other = folder / "config_sentence_transformers.json";
    const fs::path below = folder / "0_StaticEmbedding";
    const auto is_whole = [](const fs::path& parts) {
        return fs::exists(parts / "tokenizer.json") && fs::exists(parts / "model.safetensors");
    };
    if (is_whole(folder) && (fs::exists(own) || fs::exists(other)))
        return {folder, fs::exists(own) ? own : other, folder};
    if (is_whole(below) && fs::exists(other))
        return {folder, other, below};
    throw sdk::Error(
        SENTEVAL_NOT_FOUND,
        folder.string() +
            ": is no folder of a static model: one has tokenizer.json and model.safetensors, in "
            "itself or in 0_StaticEmbedding, and config.json or config_sentence_transformers.json");
}

/// sentence-transformers writes no config.json for its own static models, and no `normalize` anywhere.
bool is_model2vec(const Layout& layout)
{
    return layout.config.filename() == "config.json" ||
           model_files::read_json(layout.config).contains("normalize");
}

bool asks_to_normalise(const Layout& layout, const sdk::Host& host)
{
    const fs::path modules = layout.folder / "modules.json";
    if (fs::exists(modules))
        return model_files::reading(modules, [&] {
            const Json list = model_files::read_json(modules);
            std::size_t count = 0;
            std::error_code absent; // Normalize may have no folder
            for (const Json& module : list) {
                model_files::allow_keys(module, "idx name path type kwargs");
                const std::string type = module.at("type");
                if (!type.starts_with("sentence_transformers.") ||
                    !type.ends_with(count++ == 0 ? ".StaticEmbedding" : ".Normalize"))
                    base::refuse(modules,
                                 "has the module {}; a static model is StaticEmbedding, and "
                                 "perhaps Normalize behind it",
                                 type);
                const fs::path parts = layout.folder / module.value("path", "");
                const Json config = model_files::read_json_if(parts / "config.json");
                if (count > 1 && !fs::equivalent(parts, layout.folder, absent))
                    model_files::allow_keys(config, "module_input_name module_output_name");
                else if (count == 1 && module.contains("path") &&
                         !fs::equivalent(parts, layout.parts, absent))
                    base::refuse(modules, "has its table in {}, and there is one in {}",
                                 parts.string(), layout.parts.string());
            }
            if (count == 0)
                base::refuse(modules, "names no module");
            return count > 1;
        });
    return model_files::reading(layout.config, [&] {
        const auto said =
            model_files::member<bool>(model_files::read_json(layout.config), "normalize");
        if (!said)
            host.info(layout.config.string() +
                      ": does not say whether vectors are normalised; they are not");
        return said.value_or(false);
    });
}

enum class Choice { by_folder, yes, no };

bool chosen(Choice choice, bool by_folder)
{
    return choice == Choice::by_folder ? by_folder : choice == Choice::yes;
}

/// Median length in characters, rounded down between the two in the middle.
std::size_t median_length(const std::vector<std::string>& texts)
{
    std::vector<std::size_t> lengths;
    for (const std::string& text : texts)
        lengths.push_back(base::count_characters(text));
    std::ranges::sort(lengths);
    const std::size_t middle = lengths.size() / 2;
    return lengths.size() % 2 == 1 ? lengths[middle] : (lengths[middle - 1] + lengths[middle]) / 2;
}

std::string_view first_characters(std::string_view text, std::size_t count)
{
    if (text.size() <= count)
        return text;
    std::size_t end = 0;
    for (; count > 0 && end < text.size(); --count)
        end += base::bytes_from(text[end]);
    return text.substr(0, end);
}

} // namespace

std::string StaticEncoder::files_of(const char* folder)
{
    const fs::path path(folder);
    const Json config = model_files::read_json_if(path / "config.json");
    const bool has_table =
        fs::exists(path / "model.safetensors") || fs::exists(path / "0_StaticEmbedding");
    const bool is_own = config.contains("model_type")
                            ? config.at("model_type") == "model2vec"
                            : !config.contains("architectures") && has_table;
    return is_own ? model_files::model_files_of(folder) : "";
}

StaticEncoder::StaticEncoder(const sdk::Setup& setup)
    : host_(setup.host),
      layout_(layout_of(setup.params.require<std::string>("model"))),
      is_model2vec_(is_model2vec(layout_)),
      drops_unknown_(
          chosen(setup.params.choice<Choice>(
                     "unknown",
                     {{"auto", Choice::by_folder}, {"drop", Choice::yes}, {"keep", Choice::no}}),
                 is_model2vec_)),
      normalises_(chosen(
          setup.params.choice<Choice>(
              "normalize", {{"auto", Choice::by_folder}, {"yes", Choice::yes}, {"no", Choice::no}}),
          asks_to_normalise(layout_, setup.host))),
      prompts_(model_files::prompts_of(host_,
                                       layout_.folder,
                                       setup.params.get("prompt_name", "default"),
                                       setup.params.get("prompt", ""))),
      tokeniser_(layout_.parts, {&host_, true}),
      tensors_(model_files::Tensors::of_folder(layout_.parts))
{
    drops_unknown_ = drops_unknown_ && tokeniser_.model().names_unknown();
    read_table();
    read_weights();
    tensors_.refuse_left_over([](const std::string&) { return true; });
    if (is_model2vec_)
        read_limit();
    else
        most_tokens_ = tokeniser_.own_limit().value_or(most_tokens_);
    const std::int64_t largest =
        rows_.empty() ? tokeniser_.largest_id() : *std::ranges::max_element(rows_);
    const std::int64_t least = rows_.empty() ? 0 : *std::ranges::min_element(rows_);
    if (least < 0 || largest >= static_cast<std::int64_t>(table_->shape[0]))
        base::refuse("{} has {} rows, and a token needs row {}", table_->where, table_->shape[0],
                     least < 0 ? least : largest);
}

void StaticEncoder::read_table()
{
    for (const char* const name : {"embeddings", "embedding.weight", "0"})
        if (table_ == nullptr)
            table_ = tensors_.find(name);
    if (table_ == nullptr)
        base::refuse(layout_.parts / "model.safetensors",
                     "has no tensor 'embeddings' or 'embedding.weight', so it is no static model; "
                     "'transformer' reads BERT and its kin");
    if (table_->shape.size() != 2 || table_->shape[1] == 0)
        base::refuse("{} is no table", table_->where);
    std::vector<float> probe(1);
    if (table_->size > 0)
        table_->read(0, probe); // refuses a type that cannot be read
}

void StaticEncoder::read_limit()
{
    const Json config = model_files::read_json(layout_.config);
    const auto limit = model_files::reading(layout_.config, [&]() -> std::optional<std::size_t> {
        if (layout_.config.filename() == "config.json")
            model_files::allow_keys(
                config, "normalize max_length model_type architectures tokenizer_name apply_pca "
                        "apply_zipf sif_coefficient hidden_dim seq_length pooling embedding_dtype "
                        "token_remove_pattern vocabulary_quantization head_config base_model_name "
                        "language transformers_version");
        if (!config.contains("max_length"))
            return 512; // of Model2Vec
        return config["max_length"].is_null()
                   ? std::nullopt
                   : std::optional(model_files::count_of(config, "max_length"));
    });
    if (!limit)
        return;
    most_tokens_ = *limit;
    most_characters_ = *limit * median_length(tokeniser_.token_texts());
}

void StaticEncoder::read_weights()
{
    if (tensors_.find("embedding.weight") == table_) // which holds them
        return;
    const auto tokens = static_cast<std::size_t>(tokeniser_.largest_id()) + 1;
    const auto require_all = [&](const model_files::Tensor& tensor) {
        if (tensor.size < tokens)
            base::refuse("{} has {} elements, and the tokenizer {} tokens", tensor.where,
                         tensor.size, tokens);
    };
    if (const model_files::Tensor* const weights = tensors_.find("weights")) {
        require_all(*weights);
        weights_ = weights->floats();
    }
    if (const model_files::Tensor* const mapping = tensors_.find("mapping")) {
        require_all(*mapping);
        rows_ = mapping->integers();
    }
}

std::vector<Id>
StaticEncoder::ids_of(const std::string& prompt, std::string_view text, std::size_t* length) const
{
    std::vector<Id> ids;
    tokeniser_.append(first_characters(prompt + std::string(text), most_characters_), ids);
    *length = ids.size();
    if (is_model2vec_)
        ids.resize(std::min(ids.size(), most_tokens_));
    else
        tokeniser_.cut(ids, most_tokens_);
    if (drops_unknown_)
        std::erase(ids, *tokeniser_.model().unknown());
    return ids;
}

/// Says how many texts of the task are cut.
void StaticEncoder::prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples) const
{
    std::size_t long_texts = 0;
    std::size_t many_tokens = 0;
    for (std::size_t i = 0; most_tokens_ < no_limit && i < samples.size(); ++i) {
        if (i % sentences_per_poll == 0)
            call.check_cancelled();
        std::size_t length = 0;
        if (first_characters(samples[i], most_characters_).size() < samples[i].size())
            ++long_texts;
        else if (prompts_.plain.size() + samples[i].size() > most_tokens_) // of a byte, or more
            static_cast<void>(ids_of(prompts_.plain, samples[i], &length));
        many_tokens += length > most_tokens_ ? 1U : 0U;
    }
    model_files::warn_of_cut(host_, task, long_texts, samples.size(), most_characters_,
                             "characters");
    model_files::warn_of_cut(host_, task, many_tokens, samples.size(), most_tokens_);
}

void StaticEncoder::encode(sdk::Call& call,
                           const std::string& prompt,
                           sdk::Batch batch,
                           sdk::Matrix out) const
{
    std::vector<float> row(dimension());
    std::vector<double> sum(dimension());
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (i % sentences_per_poll == 0)
            call.check_cancelled();
        std::ranges::fill(sum, 0.0);
        std::size_t length = 0;
        const std::vector<Id> ids = ids_of(prompt, batch[i], &length);
        for (const Id id : ids) {
            const auto token = static_cast<std::size_t>(id);
            const auto at = rows_.empty() ? token : static_cast<std::size_t>(rows_[token]);
            table_->read(at * row.size(), row);
            const float weight = weights_.empty() ? 1.0F : weights_[token];
            for (std::size_t j = 0; j < row.size(); ++j)
                sum[j] += static_cast<double>(row[j] * weight);
        }
        double scale = ids.empty() ? 0.0 : 1.0 / static_cast<double>(ids.size());
        if (normalises_) {
            double squares = 0.0;
            for (const double value : sum)
                squares += value * value;
            scale = squares > 0.0 ? 1.0 / std::sqrt(squares) : 0.0;
        }
        std::ranges::transform(sum, out.row(i).begin(),
                               [scale](double value) { return static_cast<float>(value * scale); });
    }
}

} // namespace senteval::static_embeddings
