// transformer_encoder.hpp -- sentence transformers from a folder, as it is downloaded.
#pragma once

#include "model_files/prompts.hpp"
#include "model_files/tokeniser.hpp"
#include "transformer/head.hpp"
#include "transformer/model_folder.hpp"
#include "transformer/network.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::transformer {

/// Vectors as sentence-transformers computes them, in float32. Sentences are computed without padding, each by itself
/// but in the products, whose rows do not depend on each other.
class TransformerEncoder {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.transformer",
        .name = "Sentence transformer",
        .version = "1.0",
        .description =
            "BERT, RoBERTa, ModernBERT, NomicBERT, Qwen3, Gemma and others with pooling, from a "
            "Hugging Face folder with safetensors.",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC | SENTEVAL_CAP_PREPARE_IRRELEVANT,
    };
    static constexpr senteval_param_spec params[] = {
        sdk::path_param(
            "model", "Folder with config.json, model.safetensors and tokenizer.json or vocab.txt."),
        sdk::param("prompt", "", "Text before every sentence, in place of the folder's prompt."),
        sdk::param("prompt_name",
                   "default",
                   "A prompt of config_sentence_transformers.json: default (query and document "
                   "in a search, else the one that it names, if any), none, or its name."),
        sdk::param("pooling",
                   "auto",
                   "cls, max, mean, mean_sqrt_len_tokens, weightedmean or lasttoken, several "
                   "joined by '+', or "
                   "auto (by modules.json; mean where there is none)."),
        sdk::param("normalize", "auto", "Vectors of length 1: yes, no, or auto (by the folder)."),
        sdk::param("dense", "auto", "The folder's dense layers: auto (computed), or none."),
        sdk::param("max_length", 0, "Most tokens of a text; 0: as the folder says."),
        sdk::param("truncation_side",
                   "auto",
                   "Where longer texts are cut: right, left, or auto (by the folder)."),
        sdk::param("special_tokens",
                   "auto",
                   "Those around a text: auto (by the folder), none, start (those before it alone) "
                   "or end."),
        sdk::param("case", "auto", "keep, lower, or auto (by the folder)."),
        sdk::param("arithmetic",
                   "float32",
                   "Type of products: float32, or bfloat16 (about twice as fast, vectors differ by "
                   "some 1e-2; only on processors that have it)."),
    };

    static constexpr const char* folder_parameter = "model";
    /// Files of every folder whose configuration names the type of a transformer, also of one that is not computed
    /// here: this encoder says why. So it does of a folder with weights whose JSON cannot be read.
    static std::string files_of(const char* folder);

    explicit TransformerEncoder(const sdk::Setup& setup);

    [[nodiscard]] std::size_t dimension() const noexcept { return head_.dimension(); }
    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples);
    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
    {
        encode(call, prompts_.plain, batch, out);
    }
    void encode_as(sdk::Call& call, sdk::Role role, sdk::Batch batch, sdk::Matrix out) const
    {
        encode(call, prompts_.of(role), batch, out);
    }
    /// States the similarity that the folder is for, where it says so.
    [[nodiscard]] const std::string& identity() const noexcept { return identity_; }
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const
    {
        tokeniser_.count_known(batch, tokens, known);
    }

private:
    /// Text before another.
    struct Prompt {
        std::string text;
        std::size_t tokens = 0; ///< those that pooling leaves out
    };

    void read_prompts(const sdk::Params& values);
    [[nodiscard]] Prompt made_prompt(std::string text) const;
    void encode(sdk::Call& call, const Prompt& prompt, sdk::Batch batch, sdk::Matrix out) const;
    /// Tokens with special ones, cut; `length`: how many there were.
    [[nodiscard]] std::vector<model_files::Id>
    ids_of(const Prompt& prompt, std::string_view text, std::size_t* length) const;

    sdk::Host host_;
    std::filesystem::path folder_; ///< the model's
    std::filesystem::path inner_;  ///< the transformer's, in it
    Network network_;              // first: another architecture is refused before its tokenizer
    TextSettings settings_;
    model_files::Tokeniser tokeniser_;
    Head head_;
    model_files::Prompts<Prompt> prompts_;
    std::string identity_ = "{}";
    std::size_t most_tokens_ = 0;
};

} // namespace senteval::transformer
