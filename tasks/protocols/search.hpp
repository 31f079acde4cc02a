// search.hpp -- queries find documents, or put candidates in order: as trec_eval and MTEB (2.20) measure it.
#pragma once

#include "tasks/protocols/protocol.hpp"

#include <cstddef>
#include <vector>

namespace senteval::tasks {

struct SearchRules {
    std::vector<std::size_t> cutoffs = {1, 3, 5, 10, 20, 100, 1000};
    bool reranks = false; ///< orders the candidates of each query, not the whole corpus
    bool ignore_identical_ids = false; ///< a document with the query's id is not found
    bool skip_first_result = false;    ///< the best document of each query is not counted
};

/// Parts: "queries" (tested, with judgements) and "corpus". Items: queries. Metrics, for each cutoff k: ndcg_at_k,
/// map_at_k, mrr_at_k, recall_at_k, precision_at_k, hit_rate_at_k, means over the queries in per cent. A query none of
/// whose judged documents is relevant counts, with 0.
Protocol search_protocol(const SearchRules& rules);

} // namespace senteval::tasks
