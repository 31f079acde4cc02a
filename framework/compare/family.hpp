// family.hpp -- comparisons that are judged together.
#pragma once

#include "compare/inference.hpp"
#include "stats/bootstrap.hpp"
#include "stats/max_t.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace senteval::compare {

/// Whose errors are counted together: of all comparisons of the table, of those of each task, or of
/// none; then no row has a say in another's comparisons.
enum class Family { table, task, none };

inline constexpr double level = 0.05; ///< of every verdict

/// The comparisons of one task, and what they are judged at.
class Judged {
public:
    /// All pairs of the rows that are comparable with `best`: that is what a reference asks for that was
    /// chosen by the same data.
    static Judged
    all_pairs(const Inference& inference, std::size_t best, const stats::Resampling& resampling);

    /// Each row that is comparable with it, and the baseline.
    static Judged with_baseline(const Inference& inference,
                                std::size_t baseline,
                                const stats::Resampling& resampling);

    /// Adjusted p-value and the interval that goes with it, for first - second. Their population, or why
    /// there is none, is the inference's.
    [[nodiscard]] Difference difference(std::size_t first, std::size_t second) const;
    [[nodiscard]] double adjusted(double p) const;

    [[nodiscard]] const Inference& inference() const noexcept { return *inference_; }

    /// Rows that some comparison is about, in order.
    [[nodiscard]] const std::vector<std::size_t>& rows() const noexcept { return rows_; }

private:
    friend void
    judge(std::span<const std::vector<Judged*>> tasks, Family family, bool false_discovery_rate);

    Judged(const Inference& inference,
           std::vector<std::size_t> rows,
           std::vector<double> p_values,
           stats::SmallestP smallest);

    static Judged of_pairs(const Inference& inference,
                           std::vector<std::size_t> rows,
                           const std::vector<stats::Pair>& pairs,
                           const stats::Resampling& resampling);

    const Inference* inference_;
    std::vector<std::size_t> rows_;
    std::vector<double>
        p_values_; ///< of the pairs whose errors count: a row without a verdict has no say
    stats::SmallestP smallest_;

    // What judge() decides:
    Family family_ = Family::task;
    std::size_t tables_ = 1;
    std::vector<double> ascending_; ///< the family's p-values, under false discovery rate
    double single_ = level;         ///< level of each comparison
};

/// Fixes the levels of the comparisons of all tasks, each of which may have several sets of rows. With the false discovery rate p-values are adjusted
/// by Benjamini & Hochberg (1995) in place of the max-T procedure, and intervals are at the level of
/// Benjamini & Yekutieli (2005).
void judge(std::span<const std::vector<Judged*>> tasks, Family family, bool false_discovery_rate);

} // namespace senteval::compare
