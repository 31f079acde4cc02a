// cost.hpp -- quality beside what vectors cost: bytes, sentences per second, memory; and which variant is as good as
// all of the vector.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"
#include "core/nan.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace senteval::compare {

/// What was measured of an encoder on a computer (run/cost.hpp).
struct Measured {
    std::string computer; ///< with the number of threads
    double per_second = core::nan;
    double per_processor_second = core::nan;
    double seconds_of_first_call = core::nan;
    std::uint64_t peak_bytes = 0; ///< 0: not known
    std::string date;
};

struct CostRow {
    double quality = core::nan; ///< the mean over the tasks, in points
    double standard_error = core::nan;
    std::size_t dimension = 0;
    std::size_t bytes = 0; ///< of a vector; 0: not known
    std::optional<Measured> measured;
    bool is_variant = false;
    std::size_t full = 0; ///< row of all of the vector; itself where there is none
    std::optional<std::size_t>
        dominated_by; ///< the best row that is no worse in anything, and better in something

    [[nodiscard]] stats::Interval interval() const; ///< 95 %
};

/// The variants of a row, from large to small: each within the margin on every task, until one is not.
struct VariantVerdict {
    std::size_t full = 0;                ///< row
    std::optional<std::size_t> smallest; ///< the last that is within the margin on every task
    std::optional<std::size_t> stopped;  ///< the first that is not
    std::vector<std::string> tasks;      ///< that were looked at
    std::vector<std::string> outside;    ///< of these, where `stopped` is not shown to be within
    bool few_seeds = false;              ///< one of them has no verdict for want of seeds
};

struct Costs {
    std::vector<CostRow> rows; ///< of the comparison
    std::vector<std::string>
        tasks; ///< that quality is the mean over: of points, and with a value in every row
    std::vector<std::string> computers;
    std::vector<VariantVerdict> verdicts; ///< where there is a margin

    /// Whether there is more to show than dimensions.
    [[nodiscard]] bool is_empty() const;
};

/// A row dominates another where it has no less quality, takes no more bytes and, of what was measured by both on one computer,
/// encodes no fewer sentences per second and takes no more memory; and is better in one of these.
Costs costs_of(const Results& results, const Comparison& comparison);

/// "minilm 128:int8 is within 1 point of the full vectors on all 11 tasks, at 1/12 of the bytes".
std::string
text_of(const VariantVerdict& verdict, const Costs& costs, const Comparison& comparison);

} // namespace senteval::compare
