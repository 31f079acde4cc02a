// notes.hpp -- the notes of a table.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"

#include <vector>

namespace senteval::compare {

/// How the results came together, data warnings, test items that were trained on, few known words, results that say
/// nothing, what encoders warned of; of a table with tests also different dimensions, items and small training sets.
std::vector<Note> notes_of(const Results& results, const Comparison& table);

} // namespace senteval::compare
