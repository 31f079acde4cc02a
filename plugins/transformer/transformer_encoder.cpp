#include "transformer/transformer_encoder.hpp"

#include "base/processor.hpp"
#include "base/refuse.hpp"
#include "base/unicode.hpp"
#include "model_files/files.hpp"
#include "model_files/unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
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
      tokeniser_(inner_),
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
    read_limit();
    read_prompts(setup.params);
}

void TransformerEncoder::read_limit()
{
    std::optional<std::size_t> said;
    for (const char* const name :
         {"bert", "roberta", "distilbert", "camembert", "xlm-roberta", "mpnet"}) {
        const fs::path file = inner_ / fmt::format("sentence_{}_config.json", name);
        const Json config = model_files::read_json_if(file);
        model_files::reading(file, [&] {
            if (const Json limit = config.value("max_seq_length", Json());
                limit.is_number_unsigned())
                said = limit.get<std::size_t>();
            else if (!limit.is_null())
                base::refuse(file, "has the impossible max_seq_length {}", limit.dump());
            lowers_ = lowers_ || model_files::member<bool>(config, "do_lower_case").value_or(false);
        });
    }
    const fs::path file = inner_ / "tokenizer_config.json";
    const Json config = model_files::read_json_if(file);
    model_files::reading(file, [&] {
        if (config.value("truncation_side", Json("right")) != "right")
            refuse_model(file, "has the truncation_side {}; right alone is computed here",
                         config["truncation_side"].dump());
        if (const auto limit = model_files::member<double>(config, "model_max_length");
            limit && !said) // which may be 1e30 where there is none
            said = static_cast<std::size_t>(std::clamp(*limit, 0.0, 1e9));
    });
    most_tokens_ = std::min(said.value_or(network_.most_tokens()), network_.most_tokens());
    const std::size_t special = tokeniser_.before().size() + tokeniser_.after().size();
    if (most_tokens_ <= special)
        base::refuse(inner_,
                     "a limit of {} tokens leaves none for the text, beside {} special ones",
                     most_tokens_, special);
}

/// Reads prompts as sentence-transformers chooses: for queries and documents that of their name, for all others the
/// default.
void TransformerEncoder::read_prompts(const sdk::Params& values)
{
    const fs::path file = folder_ / "config_sentence_transformers.json";
    const Json config = model_files::read_json_if(file);
    const std::string name = values.get("prompt_name", "default");
    model_files::reading(file, [&] {
        const Json prompts = config.value("prompts", Json::object());
        const auto named = [&](std::initializer_list<std::string_view> names,
                               const Prompt& otherwise) {
            for (const std::string_view one : names)
                if (const auto text = model_files::member<std::string>(prompts, one))
                    return made_prompt(*text);
            return otherwise;
        };
        const std::string chosen =
            name == "default"
                ? model_files::member<std::string>(config, "default_prompt_name").value_or("none")
                : name;
        if (const std::string given = values.get("prompt", ""); !given.empty())
            prompt_ = made_prompt(given);
        else if (chosen != "none" && !prompts.contains(chosen))
            base::refuse(file, "has no prompt '{}'; it has {}", chosen,
                         prompts.empty() ? "none" : prompts.dump());
        else if (chosen != "none")
            prompt_ = named({chosen}, {});
        query_prompt_ = document_prompt_ = prompt_;
        if (name == "default" && values.get("prompt", "").empty()) {
            query_prompt_ = named({"query"}, prompt_);
            document_prompt_ = named({"document", "passage", "corpus"}, prompt_);
        }
        if (const auto similarity = model_files::member<std::string>(config, "similarity_fn_name"))
            identity_ = Json{{"similarity", *similarity}}.dump();
    });
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
    std::string whole = prompt.text;
    whole += text;
    if (lowers_)
        whole = model_files::python_lower(whole);
    std::vector<Id> ids = tokeniser_.encode(base::strip(whole), most_tokens_, length);
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
        static_cast<void>(ids_of(prompt_, samples[i], &length));
        cut += length > most_tokens_ ? 1U : 0U;
    }
    model_files::warn_of_cut(host_, task, cut, samples.size(), most_tokens_);
}

void TransformerEncoder::encode_as(sdk::Call& call,
                                   sdk::Role role,
                                   sdk::Batch batch,
                                   sdk::Matrix out) const
{
    encode(call,
           role == sdk::Role::query      ? query_prompt_
           : role == sdk::Role::document ? document_prompt_
                                         : Prompt(),
           batch, out);
}

void TransformerEncoder::encode(sdk::Call& call,
                                const Prompt& prompt,
                                sdk::Batch batch,
                                sdk::Matrix out) const
{
    const auto flush = [&](Packed& packed, std::size_t first) {
        const std::vector<float> tokens = network_.run(packed, call);
        const std::size_t count = packed.lengths.size();
        std::vector<float> pooled(Linear::padded(count) * head_.pooled_width());
        std::size_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t skipped = std::min(prompt.tokens, packed.lengths[i] - 1);
            head_.pool(&tokens[(at + skipped) * network_.width()], packed.lengths[i] - skipped,
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
