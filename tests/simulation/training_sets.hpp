// training_sets.hpp -- equally good encoders that were trained on sets of their own.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::test {

/// One encoder on many training sets, compared as if it were as many encoders.
struct TrainingSets {
    std::string name;     ///< of the tasks, without the number of the set
    std::size_t sets = 0; ///< all pairs of them are compared
    double by_items = 0;  ///< share told apart as these classifiers on new items
    double by_halves = 0; ///< and with the halves of their training sets
};

/// Equally good encoders with a training set of `size` made-up items drawn anew each time: share of draws in which
/// some one is told from the best, with `resampled` halves of it; 0: by the test items alone.
double training_rejections(std::size_t size,
                           std::size_t resampled,
                           std::size_t draws,
                           std::size_t encoders = 2);

/// Of a store that training_sets.sh made: tasks NAME-NUMBER with the same test items, halves resampled.
std::vector<TrainingSets> compare_training_sets(const std::string& store);

} // namespace senteval::test
