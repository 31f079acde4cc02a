#include "transformer/cross_encoder.hpp"

#include "base/refuse.hpp"
#include "model_files/files.hpp"
#include "model_files/prompts.hpp"
#include "transformer/architecture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace senteval::transformer {
namespace {

namespace fs = std::filesystem;
using model_files::Id;
using model_files::Json;

// What a Qwen3 reranker reads, by its model card.
constexpr std::string_view chat_before =
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and "
    "the Instruct provided. Note that the answer can only be \"yes\" or \"no\".<|im_end|>\n"
    "<|im_start|>user\n";
constexpr std::string_view chat_after =
    "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n";
constexpr std::string_view usual_instruction =
    "Given a web search query, retrieve relevant passages that answer the query";

/// The same as a template that sentence-transformers reads; others are not computed here.
std::string known_chat_template()
{
    constexpr std::string_view chosen =
        R"({{{{ messages | selectattr("role", "eq", "{}") | map(attribute="content") | first }}}})";
    return fmt::format(
        R"({}<Instruct>: {{% set s = messages | selectattr("role", "eq", "system") | map(attribute="content") | list %}})"
        R"({{{{ s[0] if s else "{}" }}}})"
        "\n<Query>: {}\n<Document>: {}{}{{{{ \"\" }}}}",
        chat_before, usual_instruction, fmt::format(chosen, "query"),
        fmt::format(chosen, "document"), chat_after);
}

Json purpose_of(const ScoreKind& kind)
{
    const Json forward = {{"method", "forward"}, {"method_output_name", "logits"}};
    Json message = forward;
    message["format"] = "flat";
    if (kind.is_causal())
        return {{"transformer_task", "text-generation"},
                {"module_output_name", "causal_logits"},
                {"modality_config", {{"text", forward}, {"message", message}}}};
    return {{"transformer_task", "sequence-classification"},
            {"module_output_name", "scores"},
            {"modality_config", {{"text", forward}}}};
}

/// In folders that sentence-transformers has written: one Transformer, and of a causal model LogitScore behind it.
void check_modules(const fs::path& folder, const ScoreKind& kind)
{
    std::string types;
    std::string kinds;
    bool are_known = true;
    for (const auto& [type, last, path] : modules_of(folder)) {
        are_known = are_known && type.starts_with("sentence_transformers.");
        types += " " + type;
        kinds += " " + last;
    }
    are_known =
        are_known && kinds == (kind.is_causal() ? " Transformer LogitScore" : " Transformer");
    if (fs::exists(folder / "modules.json") && !are_known)
        refuse_model(folder / "modules.json",
                     "has the modules{}; of cross-encoders sentence_transformers' Transformer, and "
                     "LogitScore behind a causal one, are computed here",
                     types);
}

/// Refuses what may leave scores in another order than logits.
void check_activation(const fs::path& folder, const fs::path& inner)
{
    const Json config = model_files::read_json(inner / "config.json");
    const Json beside = model_files::read_json_if(folder / "config_sentence_transformers.json");
    model_files::reading(folder, [&] {
        for (const Json& name :
             {beside.value("activation_fn", Json()),
              config.value("sbert_ce_default_activation_function", Json()),
              config.value("sentence_transformers", Json::object()).value("activation_fn", Json())})
            if (!name.is_null() && name != "torch.nn.modules.linear.Identity" &&
                name != "torch.nn.modules.activation.Sigmoid")
                refuse_model(folder,
                             "has the activation {}; Identity and Sigmoid of torch are computed "
                             "here",
                             name.dump());
    });
}

/// Throws sdk::Error where the chat template of a folder with modules is another one.
void check_chat_template(const fs::path& inner)
{
    const fs::path file = inner / "chat_template.jinja";
    const Json beside = model_files::read_json_if(inner / "tokenizer_config.json");
    std::string text;
    if (fs::exists(file))
        text = fmt::format("{}", fmt::join(model_files::read_lines(file), "\n"));
    else if (const Json said = beside.value("chat_template", Json()); said.is_string())
        text = said;
    if (text != known_chat_template())
        refuse_model(file, "is missing or is another chat template than Qwen3-Reranker's, which "
                           "alone is computed here");
}

} // namespace

std::string CrossEncoder::files_of(const char* folder)
{
    try {
        return is_cross_encoder(folder) ? model_files::model_files_of(folder) : "";
    } catch (const sdk::Error&) { // TransformerEncoder says why
        return "";
    }
}

CrossEncoder::CrossEncoder(const sdk::Setup& setup)
    : host_(setup.host),
      folder_(setup.params.require<std::string>("model")),
      inner_(transformer_folder(folder_)),
      kind_(score_kind_of(inner_)),
      network_(inner_, arithmetic_from(setup.params), Purpose::scores),
      settings_(text_settings_of(inner_, purpose_of(kind_))),
      tokeniser_(inner_,
                 {.host = &host_, .lowers = settings_.lowers, .joins = !kind_.is_instructed()}),
      head_(inner_, kind_, network_.width(), answers())
{
    require_vocabulary(inner_, tokeniser_, network_);
    check_modules(folder_, kind_);
    check_activation(folder_, inner_);
    if (!settings_.surrounds)
        refuse_model(inner_ / "sentence_bert_config.json",
                     "leaves out special tokens, without which nothing is between two texts");
    const fs::path config = inner_ / "config.json";
    model_files::warn_of_others(
        host_, config, model_files::read_json(config),
        known_keys(network_.family()) +
            " num_labels sbert_ce_default_activation_function sentence_transformers");
    read_prompt(setup);
    read_limit(setup);
}

