// cost.hpp -- quality beside what vectors cost: bytes, sentences per second, memory; and which variant is as good as
// all of the vector.
#pragma once

#include "base/nan.hpp"
#include "compare/comparison.hpp"
#include "compare/results.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace senteval::compare {

/// Measurements of an encoder on a computer (run/cost.hpp).
struct Measured {
    std::string computer; ///< with the number of threads
    double per_second = base::nan;
    double per_processor_second = base::nan;
    double seconds_of_first_call = base::nan;
    std::uint64_t peak_bytes = 0; ///< 0: not known
    std::string date;
};

struct CostRow {
    double quality = base::nan; ///< the mean over the tasks, in points
    double standard_error = base::nan;
    std::size_t dimension = 0;
    std::size_t bytes = 0;              ///< of a vector; 0: not known
    std::optional<Measured> measured;   ///< the latest
    std::vector<Measured> elsewhere;    ///< the latest of every other computer
    std::vector<std::string> undefined; ///< tasks where its score is: it has no quality then
    bool is_variant = false;
    std::size_t full = 0; ///< row of all of the vector; itself where there is none
    std::optional<std::size_t> dominated_by; ///< the best row that does

    [[nodiscard]] stats::Interval interval() const; ///< 95 %
};

/// The variants of a row, from large to small: each within the margin on every task, until one is not.
struct VariantVerdict {
    std::size_t full = 0;                ///< row
    std::optional<std::size_t> smallest; ///< the last that is within the margin on every task
    std::optional<std::size_t> stopped;  ///< the first that is not
    std::vector<std::size_t> tested;     ///< up to `stopped`
    std::vector<std::size_t> untested;   ///< those behind it
    std::vector<std::string> tasks;      ///< that were looked at
    std::vector<std::string> missing;    ///< of these, where `stopped` has no results
    std::vector<std::string> better;     ///< where it is better than the full vectors
    std::vector<std::string> outside;    ///< where it is not shown to be within for another reason
    bool few_seeds = false;              ///< one of them has no verdict for want of seeds
};

struct Costs {
    std::vector<CostRow> rows; ///< of the comparison
    std::vector<std::string>
        tasks; ///< that quality is the mean over: of points, with a value in every row that has a quality
    std::vector<std::string> computers;
    std::vector<VariantVerdict> verdicts; ///< where there is a margin

    /// Whether there is more to show than dimensions.
    [[nodiscard]] bool is_empty() const;
};

/// A row dominates another where it is no worse in quality, bytes, sentences per second and memory, as far as some row has
/// them, and better in one of these: as they are printed, and 2 % being a tie of what was measured. Where one of the two lacks
/// something, or was measured on another computer, neither dominates.
Costs costs_of(const Results& results, const Comparison& comparison);

/// "minilm 128:int8 is within 1 point of the full vectors on all 11 tasks, at 1/12 of the bytes".
std::string
text_of(const VariantVerdict& verdict, const Costs& costs, const Comparison& comparison);

} // namespace senteval::compare
