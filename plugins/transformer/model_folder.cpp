#include "transformer/model_folder.hpp"

#include "base/processor.hpp"
#include "base/refuse.hpp"
#include "model_files/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace senteval::transformer {
namespace {

namespace fs = std::filesystem;
using model_files::Json;

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
void require_only(const Json& config, const std::string& key, const Json& value)
{
    if (const Json said = config.value(key, Json()); !said.is_null() && said != value)
        throw std::invalid_argument(fmt::format("the {} {}", key, said.dump()));
}

} // namespace

std::vector<Module> modules_of(const fs::path& folder)
{
    const fs::path file = folder / "modules.json";
    const Json list = model_files::read_json_if(file);
    return model_files::reading(file, [&] {
        std::vector<Module> modules;
        std::set<std::string> names;
        for (const Json& entry : list) {
            model_files::allow_keys(entry, "idx name path type kwargs");
            const std::string name = entry.value("name", std::to_string(modules.size()));
            if (!names.insert(name).second)
                base::refuse(file, "has two modules of the name '{}'", name);
            const std::string type = entry.at("type");
            if (type.starts_with("pylate."))
                refuse_model(file, "is of a ColBERT model ({}), with a vector for each token",
                             type);
            modules.push_back(
                {type, type.substr(type.rfind('.') + 1),
                 folder / fs::path(entry.at("path").get<std::string>()).relative_path()});
        }
        return modules;
    });
}

fs::path transformer_folder(const fs::path& folder)
{
    for (const Module& module : modules_of(folder))
        if (module.kind == "Transformer")
            return module.folder;
    return folder;
}

bool is_cross_encoder(const fs::path& folder)
{
    const std::vector<Module> modules = modules_of(folder);
    if (std::ranges::find(modules, "Pooling", &Module::kind) != modules.end())
        return false;
    if (std::ranges::find(modules, "LogitScore", &Module::kind) != modules.end())
        return true;
    const fs::path file = transformer_folder(folder) / "config.json";
    const Json config = model_files::read_json_if(file);
    return model_files::reading(file, [&] {
        for (const std::string name : config.value("architectures", Json::array()))
            if (name.ends_with("ForSequenceClassification") ||
                (name == "Qwen3ForCausalLM" && modules.empty())) // as they are published
                return true;
        return false;
    });
}

TextSettings text_settings_of(const fs::path& folder, const Json& purpose)
{
    const bool joins = purpose.at("transformer_task") != "feature-extraction";
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
        for (const auto& [key, value] : purpose.items())
            require_only(config, key, value);
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
                    (truncation != "only_first" || joins))
                    throw std::invalid_argument("the truncation " + truncation.dump());
                if (const auto most = limit_of(one, "max_length"))
                    settings.most_tokens = most;
            }
    });
    return settings;
}

std::optional<std::size_t> own_limit_of(const fs::path& folder)
{
    const fs::path file = folder / "tokenizer_config.json";
    const Json config = model_files::read_json_if(file);
    return model_files::reading(file, [&] { return limit_of(config, "model_max_length"); });
}

void require_vocabulary(const fs::path& folder,
                        const model_files::Tokeniser& tokeniser,
                        const Network& network)
{
    const auto largest = static_cast<std::size_t>(tokeniser.largest_id());
    if (largest >= network.vocabulary())
        base::refuse(folder, "its tokenizer has the id {}, and its table of tokens {} rows",
                     largest, network.vocabulary());
    if (10 * (largest + 1) < 9 * network.vocabulary())
        base::refuse(
            folder,
            "its tokenizer names {} tokens, and its table has {} rows: is the vocabulary cut "
            "short?",
            largest + 1, network.vocabulary());
}

void require_room(const fs::path& folder, std::size_t limit, std::size_t special)
{
    if (limit <= special)
        base::refuse(folder,
                     "a limit of {} tokens leaves none for the text, beside {} special ones", limit,
                     special);
}

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

} // namespace senteval::transformer
