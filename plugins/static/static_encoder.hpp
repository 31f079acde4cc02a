// static_encoder.hpp -- Model2Vec and other static token embeddings: the mean of rows of a table.
#pragma once

#include "model_files/prompts.hpp"
#include "model_files/safetensors.hpp"
#include "model_files/tokeniser.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace senteval::static_embeddings {

/// Layout of a folder: all in it, or tokenizer and table in 0_StaticEmbedding below it.
struct Layout {
    std::filesystem::path folder;
    std::filesystem::path config; ///< config.json, else config_sentence_transformers.json
    std::filesystem::path parts;  ///< the folder of tokenizer.json and model.safetensors
};

/// Vectors as Model2Vec computes them, or sentence-transformers where the folder is its own: the mean of the tokens'
/// rows, each times its token's weight, in double precision. A text without known tokens is zeros.
class StaticEncoder {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.static",
        .name = "Static token embeddings",
        .version = "1.0",
        .description = "Mean of the rows of a table of token embeddings: Model2Vec models, and "
                       "static models of "
                       "sentence-transformers.",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC | SENTEVAL_CAP_PREPARE_IRRELEVANT,
    };
    static constexpr senteval_param_spec params[] = {
        sdk::path_param("model", "Folder with tokenizer.json and model.safetensors."),
        sdk::param(
            "unknown",
            "auto",
            "Tokens that the vocabulary lacks: drop (as Model2Vec), keep (their row counts, as in "
            "sentence-transformers), or auto (by the folder)."),
        sdk::param(
            "normalize",
            "auto",
            "Vectors of length 1: yes, no, or auto (by the folder; no where it does not say)."),
        sdk::param("prompt", "", "Text before every sentence, in place of the folder's prompt."),
        sdk::param("prompt_name",
                   "default",
                   "A prompt of config_sentence_transformers.json: default (query and document "
                   "in a search, else the one that it names, if any), none, or its name."),
    };

    static constexpr const char* folder_parameter = "model";
    /// Files of a folder of Model2Vec, or of sentence-transformers with a table of embeddings as its first module.
    static std::string files_of(const char* folder);

    explicit StaticEncoder(const sdk::Setup& setup);

    [[nodiscard]] std::size_t dimension() const noexcept { return table_->shape[1]; }
    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples) const;
    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
    {
        encode(call, prompts_.plain, batch, out);
    }
    void encode_as(sdk::Call& call, sdk::Role role, sdk::Batch batch, sdk::Matrix out) const
    {
        encode(call, prompts_.of(role), batch, out);
    }
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const
    {
        tokeniser_.count_known(batch, tokens, known);
    }

private:
    static constexpr std::size_t no_limit = static_cast<std::size_t>(-1);

    void read_table();
    void read_weights();
    void read_limit();
    void
    encode(sdk::Call& call, const std::string& prompt, sdk::Batch batch, sdk::Matrix out) const;
    /// Tokens of a text whose rows are averaged; `length`: how many there were before they were cut.
    [[nodiscard]] std::vector<model_files::Id>
    ids_of(const std::string& prompt, std::string_view text, std::size_t* length) const;

    sdk::Host host_;
    Layout layout_;
    bool is_model2vec_;
    bool drops_unknown_;
    bool normalises_;
    model_files::Prompts<> prompts_;
    model_files::Tokeniser tokeniser_;
    model_files::Tensors tensors_;
    const model_files::Tensor* table_ = nullptr; ///< rows x dimension
    std::vector<std::int64_t> rows_;             ///< by token; empty: the token's id
    std::vector<float> weights_;                 ///< by token; empty: 1
    std::size_t most_characters_ = no_limit;     ///< of a text; Model2Vec cuts it
    std::size_t most_tokens_ = no_limit;
};

} // namespace senteval::static_embeddings
