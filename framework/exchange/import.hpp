// import.hpp -- results that another program has saved, brought into a store.
#pragma once

#include "results/store.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::exchange {

/// Reads the dictionary of results that SentEval gives, as JSON of Python saves it: {task: {"devacc":
/// ..., "acc": ..., "ndev": ..., "ntest": ...}}, NaN and Infinity as bare words (they become null),
/// and of STS tasks {subset: {"pearson": [r, p], ...}, "all": {...}}, where the pairs become
/// "pearson" and "pearson_p". Long lists of predictions ("yhat") are dropped.
///
/// Each known task becomes a cell without items. Its document, "senteval-imported-result/2", has what
/// readers of results need and "imported" ({file, fingerprint}) in place of the record of a run; other
/// tasks are named in `problems`. Throws base::UsageError where the text, from the file `name`, is no
/// such dictionary or has no known task.
std::vector<results::Cell> import_results(std::string_view text,
                                          const std::string& name,
                                          const std::string& label,
                                          std::span<const results::TaskRecord> tasks,
                                          std::vector<std::string>& problems);

/// JSON as Python writes it, an object: bare words become null. Throws base::UsageError that names the file.
base::Json parse_results(std::string_view text, const std::string& name);

/// The record of a part of a task of MTEB's, which its description has under `mteb`; nothing where the task is not known.
using MtebPart = std::function<std::optional<results::TaskRecord>(
    const std::string& task, const std::string& subset, const std::string& split)>;

/// The same from a folder of results as MTEB writes them, TASK.json at any depth: of the parts that `mteb_part` knows, others
/// than which MTEB does not count; of another task of one part "test" as that of the name among `tasks`. A mean of tasks that
/// stand beside it is left to them. An encoder is called `label`, or, where that is empty, as model_meta.json or the folders
/// MODEL/REVISION say, with the revision where there are several of a model.
std::vector<results::Cell> import_mteb(const std::filesystem::path& folder,
                                       const std::string& label,
                                       std::span<const results::TaskRecord> tasks,
                                       const MtebPart& mteb_part,
                                       std::vector<std::string>& problems,
                                       std::span<const results::MeanOfTasks> means = {});

/// A cell without items: metrics of a task that another program computed, from the file `name` of that content.
results::Cell imported(const results::TaskRecord& task,
                       base::Json metrics,
                       const std::string& label,
                       const std::string& name,
                       std::string_view content);

} // namespace senteval::exchange
