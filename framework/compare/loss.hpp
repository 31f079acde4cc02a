// loss.hpp -- what the smaller vectors of an encoder lose against its full ones, over the tasks.
#pragma once

#include "base/nan.hpp"
#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "stats/interval.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::compare {

/// Losses are full minus smaller, paired, in the unit of the tasks; more is worse.
struct VariantLoss {
    std::size_t row = 0;
    std::string name;                               ///< "128:int8"
    double share = base::nan;                       ///< of the bytes of the full vectors
    double mean = base::nan;                        ///< over the tasks; NaN where it lacks one
    stats::Interval interval{base::nan, base::nan}; ///< 95 % of the mean; none without a verdict
    std::size_t worst = 0;                          ///< the task that loses most
    /// "equal" (within the margin), "not tested" (it is, but one before it is not), "worse" or "better" (the interval
    /// is without 0), "undecided" (neither), "no verdict" (on one of the tasks), or nothing.
    std::string_view verdict;
};

/// Of an encoder, over the tasks of one unit.
struct Losses {
    std::size_t full = 0;              ///< row
    std::vector<TaskComparison> tasks; ///< against it
    std::vector<VariantLoss> variants; ///< in the order of the tests
    std::optional<std::size_t>
        smallest;         ///< of the variants that are equal, the one of fewest bytes
    Open open = Open::no; ///< why some variant has no verdict

    /// NaN where one has no value.
    [[nodiscard]] double loss(std::size_t task, std::size_t row) const;
};

/// The rows that are variants of a row, by encoder and settings, from large to small.
std::map<std::size_t, std::vector<std::size_t>> variants_of(const Results& results);

/// Of every encoder that has variants, and unit that tasks share (../embedding/README.md). `comparison`: of these results.
std::vector<Losses> losses_of(const Results& results, const Comparison& comparison);

} // namespace senteval::compare
