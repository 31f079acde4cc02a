// items_csv.hpp -- the outcome of every test item, for other programs.
#pragma once

#include "compare/results.hpp"

#include <string>
#include <vector>

namespace senteval::exchange {

struct ItemsFile {
    std::string name; ///< TASK.csv
    std::string content;
};

/// A file for each task, a line for each row, seed, training set and test item. README.md describes the columns.
std::vector<ItemsFile> items_to_csv(const compare::Results& results);

} // namespace senteval::exchange
