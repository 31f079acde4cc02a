// correlation.hpp -- Pearson's and Spearman's correlation, over items and over encoders.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::stats {

/// A correlation and the two-sided p-value of the hypothesis that there is none (Student's t with
/// n - 2 degrees of freedom). Both NaN where either variable is constant or n < 2; for n = 2 the
/// p-value is 1.
struct Correlation {
    double r = 0;
    double p_value = 0;
};

/// x and y have the same length; anything else throws base::Error.
Correlation pearson(std::span<const double> x, std::span<const double> y);

/// Pearson's correlation of the ranks; ties get the mean of their ranks.
Correlation spearman(std::span<const double> x, std::span<const double> y);

/// Ranks 1 ... n, ties averaged.
std::vector<double> ranks(std::span<const double> values);

/// Sum of value * weight over the sum of weights.
double weighted_mean(std::span<const double> values, std::span<const double> weights);

/// Spearman's correlations between tasks over encoders (Eger et al. 2019, figure 3).
struct TaskCorrelation {
    std::size_t tasks = 0;
    std::vector<double> r;      ///< tasks x tasks, symmetric; NaN where n < 3 or a task is constant
    std::vector<std::size_t> n; ///< tasks x tasks: encoders that have a value in both tasks

    [[nodiscard]] double at(std::size_t a, std::size_t b) const { return r[a * tasks + b]; }
    [[nodiscard]] std::size_t count(std::size_t a, std::size_t b) const { return n[a * tasks + b]; }
};

/// values[task][encoder], NaN where the cell is missing; throws base::Error for ragged rows.
TaskCorrelation task_correlation(std::span<const std::vector<double>> values);

} // namespace senteval::stats
