// curves.hpp -- what a report shows of all rows together: curves over dimension, and correlations between tasks.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "stats/correlation.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace senteval::report {

/// An encoder whose vectors were projected to several dimensions.
struct Curve {
    std::size_t row = 0;                     ///< the encoder as it is, else its largest dimension
    std::map<std::size_t, std::size_t> rows; ///< of the comparison, by dimension
};

/// Encoders projected in one way. Each stands in its curve with its own dimension, too.
struct Projection {
    std::string kind; ///< "PCA", "random projection"
    std::vector<Curve> curves;
};

std::vector<Projection> projections_of(const compare::Comparison& comparison,
                                       const compare::Results& results);

/// Spearman's correlations between the tasks over encoders: of each the first row, without projection. Empty for
/// fewer than three encoders or two tasks.
stats::TaskCorrelation correlations_of(const compare::Comparison& comparison,
                                       const compare::Results& results);

} // namespace senteval::report
