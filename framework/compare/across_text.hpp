// across_text.hpp -- the comparison across tasks, for people and for programs.
#pragma once

#include "compare/comparison.hpp"
#include "core/json.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::compare {

/// Friedman's test, the critical-difference diagram in characters, and each encoder against the first.
/// In lines of `width` columns. The comparison has a part across tasks.
std::string across_to_text(const Comparison& comparison, std::size_t width);

/// A table of its own; empty where there is nothing to say.
std::string across_to_latex(const Comparison& comparison);

/// "c (other test items: 7 tasks), TREC (no result: b)"; empty where nothing is left out.
std::string left_out_in_words(const AcrossTasks& across);

/// The tasks, those of doubtful data with "*".
std::vector<std::string> starred_tasks(const AcrossTasks& across);

inline constexpr std::string_view across_population =
    "these encoders on further tasks like these, each of which counts once";

/// Sentences on what was left out, what the tasks lack, and that so few can show no difference; mostly none.
std::vector<std::string> caveats_of(const Comparison& comparison);

/// Lines of to_csv(): the mean ranks, all pairs, and the encoders that are not ranked.
std::string across_to_csv(const Comparison& comparison);

core::Json across_to_json(const Comparison& comparison);

} // namespace senteval::compare
