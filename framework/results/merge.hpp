// merge.hpp -- stores that were filled apart, joined into one.
#pragma once

#include "results/store.hpp"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace senteval::results {

struct Merged {
    std::size_t added = 0; ///< cells that were copied
    std::size_t same = 0;  ///< cells that were there already, computed from and to the same
    /// Cells of one encoder, task and protocol with different data or results, each a sentence that
    /// names both files. What was there stays.
    std::vector<std::string> conflicts;
    std::vector<std::string> problems; ///< files that cannot be used
    std::vector<std::filesystem::path>
        empty; ///< stores without results: shards that had no cells, perhaps
};

/// Copies every cell of the stores, in order, into `into`, which may hold some already. What a cell
/// says of the run that made it (its time, threads and machine) makes no difference between two. Throws
/// base::UsageError where one of the folders is no store, base::Error where a file cannot be written.
Merged merge(std::span<const std::filesystem::path> stores, const Store& into);

} // namespace senteval::results
