// doubts.hpp -- data that can be computed on, but whose numbers may not mean what they seem to.
//
// Each appends to Dataset::doubts, which the run's log and results repeat.
#pragma once

#include "tasks/dataset.hpp"

namespace senteval::tasks {

/// Test items that are all of one class, or whose gold scores are all equal.
void doubt_gold(Dataset& dataset);

/// Test items that a part to learn or tune on has too, and copies within a part that is
/// cross-validated, where they fall into training and test folds (from one in a hundred on).
void doubt_copies(Dataset& dataset);

/// Sentences without a word, and with control characters, which hardly anybody means.
void doubt_texts(Dataset& dataset);

/// Classes that no item has, and that are tested without being learned.
void doubt_classes(Dataset& dataset);

/// Sentences with punctuation attached to their words, which few vocabularies know.
void doubt_tokens(Dataset& dataset);

} // namespace senteval::tasks
