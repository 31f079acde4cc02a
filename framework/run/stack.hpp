// stack.hpp -- what is made of rankings: fusions of several, and reranked ones. A search task's rankings are kept in the store,
// so nothing is encoded again.
//
// A row of results is a recipe: "bm25+MiniLM:rrf" fuses two encoders of the run, "bm25+MiniLM:rrf > reranker@50" reranks its
// first 50 documents.
#pragma once

#include "measures/fusion.hpp"
#include "run/evaluate.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::run {

/// A fusion as the user writes it: PART+PART[+...]:METHOD[K][@DEPTH][,WEIGHT...|,*]. Methods are rrf (K: 60), minmax and z
/// (weighted sums of scores so scaled, 1/parts each), combsum, combsum-z, combmnz, combmnz-z. `*` chooses the weights of two
/// parts on the half of the queries that is not scored.
struct FusionRecipe {
    std::string text;
    std::vector<std::string> parts; ///< labels of encoders
    measures::Fusion fusion;
    std::size_t depth = usual_depth; ///< of the lists
    bool fits_weights = false;
};

/// Throws base::UsageError for what is none, or names an encoder that is not one of `labels`.
FusionRecipe parse_fusion(const std::string& text, std::span<const std::string> labels);

struct Stack {
    std::vector<FusionRecipe> fusions;
    std::vector<std::size_t> depths; ///< of reranking, ascending
    std::vector<EncoderSource> rerankers;

    [[nodiscard]] bool is_empty() const { return fusions.empty() && rerankers.empty(); }
    /// Documents of each query that a ranking needs.
    [[nodiscard]] std::size_t deepest() const;
};

/// Whether the task is a search, so that it has rankings.
bool is_search(const task::Task& task);

/// Computes the rows on each search among `tasks`. `records`: what the run's encoders have there. Reports as evaluate() does;
/// a row whose part has failed fails.
void evaluate_stack(const Stack& stack,
                    std::span<const task::Task* const> tasks,
                    std::span<const results::Result> records,
                    const EvaluateOptions& options,
                    Observer& observer);

} // namespace senteval::run
