// verdict.hpp -- what a comparison comes to, in sentences.
#pragma once

#include "compare/comparison.hpp"
#include "report/document.hpp"

#include <string>
#include <vector>

namespace senteval::compare {

/// "A is the best on CR, MR; B, C cannot be told from it on CR." for each that is the best of a task, then
/// where there is no verdict, then what holds over the tasks. Empty with fewer than two rows.
std::vector<std::string> verdict_sentences(const Comparison& comparison);

/// Empty where the comparison has no part across tasks.
report::RankDiagram rank_diagram(const Comparison& comparison);

} // namespace senteval::compare
