#include "transformer/transformer_encoder.hpp"

#include "model_files/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

namespace senteval::transformer {
namespace {

namespace fs = std::filesystem;
using model_files::Id;
using model_files::Json;

constexpr std::size_t sentences_per_poll = 256;

Json purpose()
{
    return {{"transformer_task", "feature-extraction"},
            {"module_output_name", "token_embeddings"},
            {"modality_config",
             {{"text", {{"method", "forward"}, {"method_output_name", "last_hidden_state"}}}}}};
}

HeadChoices choices_from(const sdk::Params& params)
{
    HeadChoices choices;
    if (const std::string pooling = params.get("pooling", "auto"); pooling != "auto")
        choices.pooling = pooling;
    choices.normalises = params.choice<std::optional<bool>>(
        "normalize", {{"auto", std::nullopt}, {"yes", true}, {"no", false}});
    choices.has_dense = params.choice<bool>("dense", {{"auto", true}, {"none", false}});
    return choices;
}

/// How the folder says that texts are read, but for what the user chose.
model_files::TokeniserOptions
reading_of(const sdk::Params& params, const TextSettings& settings, const sdk::Host& host)
{
    model_files::TokeniserOptions options{&host, false, settings.lowers};
    const auto special = params.choice<std::pair<bool, bool>>(
        "special_tokens", {{"auto", {settings.surrounds, settings.surrounds}},
                           {"none", {false, false}},
                           {"start", {true, false}},
                           {"end", {false, true}}});
    std::tie(options.begins, options.ends) = special;
    options.keeps_last = params.choice<std::optional<bool>>(
        "truncation_side", {{"auto", std::nullopt}, {"right", false}, {"left", true}});
    const auto lowers = params.choice<std::optional<bool>>(
        "case", {{"auto", std::nullopt}, {"keep", false}, {"lower", true}});
    options.lowers = lowers.value_or(settings.lowers);
    options.keeps_case = lowers == false;
    return options;
}

/// The user's limit of tokens, else the folder's, which transformers cuts to what the network has.
std::size_t limit_from(const sdk::Params& params,
                       const TextSettings& settings,
                       const fs::path& folder,
                       std::size_t most)
{
    const std::int64_t chosen = params.get("max_length", 0);
    if (chosen < 0 || static_cast<std::uint64_t>(chosen) > most)
        throw sdk::Error(
            SENTEVAL_INVALID_ARGUMENT,
            fmt::format("parameter 'max_length' is {}, and this model reads 1 to {} tokens", chosen,
                        most));
    return chosen > 0
               ? static_cast<std::size_t>(chosen)
               : std::min(settings.most_tokens.value_or(own_limit_of(folder).value_or(most)), most);
}

} // namespace

std::string TransformerEncoder::files_of(const char* folder)
{
    try {
        const Json config = model_files::read_json_if(transformer_folder(folder) / "config.json");
        const bool is_own = config.contains("model_type") ? config.at("model_type") != "model2vec"
                                                          : config.contains("architectures");
        return is_own && !is_cross_encoder(folder) ? model_files::model_files_of(folder) : "";
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
      settings_(text_settings_of(inner_, purpose())),
      tokeniser_(inner_, reading_of(setup.params, settings_, host_)),
      head_(folder_, network_.width(), choices_from(setup.params), setup.host)
{
    require_vocabulary(inner_, tokeniser_, network_);
    const fs::path config = inner_ / "config.json";
    model_files::warn_of_others(host_, config, model_files::read_json(config),
                                known_keys(network_.family()));
    most_tokens_ = limit_from(setup.params, settings_, inner_, network_.most_tokens());
    require_room(inner_, most_tokens_, tokeniser_.before().size() + tokeniser_.after().size());
    read_prompts(setup.params);
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
    const auto add = [&](std::size_t i, Packed& packed) {
        packed.ids = ids_of(prompt, batch[i], nullptr);
    };
    in_packs(batch.size(), add, [&](const Packed& packed, std::size_t first) {
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
    });
}

} // namespace senteval::transformer
