// inspect.hpp -- contents of the files of a task of one's own, before anything is run.
#pragma once

#include "tasks/custom/custom.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace senteval::tasks {

/// Lengths are in words, of first and second sentences.
struct PartInspection {
    std::string name; ///< "all", "train", "dev" or "test"
    std::size_t items = 0;
    std::size_t empty = 0;    ///< with a sentence in which there is nothing to read
    std::size_t repeated = 0; ///< whose text stood in the part before
    std::size_t in_train = 0; ///< of another part: whose text stands in "train" too
    std::size_t median_words = 0;
    std::size_t most_words = 0;
    std::vector<std::pair<std::string, std::size_t>>
        classes;                                     ///< with their items, the largest first
    std::optional<std::pair<double, double>> scores; ///< the lowest and the highest
    std::vector<std::string> first_rows;             ///< texts, and what is told of them
};

struct Inspection {
    std::vector<PartInspection> parts;
    std::vector<std::string> data_warnings; ///< each with the name by which it is accepted
    std::string description;                ///< the [[task]] of a run file
};

/// Throws what the loading of the task would throw.
Inspection inspect(const CustomTask& task);

/// The names of the columns of a file and the first values of each, without knowing which are meant.
std::vector<std::pair<std::string, std::string>> columns_of(const CustomTask& task,
                                                            const std::string& file);

} // namespace senteval::tasks