/// LogitScore's, else "yes" and "no" of the vocabulary.
Answers CrossEncoder::answers() const
{
    if (!kind_.is_causal())
        return {};
    if (const std::vector<Module> modules = modules_of(folder_); modules.size() > 1) {
        const fs::path file = modules[1].folder / "config.json";
        const Json config = model_files::read_json(file);
        return model_files::reading(file, [&]() -> Answers {
            model_files::allow_keys(
                config, "true_token_id false_token_id module_input_name module_output_name");
            if (config.value("module_input_name", "causal_logits") != "causal_logits")
                throw std::invalid_argument("a module_input_name other than causal_logits");
            const bool has_no = !config.value("false_token_id", Json()).is_null();
            return {model_files::id_from(config.at("true_token_id")),
                    has_no ? std::optional(model_files::id_from(config.at("false_token_id")))
                           : std::nullopt};
        });
    }
    const auto one = [this](const char* word) {
        const std::vector<Id> ids = ids_of(word);
        if (ids.size() != 1)
            base::refuse(inner_, "its vocabulary has no token '{}', which a reranker answers",
                         word);
        return ids.front();
    };
    return {one("yes"), one("no")};
}

std::vector<Id> CrossEncoder::ids_of(std::string_view text) const
{
    std::vector<Id> ids;
    tokeniser_.append(text, ids);
    return ids;
}

void CrossEncoder::read_prompt(const sdk::Setup& setup)
{
    const char* const own = kind_.is_instructed() ? "instruction" : "prompt";
    const char* const other = kind_.is_instructed() ? "prompt" : "instruction";
    if (!std::string(setup.params.get(other, "")).empty())
        base::refuse("parameter '{}' is not for a {}; use '{}'", other, kind_.name, own);
    prompt_ = model_files::prompts_of(host_, folder_, "default", setup.params.get(own, ""),
                                      "CrossEncoder")
                  .plain;
    if (!kind_.is_instructed())
        return;
    if (prompt_.empty())
        prompt_ = usual_instruction;
    if (fs::exists(folder_ / "modules.json"))
        check_chat_template(inner_);
    before_ = ids_of(chat_before);
    after_ = ids_of(chat_after);
}

void CrossEncoder::read_limit(const sdk::Setup& setup)
{
    const std::size_t positions = network_.most_tokens();
    const auto own = settings_.most_tokens ? settings_.most_tokens : own_limit_of(inner_);
    const std::int64_t asked = setup.params.get("max_length", 0);
    if (asked < 0 || static_cast<std::size_t>(asked) > positions)
        base::refuse("parameter 'max_length' is {}, and the model reads 1 to {} tokens", asked,
                     positions);
    if (!own && asked == 0 && network_.family().positions_after_pad)
        host_.warn(fmt::format("{}: names no model_max_length; pairs are cut at the {} tokens that "
                               "the model has positions for",
                               inner_.string(), positions));
    limit_ =
        asked > 0 ? static_cast<std::size_t>(asked) : std::min(own.value_or(positions), positions);
    require_room(inner_, limit_,
                 kind_.is_instructed() ? before_.size() + after_.size()
                                       : tokeniser_.pair().special());
}

void CrossEncoder::prepare(sdk::Call& /*call*/, const sdk::Task& /*task*/, sdk::Batch query)
{
    query_.reset();
    if (query.size() != 1)
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         fmt::format("a cross-encoder judges documents by one query, and was "
                                     "given {}: it has no vectors of texts, and is for --rerank",
                                     query.size()));
    query_ = query[0];
    query_ids_ = kind_.is_instructed() ? std::vector<Id>() : ids_of(prompt_ + *query_);
}

model_files::TypedIds CrossEncoder::pair_with(std::string_view document) const
{
    model_files::TypedIds pair;
    std::size_t whole = 0;
    if (kind_.is_instructed()) {
        std::vector<Id> body = ids_of(fmt::format("<Instruct>: {}\n<Query>: {}\n<Document>: {}",
                                                  prompt_, query_.value(), document));
        whole = before_.size() + body.size() + after_.size();
        tokeniser_.cut(body, limit_ - before_.size() - after_.size());
        for (const auto* const part : {&before_, &std::as_const(body), &after_})
            pair.ids.insert(pair.ids.end(), part->begin(), part->end());
    } else {
        std::vector<Id> ids = ids_of(document);
        whole = query_ids_.size() + ids.size() + tokeniser_.pair().special();
        pair = tokeniser_.join(query_ids_, std::move(ids), limit_);
    }
    if (network_.types() == 1)
        pair.types.clear();
    if (whole > limit_ && !has_cut_.exchange(true))
        host_.warn(fmt::format("{}: a query and a document of more than {} tokens are cut",
                               folder_.string(), limit_));
    return pair;
}

void CrossEncoder::encode(sdk::Call& call, sdk::Batch documents, sdk::Matrix out) const
{
    if (!query_)
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         "a cross-encoder has to be shown a query first");
    const auto add = [&](std::size_t i, Packed& packed) {
        auto [ids, types] = pair_with(documents[i]);
        packed.ids = std::move(ids);
        packed.types = std::move(types);
    };
    in_packs(documents.size(), add, [&](const Packed& packed, std::size_t first) {
        const std::vector<float> logits = head_.scores(network_.run(packed, call), packed.lengths);
        for (std::size_t i = 0; i < logits.size(); ++i)
            out.row(first + i)[0] = logits[i];
    });
}

} // namespace senteval::transformer
