// ranking.hpp -- measures of a ranked list of documents for one query, by the rules of trec_eval.
// | A query is an item: a score is the mean over all queries that have judgments. One whose judged documents are all
// irrelevant counts, with 0.
#pragma once

#include <cstddef>
#include <span>

namespace senteval::measures {

/// Measures of the first k documents; each in [0, 1], and 0 for a query without relevant documents.
struct RankingMeasures {
    /// Sum of grade / log2(rank + 1) over the largest that any list of k documents has (Järvelin & Kekäläinen 2002).
    double ndcg = 0;
    double map = 0;    ///< sum of the precisions at the relevant ranks, over all relevant documents
    double mrr = 0;    ///< 1 / rank of the first relevant document
    double recall = 0; ///< share of all relevant documents
    double precision = 0; ///< relevant documents / k, also where fewer than k were found
    double hit_rate = 0;  ///< 1 if any of them is relevant
};

/// `ranked`: the grades of the documents found, best first. `judged`: those of all judged documents of the query, in
/// any order. A document is relevant from grade 1; unjudged ones have 0. Throws base::Error for k = 0.
RankingMeasures
ranking_measures(std::span<const int> ranked, std::span<const int> judged, std::size_t k);

/// Whether queries of low confidence are those of low value: MTEB's "nauc" (2.26). The area under the mean value of the
/// queries that are left when the r least confident are put aside, r from 0 to 0.9 of them, between that of no such choice
/// (0) and that of the best one (1). Queries of equal confidence count with their mean each: nothing says which of them is
/// put aside. NaN where there is nothing to choose.
double abstention_gain(std::span<const double> confidence, std::span<const double> values);

} // namespace senteval::measures
