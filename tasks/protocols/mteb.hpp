// mteb.hpp -- protocols as MTEB (2.26) has them, for texts.
#pragma once

#include "tasks/protocols/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace senteval::tasks {

struct SearchRules {
    std::vector<std::size_t> cutoffs = {1, 3, 5, 10, 20, 100, 1000};
    bool reranks = false; ///< orders the candidates of each query, not the whole corpus
    bool ignore_identical_ids = false; ///< a document with the query's id is not found
    bool skip_first_result = false;    ///< the best document of each query is not counted
};

/// Parts: "queries" (tested, with judgements) and "corpus". Items: queries. Metrics, for each cutoff k: ndcg_at_k,
/// map_at_k, mrr_at_k, recall_at_k, precision_at_k, hit_rate_at_k, means over the queries in per cent, as trec_eval
/// measures them. A query none of whose judged documents is relevant counts, with 0.
Protocol search_protocol(const SearchRules& rules);

/// Part "test" (tested) with labels: all rows, by k-means with as many clusters as there are classes, at each seed.
/// Items: documents. Metrics, in per cent: v_measure, homogeneity, completeness, adjusted_rand,
/// adjusted_mutual_information.
Protocol clustering_protocol();

/// What MTEB's one random generator of a task drew for the parts of it that come before: a list of numbers for each part.
using EarlierDraws = std::vector<std::vector<std::size_t>>;

/// Rules of clustering on rows drawn with replacement, several times for each level of labels.
struct BootstrapRules {
    std::optional<double> share = 0.04; ///< of the rows, which are drawn first; none: all
    std::optional<std::size_t> most;    ///< number of rows in place of a share
    std::size_t drawn = 16384;
    std::size_t clusterings = 10;
    std::size_t batch = 512;
    std::size_t levels = 0; ///< at most so many; 0: all
    EarlierDraws earlier;   ///< rows, levels
};

/// Part "test" (tested) with label_sets as levels, of the rows that mteb_rows() draws. Metrics: v_measure over the
/// documents, each counted once, a mean over clusterings and levels; and MTEB's own, over the rows as they were drawn:
/// mteb.v_measure, mteb.ami.
Protocol bootstrapped_clustering_protocol(const BootstrapRules& rules);

/// Several tested parts, clustered one by one by mini-batch k-means (MTEB's older sets). v_measure is the mean over parts.
Protocol clustering_of_sets_protocol();

/// The numbers of those of `rows` rows that MTEB clusters, in its order.
std::vector<std::uint32_t> mteb_rows(std::size_t rows, const BootstrapRules& rules);

struct FewShotRules {
    std::size_t samples_per_label = 8;
    std::size_t experiments = 10;
    /// Above 0: the part "test" alone, in so many folds; each fold is learned from a few items of the others.
    std::size_t folds = 0;
    bool converged = false; ///< the minimum, in place of scikit-learn's 100 steps
    EarlierDraws earlier;   ///< of multilabel: training rows
};

/// Parts: "train", and "test" (tested), with labels. Logistic regression (learn/lbfgs_regression.hpp) on the embeddings
/// as they are, from MTEB's draws. Every experiment predicts all test items: further series "experiment 1",
/// "experiment 2" ... of the outcomes. Metrics: means over the experiments of accuracy, f1 (macro), f1_weighted,
/// precision, recall and the weighted ones, in per cent; "ap" where the classes are 0 and 1.
Protocol few_shot_protocol(const FewShotRules& rules);

/// Takes several labels an item (Part::label_sets): the five nearest of the training items vote on each label.
/// Metrics: accuracy (all labels right), lrap, f1 (macro over labels), hamming (label overlap: Jaccard's index).
Protocol multilabel_protocol(const FewShotRules& rules);

/// Returns what the numbers of both depend on; `protocol` is the name.
base::Json
few_shot_settings(const FewShotRules& rules, const char* protocol, const task::Settings& settings);

/// Part "test": pairs with labels 0 and 1, of which 1 is positive. Metrics for each of cosine, dot, euclidean and manhattan
/// (distances negated): <similarity>_ap, and _accuracy and _f1 at the threshold that is best for them; max_ap, max_accuracy
/// and max_f1 are the greatest of these. Thresholds lie between different values, and beyond all of them. `mteb` has MTEB's
/// (2.26), which are never beyond all, and takes the cosine of a zero vector as 1/2; here it is 0.
Protocol pair_threshold_protocol();

/// Part "test": pairs of translations. Items: the first sentences. Of several nearest ones the first is found. Metrics as
/// MTEB (2.26) has them, each row being a class: f1 (2 / (1 + n) for a right row that n rows found), precision (1 / n),
/// accuracy.
Protocol bitext_protocol();

/// Parts: "texts" (tested; its sentences are not embedded), "human" and "machine", whose labels are the numbers of
/// their texts; those of "machine" have scores. A machine summary counts by its similarity to the nearest human one.
/// Items: texts, each with the correlation of these similarities with the scores. Metrics: cosine_spearman, cosine_pearson,
/// dot_spearman, dot_pearson, means over the texts; as in MTEB (2.26) a text does not count where its scores, cosines or dot
/// products are all equal.
Protocol summarization_protocol();

} // namespace senteval::tasks
