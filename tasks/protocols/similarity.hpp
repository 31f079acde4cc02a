// similarity.hpp -- unsupervised semantic textual similarity: how well the similarity of two
// embeddings correlates with people's scores. Nothing is trained. A normalisation is fitted on the
// sentences of the subset, or part, that is scored; "transductive" in the details says so.
#pragma once

#include "task/settings.hpp"
#include "tasks/protocols/protocol.hpp"

#include <functional>
#include <span>
#include <string>

namespace senteval::tasks {

/// Computes in double precision. The cosine with a zero vector is 0; distances are negative.
double similarity(task::Similarity kind, std::span<const float> u, std::span<const float> v);

/// A caller's similarity, in place of that of the settings; more is nearer. A value that is not finite is an error.
using SimilarityFunction =
    std::function<double(std::span<const float> u, std::span<const float> v)>;

/// STS12-16, of the parts that are called `subsets`. For each <subset>: pearson, spearman, their
/// two-sided p-values pearson_p and spearman_p, and nsamples. For "all": pearson and spearman, each as
/// the plain mean over subsets (mean), the mean weighted by nsamples (wmean) and the correlation over
/// the pairs of all subsets together (all). A subset without variance is NaN, and so are the means over
/// it.
Protocol subset_similarity(std::span<const std::string> subsets,
                           const SimilarityFunction& function = {});

/// The part "test" is scored (pearson, spearman, pearson_p, spearman_p, ntest), and the part "dev",
/// where there is one, beside it (devpearson, devspearman, ndev).
Protocol split_similarity(const SimilarityFunction& function = {});

} // namespace senteval::tasks
