// formats.hpp -- a comparison for people and for programs.
#pragma once

#include "compare/comparison.hpp"
#include "core/json.hpp"

#include <string>

namespace senteval::compare {

/// For a terminal: per task the rows with interval, difference to the reference and adjusted p-value,
/// "=" where a row is tied with the best; then warnings and how to read it.
std::string to_terminal(const Comparison& comparison, bool bold);

/// One table, rows by tasks: value and half-width; the best and those tied with it in bold.
std::string to_markdown(const Comparison& comparison);

/// The same for LaTeX with booktabs: best and tied in bold, a dagger where a row differs from the
/// baseline at level 5 %.
std::string to_latex(const Comparison& comparison);

/// One line per row and task: encoder, task, metric, value, low, high, items, seeds, sd, difference,
/// difference_low, difference_high, p, p_holm, test, best, tied, detectable.
std::string to_csv(const Comparison& comparison);

core::Json to_json(const Comparison& comparison);

} // namespace senteval::compare
