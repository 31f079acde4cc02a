#include "transformer/transformer_encoder.hpp"

#include "base/processor.hpp"
#include "base/refuse.hpp"
#include "model_files/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

namespace senteval::transformer {
namespace {

namespace fs = std::filesystem;
using model_files::Id;
using model_files::Json;

/// Most tokens of sentences that are computed together.
constexpr std::size_t tokens_at_once = 512;
constexpr std::size_t sentences_per_poll = 256;

Arithmetic arithmetic_from(const sdk::Params& params)
{
    const auto chosen = params.choice<Arithmetic>(
        "arithmetic", {{"float32", Arithmetic::float32}, {"bfloat16", Arithmetic::bfloat16}});
    if (chosen == Arithmetic::bfloat16 && !base::processor_features().bfloat16)
        throw sdk::Error(
            SENTEVAL_UNSUPPORTED,
            "parameter 'arithmetic' is 'bfloat16', and this processor does not multiply "
            "bfloat16 (AVX512_BF16); use float32");
    return chosen;
}

HeadChoices choices_from(const sdk::Params& params)
{
    HeadChoices choices;
    if (const std::string pooling = params.get("pooling", "auto"); pooling != "auto")
        choices.pooling = pooling;
    choices.normalises = params.choice<std::optional<bool>>(
        "normalize", {{"auto", std::nullopt}, {"yes", true}, {"no", false}});
    return choices;
}

/// A limit of tokens, which may be 1e30 where there is none.
std::optional<std::size_t> limit_of(const Json& config, const char* key)
{
    const Json said = config.value(key, Json());
    if (said.is_null())
        return std::nullopt;
    const double most = said.is_number() ? said.get<double>() : 0.0;
    if (!(most >= 1.0) || (most < 1e9 && most != std::floor(most)))
        throw std::length_error(fmt::format("its {} is {}", key, said.dump()));
    return static_cast<std::size_t>(std::min(most, 1e9));
}

/// Refuses a key that says another thing than the one that is computed here.
void require_only(const Json& config, const char* key, const Json& value)
{
    if (const Json said = config.value(key, Json()); !said.is_null() && said != value)
        throw std::invalid_argument(fmt::format("the {} {}", key, said.dump()));
}

/// Of sentence_bert_config.json, or of the first that is there of its older names.
TextSettings text_settings_of(const fs::path& folder)
{
    TextSettings settings;
    fs::path file;
    Json config = Json::object();
    for (const char* const name :
         {"bert", "roberta", "distilbert", "camembert", "albert", "xlm-roberta", "xlnet"})
        if (config.empty()) {
            file = folder / fmt::format("sentence_{}_config.json", name);
            config = model_files::read_json_if(file);
        }
    model_files::reading(file, [&] {
        model_files::allow_keys(config,
                                "max_seq_length do_lower_case processing_kwargs unpad_inputs "
                                "transformer_task module_output_name modality_config");
        require_only(config, "transformer_task", "feature-extraction");
        require_only(config, "module_output_name", "token_embeddings");
        require_only(
            config, "modality_config",
            {{"text", {{"method", "forward"}, {"method_output_name", "last_hidden_state"}}}});
        settings.lowers = model_files::member<bool>(config, "do_lower_case").value_or(false);
        settings.most_tokens = limit_of(config, "max_seq_length");
        const Json calls = config.value("processing_kwargs", Json::object());
        model_files::allow_keys(calls, "text common audio image video chat_template");
        for (const char* const kind : {"common", "text"})
            if (const Json one = calls.value(kind, Json()); !one.is_null()) {
                model_files::allow_keys(one, "add_special_tokens max_length truncation padding "
                                             "padding_side pad_to_multiple_of return_tensors "
                                             "return_attention_mask return_token_type_ids");
                settings.surrounds = model_files::member<bool>(one, "add_special_tokens")
                                         .value_or(settings.surrounds);
                const auto truncation = one.value("truncation", Json(true));
                if (truncation != true && truncation != "longest_first" &&
                    truncation != "only_first")
                    throw std::invalid_argument("the truncation " + truncation.dump());
                if (const auto most = limit_of(one, "max_length"))
                    settings.most_tokens = most;
            }
    });
    return settings;
}

} // namespace

std::string TransformerEncoder::files_of(const char* folder)
{
    try {
        const Json config = model_files::read_json_if(transformer_folder(folder) / "config.json");
        const bool is_own = config.contains("model_type") ? config.at("model_type") != "model2vec"
                                                          : config.contains("architectures");
        return is_own ? model_files::model_files_of(folder) : "";
    } catch (const sdk::Error&) { // which the constructor will say, where there are weights
        const bool has_modules = fs::exists(fs::path(folder) / "modules.json");
        for (const auto& entry : fs::recursive_directory_iterator(folder))
            if (entry.path().extension() == ".safetensors" || entry.path().extension() == ".bin")
                return has_modules ? "modules.json\n" : "config.json\n";
        return "";
    }
}

TransformerEncoder::TransformerEncoder(const sdk::Setup& setup)
    : host_(setup.host),
      folder_(setup.params.require<std::string>("model")),
      inner_(transformer_folder(folder_)),
      network_(inner_, arithmetic_from(setup.params)),
      settings_(text_settings_of(inner_)),
      tokeniser_(inner_, {&host_, false, settings_.lowers, settings_.surrounds}),
      head_(folder_, network_.width(), choices_from(setup.params), setup.host)
{
    if (const auto largest = static_cast<std::size_t>(tokeniser_.largest_id());
        largest >= network_.vocabulary())
        base::refuse(inner_, "its tokenizer has the id {}, and its table of tokens {} rows",
                     largest, network_.vocabulary());
    else if (10 * (largest + 1) < 9 * network_.vocabulary())
        base::refuse(
            inner_,
            "its tokenizer names {} tokens, and its table has {} rows: is the vocabulary cut "
            "short?",
            largest + 1, network_.vocabulary());
    const fs::path config = inner_ / "config.json";
    model_files::warn_of_others(host_, config, model_files::read_json(config),
                                known_keys(network_.family()));
    read_limit();
    read_prompts(setup.params);
}

void TransformerEncoder::read_limit()
{
    const fs::path file = inner_ / "tokenizer_config.json";
    const Json config = model_files::read_json_if(file);
    const auto own =
        model_files::reading(file, [&] { return limit_of(config, "model_max_length"); });
    most_tokens_ = std::min(settings_.most_tokens.value_or(own.value_or(network_.most_tokens())),
                            network_.most_tokens());
    const std::size_t special = tokeniser_.before().size() + tokeniser_.after().size();
    if (most_tokens_ <= special)
        base::refuse(inner_,
                     "a limit of {} tokens leaves none for the text, beside {} special ones",
                     most_tokens_, special);
}

void TransformerEncoder::read_prompts(const sdk::Params& values)
{
    const model_files::Prompts<> texts = model_files::prompts_of(
        host_, folder_, values.get("prompt_name", "default"), values.get("prompt", ""));
    prompts_ = {made_prompt(texts.plain), made_prompt(texts.query), made_prompt(texts.document),
                texts.similarity};
    if (texts.similarity)
        identity_ = Json{{"similarity", *texts.similarity}}.dump();
}

TransformerEncoder::Prompt TransformerEncoder::made_prompt(std::string text) const
{
    Prompt prompt{std::move(text)};
    if (!prompt.text.empty() && !head_.pools_prompt())
        prompt.tokens =
            tokeniser_.encode(prompt.text, most_tokens_).size() - tokeniser_.after().size();
    return prompt;
}

std::vector<Id>
TransformerEncoder::ids_of(const Prompt& prompt, std::string_view text, std::size_t* length) const
{
    std::vector<Id> ids = tokeniser_.encode(prompt.text + std::string(text), most_tokens_, length);
    if (ids.empty()) // of a tokenizer without special tokens: something has to be computed
        ids.push_back(0);
    return ids;
}

/// Says how many texts of the task are cut.
void TransformerEncoder::prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples)
{
    std::size_t cut = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (i % sentences_per_poll == 0)
            call.check_cancelled();
        std::size_t length = 0;
        static_cast<void>(ids_of(prompts_.plain, samples[i], &length));
        cut += length > most_tokens_ ? 1U : 0U;
    }
    model_files::warn_of_cut(host_, task, cut, samples.size(), most_tokens_);
}

