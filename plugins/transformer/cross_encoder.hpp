// cross_encoder.hpp -- cross-encoders from a folder, as it is downloaded: a score for a query and a document.
#pragma once

#include "model_files/tokeniser.hpp"
#include "transformer/model_folder.hpp"
#include "transformer/network.hpp"
#include "transformer/score_head.hpp"

#include <senteval/encoder.hpp>

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::transformer {

/// Logits as sentence-transformers' CrossEncoder computes them with the activation Identity, in float32. Pairs are
/// computed as TransformerEncoder computes sentences.
class CrossEncoder {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.cross-encoder",
        .name = "Cross-encoder",
        .version = "1.0",
        .description = "Reranks documents: BERT, XLM-R, ModernBERT and Qwen3 that judge pairs of "
                       "texts, from a Hugging Face folder with safetensors.",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC,
    };
    static constexpr senteval_param_spec params[] = {
        sdk::path_param(
            "model", "Folder with config.json, model.safetensors and tokenizer.json or vocab.txt."),
        sdk::param("prompt", "", "Text before every query, in place of the folder's prompt."),
        sdk::param("instruction",
                   "",
                   "Of Qwen3: what relevance is, in place of \"Given a web search query, retrieve "
                   "relevant passages that answer the query\"."),
        sdk::param("max_length", 0, "Most tokens of a pair; 0: as the folder says."),
        sdk::param("arithmetic",
                   "float32",
                   "Type of products: float32, or bfloat16 (about twice as fast, scores differ by "
                   "some 1e-2; only on processors that have it)."),
    };
    static constexpr bool reranks = true;

    static constexpr const char* folder_parameter = "model";
    /// Files of every folder whose model judges pairs, also of one that is not computed here: this encoder says why.
    static std::string files_of(const char* folder);

    explicit CrossEncoder(const sdk::Setup& setup);

    [[nodiscard]] std::size_t dimension() const noexcept { return 1; }
    /// `query`: one text, by which documents are judged from now on.
    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch query);
    void encode(sdk::Call& call, sdk::Batch documents, sdk::Matrix out) const;

    /// The tokens of the query and a document.
    [[nodiscard]] model_files::TypedIds pair_with(std::string_view document) const;

private:
    void read_limit(const sdk::Setup& setup);
    void read_prompt(const sdk::Setup& setup);
    [[nodiscard]] Answers answers() const;
    [[nodiscard]] std::vector<model_files::Id> ids_of(std::string_view text) const;

    sdk::Host host_;
    std::filesystem::path folder_; ///< the model's
    std::filesystem::path inner_;  ///< the transformer's, in it
    const ScoreKind& kind_;        // first: another model is refused before its weights
    Network network_;
    TextSettings settings_;
    model_files::Tokeniser tokeniser_;
    ScoreHead head_;
    std::string prompt_; ///< of a kind that is instructed: the instruction
    std::size_t limit_ = 0;
    std::vector<model_files::Id> before_; ///< around both texts, of a kind that is instructed
    std::vector<model_files::Id> after_;
    std::optional<std::string> query_;
    std::vector<model_files::Id> query_ids_;
    mutable std::atomic<bool> has_cut_ = false; ///< and said so
};

} // namespace senteval::transformer
