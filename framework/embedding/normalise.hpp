// normalise.hpp -- what is done to embeddings before they are compared or learned from.
#pragma once

#include <armadillo>

#include <string_view>

namespace senteval::embedding {

/// `mean`: the mean of each dimension is subtracted. `l2`: each sentence is scaled to length 1. `z`:
/// each dimension is brought to mean 0 and deviation 1. `z_l2`: z, then l2 (Eger, Rücklé & Gurevych
/// 2019, "Pitfalls in the Evaluation of Sentence Embeddings", section 3, note 1).
enum class Normalisation { none, mean, l2, z, z_l2 };

/// From "none", "mean", "l2", "z" or "z+l2"; throws core::UsageError naming these otherwise.
Normalisation parse_normalisation(std::string_view name);
std::string_view name(Normalisation kind);

/// A normalisation fitted on one set of embeddings and applied to any. For similarity tasks both are
/// the whole set (transductive, as in the paper's table 2); for supervised ones it is fitted on the
/// training part (the paper's note 2).
class Normaliser {
public:
    /// `embeddings`: dimension x n, one sentence per column. `none` and `l2` learn nothing from them.
    Normaliser(Normalisation kind, const arma::fmat& embeddings);

    /// In place. A dimension without deviation becomes 0, a sentence vector of zeros stays as it is.
    /// Throws core::Error where the dimension is another than that of the fit.
    void apply(arma::fmat& embeddings) const;

private:
    Normalisation kind_;
    arma::vec mean_;  ///< of each dimension; empty where it is not subtracted
    arma::vec scale_; ///< 1 / deviation (over n); 0 where there is none; empty where not used
};

} // namespace senteval::embedding
