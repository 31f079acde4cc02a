// data_warnings.hpp -- data that can be computed on, but whose numbers may not mean what they seem to.
//
// Each appends to Dataset::data_warnings, which the run's log and results repeat.
#pragma once

#include "tasks/dataset.hpp"

#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace senteval::tasks {

inline const std::vector<std::string> warning_names = {
    "gold",    "copies", "duplicates", "empty",      "classes",  "tokens",  "quotes",
    "columns", "header", "case",       "judgements", "revision", "changed", "main_score"};

/// Warns of test items on which no encoder can be better than another: all of one class, or each of its own; equal gold
/// scores, texts or documents. Also of classes that are tested without being learned; where all are, it throws base::Error.
void warn_of_gold(Dataset& dataset);

/// Warns of what only own data is suspected of, as published data is known: sentences with nothing to read; test items that a part to learn or tune on has too; copies within a part that is
/// cross-validated, where they fall into training and test folds, and items of another part that repeat one, both from
/// one in a hundred on. The share `tolerated` of the items may be copies or repeated.
void warn_of_own_data(Dataset& dataset, double tolerated = 0);

/// Warns of labels that people take for one, and that are classes of their own.
void warn_of_alike(Dataset& dataset, std::span<const std::string> labels);

/// Warns of punctuation attached to words, which few vocabularies know.
void warn_of_tokens(Dataset& dataset);

/// Counts the sentences in which there is nothing to read; see base::is_unreadable().
std::size_t empty_sentences(const Part& part);

/// Returns the different items of a part, as an encoder sees them.
std::unordered_set<std::string> texts_of(const Part& part);

/// Counts the items of a part that are among those texts.
std::size_t count_in(const Part& part, const std::unordered_set<std::string>& texts);

} // namespace senteval::tasks