void TransformerEncoder::encode(sdk::Call& call,
                                const Prompt& prompt,
                                sdk::Batch batch,
                                sdk::Matrix out) const
{
    const auto flush = [&](Packed& packed, std::size_t first) {
        const std::vector<float> tokens =
            head_.before_pooling(network_.run(packed, call), packed.ids.size());
        const std::size_t count = packed.lengths.size();
        std::vector<float> pooled(Linear::padded(count) * head_.pooled_width());
        std::size_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t skipped = std::min(prompt.tokens, packed.lengths[i] - 1);
            head_.pool(&tokens[at * head_.token_width()], packed.lengths[i], skipped,
                       &pooled[i * head_.pooled_width()]);
            at += packed.lengths[i];
        }
        const std::vector<float> vectors = head_.finish(std::move(pooled), count);
        for (std::size_t i = 0; i < count; ++i)
            std::copy_n(&vectors[i * dimension()], dimension(), out.row(first + i).begin());
        packed = {};
    };
    Packed packed;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const std::vector<Id> ids = ids_of(prompt, batch[i], nullptr);
        if (!packed.ids.empty() && packed.ids.size() + ids.size() > tokens_at_once)
            flush(packed, i - packed.lengths.size());
        packed.ids.insert(packed.ids.end(), ids.begin(), ids.end());
        packed.lengths.push_back(ids.size());
    }
    if (!packed.ids.empty())
        flush(packed, batch.size() - packed.lengths.size());
}

} // namespace senteval::transformer
