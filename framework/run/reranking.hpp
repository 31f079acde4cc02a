// reranking.hpp -- what a reranker says of the documents that a search found.
#pragma once

#include "encoder/encoder.hpp"
#include "results/rankings.hpp"
#include "run/evaluate.hpp"
#include "task/task.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace senteval::run {

/// The first `depth` documents that are found; where a task has candidates, of all of them.
std::span<const results::Found>
first_of(const std::vector<results::Found>& found, std::size_t depth, bool has_candidates);

/// Those that first_of() gives by the reranker's scores, of equal ones the larger id first, then the others as they were.
results::Rankings rerank(const results::Rankings& first,
                         const results::Rankings& scores,
                         std::size_t depth,
                         bool has_candidates);

/// Asks a reranker for the scores of pairs. All arguments must outlive it.
class Judge {
public:
    /// Starts the reranker where only that tells its identity.
    Judge(const EncoderSource& source,
          const task::Task& task,
          const task::LoadedTask& loaded,
          const EvaluateOptions& options,
          Observer& observer);

    [[nodiscard]] const encoder::Identity& identity() const;

    /// Whether a score depends on nothing but its pair, as far as that is known without starting the reranker.
    [[nodiscard]] bool is_batch_invariant() const;

    /// Adds scores of the first `depth` documents of each query of each ranking, where there are none. Throws base::Error
    /// naming the query.
    void add(std::span<const results::Rankings* const> rankings,
             std::size_t depth,
             results::Rankings& scores);

    /// Milliseconds; nothing where nothing was asked.
    [[nodiscard]] std::optional<double> ms_a_document() const;

private:
    void start();
    void judge(const std::string& query,
               const std::set<std::string>& documents,
               std::vector<results::Found>& scores);

    const EncoderSource& source_;
    const task::Task& task_;
    const EvaluateOptions& options_;
    Observer& observer_;
    task::Searched searched_;
    std::unordered_map<std::string_view, std::size_t> query_numbers_;
    std::unordered_map<std::string_view, std::size_t> document_numbers_;
    std::unique_ptr<encoder::Encoder> encoder_;
    double seconds_ = 0;
    std::size_t judged_ = 0;
};

} // namespace senteval::run
