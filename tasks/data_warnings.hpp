// data_warnings.hpp -- data that can be computed on, but whose numbers may not mean what they seem to.
//
// Each appends to Dataset::data_warnings, which the run's log and results repeat.
#pragma once

#include "tasks/dataset.hpp"

#include <string>
#include <vector>

namespace senteval::tasks {

inline const std::vector<std::string> warning_names = {"gold",    "copies", "duplicates", "empty",
                                                       "classes", "tokens", "quotes",     "columns",
                                                       "header",  "case",   "judgements"};

/// Test items that are all of one class, or whose gold scores are all equal.
void warn_of_gold(Dataset& dataset);

/// Test items that a part to learn or tune on has too, and copies within a part that is
/// cross-validated, where they fall into training and test folds (from one in a hundred on). From there on, items that another one of
/// their part repeats are "duplicates".
void warn_of_copies(Dataset& dataset);

/// Sentences in which there is nothing to read; see base::is_unreadable().
std::size_t empty_sentences(const Part& part);

/// The same, as a warning.
void warn_of_texts(Dataset& dataset);

/// Classes that are tested without being learned.
void warn_of_classes(Dataset& dataset);

/// The three above: what only own data is warned of, as published data is known.
void warn_of_own_data(Dataset& dataset);

/// Sentences with punctuation attached to their words, which few vocabularies know.
void warn_of_tokens(Dataset& dataset);

} // namespace senteval::tasks
