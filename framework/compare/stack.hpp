// stack.hpp -- the steps of a search, each against what it is made of: encoders, fusions, rerankers and their depths.
#pragma once

#include "base/nan.hpp"
#include "compare/results.hpp"
#include "stats/interval.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace senteval::compare {

/// Fewest queries of a verdict.
inline constexpr std::size_t fewest_queries = 25;

struct StackRow {
    std::string label;
    std::size_t depth = 0; ///< of reranking; 0: a first stage
    double value = base::nan;
    double found = base::nan; ///< % of the relevant documents among the first 100
    std::optional<double> ms; ///< a query
    std::size_t chunks = 0;   ///< into which documents are cut; 0: they are whole
    std::size_t documents = 0;
    std::size_t bytes = 0; ///< of all vectors
    std::string over; ///< the row that it is compared with; of a fusion, its part that is nearest
    double difference = base::nan;
    stats::Interval interval{base::nan, base::nan};
    bool is_gain = false; ///< the interval is above 0: of a fusion, over each part
    bool is_within =
        false; ///< of a smaller depth: within the margin of the largest, as all between are
    bool is_best = false;    ///< of the table, or not significantly worse than that
    bool is_cheaper = false; ///< than the best of the table
};

/// The rows of one task, each first stage before what is reranked of it, the largest depth first.
struct StackTask {
    std::string task;
    std::string metric;
    std::size_t queries = 0;
    std::size_t comparisons = 0; ///< that share the error of 5 %
    double margin = 0;           ///< 0: none
    bool has_verdict = false;    ///< there are enough queries
    double missed =
        base::nan; ///< % of what is relevant that the best first stage lacks in its first 100
    std::vector<StackRow> rows;
};

/// The tasks with fused, reranked or cut rows. Differences are paired over queries, in points; intervals are Student's, all of a task
/// with one critical value (Bonferroni). `metric`: a path; empty: the headline. Throws base::UsageError where a task has no such
/// metric by query.
std::vector<StackTask> stacks_of(const Results& results, const std::string& metric, double margin);

} // namespace senteval::compare
