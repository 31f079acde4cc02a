// case.hpp -- a task while its comparisons are being judged: opened, drawn, judged with its family, finished.
#pragma once

#include "compare/comparison.hpp"
#include "compare/family.hpp"
#include "compare/inference.hpp"
#include "compare/results.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace senteval::compare {

struct Case {
    TaskComparison column;
    Inference inference;
    std::vector<std::size_t>
        bests; ///< of each set of rows that can be compared, the task's own first
    std::optional<std::size_t> baseline;
    std::vector<Judged> with_best; ///< in the order of `bests`
    std::optional<Judged> with_baseline;

    /// The set that the row is in; where it is in none, the first.
    [[nodiscard]] std::size_t set_of(std::size_t row) const;

    /// What the row is compared with: the baseline, or the best of its set.
    [[nodiscard]] std::size_t reference(std::size_t row) const
    {
        return baseline ? *baseline : bests[set_of(row)];
    }
    [[nodiscard]] const Judged& with_reference(std::size_t row) const
    {
        return with_baseline ? *with_baseline : with_best[set_of(reference(row))];
    }
};

/// The scores of the task, and the sets of rows that can be compared.
Case open_case(const Results& results,
               std::size_t task,
               const task::Metric& metric,
               std::optional<std::size_t> baseline,
               const Options& options);

/// Once the case has its place: what is judged refers to it. Where all pairs are asked for, those with the baseline
/// are some of them.
void draw(Case& one, const Options& options);

/// After judge(): the verdicts of the column, and what they speak of.
void finish(Case& one, const Options& options, std::span<const std::string> labels);

} // namespace senteval::compare
