// warnings.hpp -- what a reader has to know before believing the order of a table.
#pragma once

#include "compare/comparison.hpp"
#include "compare/results.hpp"

#include <string>
#include <vector>

namespace senteval::compare {

/// Why tasks' data may not be the published set, or all of the user's own.
std::vector<std::string> warnings_of_doubts(const Comparison& table);

/// Adds those of encoders that were trained on test items of a task.
void warn_of_training(const Results& results,
                      const Comparison& table,
                      std::vector<std::string>& warnings);

/// Here and below of the tasks that the table shows. Adds those of encoders that know few of a task's words.
void warn_of_coverage(const Results& results,
                      const Comparison& table,
                      std::vector<std::string>& warnings);

/// Adds those of results that say nothing about their encoder.
void warn_of_uninformative(const Results& results,
                           const Comparison& table,
                           std::vector<std::string>& warnings);

/// Adds what encoders have warned of: vectors that they could not read, say.
void warn_of_encoders(const Results& results,
                      const Comparison& table,
                      std::vector<std::string>& warnings);

/// Adds the rows that are one encoder by its name, version, parameters and files, but for its library: another
/// build of it, say.
void warn_of_builds(const Results& results, std::vector<std::string>& warnings);

/// Adds the rows whose results on a task are one but for rounding.
void warn_of_same_scores(const Comparison& table, std::vector<std::string>& warnings);

/// Adds the rows that an average leaves out: they lack a task of it.
void warn_of_averages(const Comparison& table, std::vector<std::string>& warnings);

/// Adds the tasks that no average speaks of and of which some rows have no result.
void warn_of_gaps(const Results& results,
                  const Comparison& table,
                  std::vector<std::string>& warnings);

/// Adds the tasks that are left out because nothing there has the metric that was asked for.
void warn_of_metric(const Results& results,
                    const Comparison& table,
                    std::vector<std::string>& warnings);

/// All: doubts, what encoders warned of, results that say nothing, test items that were trained on, words that
/// are not known, several dimensions or data files, imported results, encoders and results that are one, an
/// order that depends on the normalisation, rows that an average leaves out.
std::vector<std::string> warnings_of(const Results& results, const Comparison& table);

} // namespace senteval::compare
