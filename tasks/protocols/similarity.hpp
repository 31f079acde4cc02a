// similarity.hpp -- unsupervised semantic textual similarity: how well the similarity of two
// embeddings correlates with people's scores. Nothing is trained. A normalisation is fitted on the
// sentences of the subset, or part, that is scored; "transductive" in the details says so.
#pragma once

#include "task/settings.hpp"
#include "tasks/protocols/protocol.hpp"
#include "tasks/protocols/shared.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace senteval::tasks {

/// Computes in double precision. The cosine with a zero vector is 0; distances are negative.
double similarity(task::Similarity kind, std::span<const float> u, std::span<const float> v);

/// The similarities of the pairs of a part, each by its place in the file.
struct PairSimilarities {
    std::array<std::vector<double>, task::similarity_names.size()> by_kind;
    std::vector<double> mteb_cosine; ///< MTEB's: 1/2 with one zero vector, 1 with two
    std::size_t without_cosine = 0;  ///< pairs with a zero vector

    [[nodiscard]] const std::vector<double>& of(task::Similarity kind) const
    {
        return by_kind.at(static_cast<std::size_t>(kind));
    }
};

/// `pairs`: the part's vectors.
PairSimilarities
pair_similarities(const Part& part, const EmbeddedPart& pairs, embedding::Treatment treatment);

/// A caller's similarity, in place of that of the settings; more is nearer. A value that is not finite is an error.
using SimilarityFunction =
    std::function<double(std::span<const float> u, std::span<const float> v)>;

/// STS12-16, of the parts that are called `subsets`. For each <subset>: pearson, spearman, their
/// two-sided p-values pearson_p and spearman_p, and nsamples. For "all": pearson and spearman, each as
/// the plain mean over subsets (mean), the mean weighted by nsamples (wmean) and the correlation over
/// the pairs of all subsets together (all). A subset without variance is NaN, and so are the means over
/// it. `mteb` has what MTEB gives for the pairs of all subsets together: pearson and spearman of cosine, euclidean and
/// manhattan, such as manhattan_pearson.
Protocol subset_similarity(std::span<const std::string> subsets,
                           const SimilarityFunction& function = {});

/// The part "test" is scored (pearson, spearman, pearson_p, spearman_p, ntest), and the part "dev",
/// where there is one, beside it (devpearson, devspearman, ndev). `mteb`: as above, for the part "test".
Protocol split_similarity(const SimilarityFunction& function = {});

} // namespace senteval::tasks
