// lbfgs_regression.hpp -- logistic regression as scikit-learn's LogisticRegression(max_iter=100) fits it since
// version 1.4: by L-BFGS, which ends before the minimum. logistic_regression.hpp is the one that goes there.
#pragma once

#include "learn/classifier.hpp"
#include "learn/lbfgs.hpp"
#include "learn/logistic_regression.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace senteval::learn {

struct LbfgsFit {
    std::unique_ptr<const LogisticModel> model;
    std::size_t iterations = 0;
    bool converged = false; ///< the gradient is small; false where another limit came first
};

/// Minimises, in double precision and from 0,
///     1/n sum over items of -log p(label) + |w|^2 / (2 n),
/// the intercepts not penalised; one sigmoid for two classes (its score is that of the second), a softmax over
/// all for more. The order of the items counts in the last bits only. Products of matrices are those of the
/// BLAS library. Throws base::Error where the items are of less than two classes.
LbfgsFit fit_lbfgs(const Examples& train, const LbfgsLimits& limits = {});

/// The labels of the rows by each of the models, as LogisticModel::predict() gives them, in one pass over the rows:
/// products in single precision decide where they can, else double precision does.
std::vector<std::vector<Label>> predict_labels(std::span<const LogisticModel* const> models,
                                               const DesignMatrix& matrix,
                                               std::span<const std::uint32_t> rows,
                                               unsigned threads = 1);

} // namespace senteval::learn
