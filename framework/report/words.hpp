// words.hpp -- every enum of a comparison in words, short numbers, and the marks: one place for all formats.
#pragma once

#include "compare/comparison.hpp"

#include <string>
#include <string_view>

namespace senteval::report {

/// "reference", "same", "tied", "better", "worse", "no verdict"; empty where there is no value.
std::string_view name_of(compare::Verdict verdict);

/// Why there is no verdict: "fewer than 5 seeds". Empty where there is one.
std::string reason_for(compare::Open open);

/// A note as a line: "MR, CR: not the published data: ...".
std::string text_of(const compare::Note& note, const compare::Comparison& comparison);

/// A task's name as papers print it: "SICK-E", "STS-B learned", "TopConst".
std::string short_name(const std::string& task);

/// short_name(), with "*" where data of some row may not be the published set.
std::string heading_of(const compare::TaskComparison& task);

/// "=", "?", "+", "-", or "" where the row is worse than the best, or there is no value.
std::string mark_of(const compare::Comparison& comparison,
                    const compare::TaskComparison& task,
                    const compare::Entry& entry);

/// Whether bold print is for the entry: one of the "=" group, or better than the baseline.
bool is_bold(const compare::Comparison& comparison,
             const compare::TaskComparison& task,
             const compare::Entry& entry);

/// What the marks mean: "= best, or not significantly worse", ...; only of marks that are there.
std::string legend(const compare::Comparison& comparison);

/// "72.6" of a percentage, ".474" of a correlation, else the metric's digits; "-" for NaN.
std::string short_number(double value, const task::Metric& metric);
std::string signed_short(double value, const task::Metric& metric);

/// "[-.161, -.087]", in short numbers; empty where there is none.
std::string short_interval(const stats::Interval& interval, const task::Metric& metric);

/// The same with the metric's digits: "[70.97, 73.88]".
std::string full_interval(const stats::Interval& interval, const task::Metric& metric);
std::string signed_full(double value, const task::Metric& metric);

/// "<.0001", ".0310".
std::string p_text(double p);

/// "one seed", "5 seeds".
std::string seeds_text(std::size_t seeds);

/// "MR, CR and SUBJ".
std::string listed(const std::vector<std::string>& names);

} // namespace senteval::report
