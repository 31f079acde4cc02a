// ranking.hpp -- what tasks have in common.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::stats {

/// Spearman's correlations between tasks over encoders (Eger et al. 2019, figure 3).
struct TaskCorrelation {
    std::size_t tasks = 0;
    std::vector<double> r;      ///< tasks x tasks, symmetric; NaN where n < 3 or a task is constant
    std::vector<std::size_t> n; ///< tasks x tasks: encoders that have a value in both tasks

    [[nodiscard]] double at(std::size_t a, std::size_t b) const { return r[a * tasks + b]; }
    [[nodiscard]] std::size_t count(std::size_t a, std::size_t b) const { return n[a * tasks + b]; }
};

/// values[task][encoder], NaN where the cell is missing; throws core::Error for ragged rows.
TaskCorrelation task_correlation(std::span<const std::vector<double>> values);

} // namespace senteval::stats
