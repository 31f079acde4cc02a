// undertrained.hpp -- how many words of the similarity datasets a model hardly met in training.
#pragma once

#include "compare/results.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace senteval::host {

struct UndertrainedDataset {
    std::string name; ///< task and metric
    double share =
        0; ///< of its distinct words, those that occurred too seldom in the training pairs
    double deviation = 0; ///< of Pearson's r from the 75th percentile of the shared task
};

/// Of the datasets whose official ranking is known and of which the one row of `results` has a result. Throws
/// core::Error, core::UsageError where there are fewer than three.
std::vector<UndertrainedDataset> undertrained_datasets(const std::string& model,
                                                       const compare::Results& results,
                                                       const std::string& data,
                                                       std::uint32_t least);

} // namespace senteval::host
