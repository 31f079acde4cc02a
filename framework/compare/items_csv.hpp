// items_csv.hpp -- the outcome of every test item, for other programs.
#pragma once

#include "compare/results.hpp"

#include <string>
#include <vector>

namespace senteval::compare {

struct ItemsFile {
    std::string name; ///< TASK.csv
    std::string content;
};

/// A file for each task, a line for each row, seed, training set and test item:
///
///     encoder,seed,resample,item,group,gold,prediction,score,source_first,source_second
///
/// Gold and prediction are names of classes, or numbers; `score` is the probability of the predicted
/// class, or the prediction; `item` counts within the task, from 0; items that have a source in common
/// share a sentence, or an image. `resample` is 0 where all of the training part was learned from, else
/// the number of its half.
std::vector<ItemsFile> items_to_csv(const Results& results);

} // namespace senteval::compare
