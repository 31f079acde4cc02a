// cost.hpp -- quality beside what vectors cost: bytes, sentences per second, memory.
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

    [[nodiscard]] stats::Interval interval() const; ///< 95 %
};

/// How the vectors of a row lie in their space on a task (embedding/geometry.hpp); NaN where it is not defined.
struct RowGeometry {
    std::string task;
    std::size_t row = 0;
    std::size_t texts = 0;
    std::size_t pairs = 0;
    double alignment = base::nan;
    double uniformity = base::nan;
    double effective_rank = base::nan;
    double hubness = base::nan;
};

struct Costs {
    std::vector<CostRow> rows; ///< of the comparison
    std::vector<std::string>
        tasks; ///< that quality is the mean over: of points, with a value in every row that has a quality
    std::vector<std::string> computers;
    std::vector<RowGeometry> geometry; ///< task by task

    /// Whether there is more to show than dimensions.
    [[nodiscard]] bool is_empty() const;
};

Costs costs_of(const Results& results, const Comparison& comparison);

} // namespace senteval::compare
