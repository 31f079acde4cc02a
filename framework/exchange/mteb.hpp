// mteb.hpp -- results as MTEB writes them, for its tables and tools.
#pragma once

#include "base/json.hpp"
#include "compare/results.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace senteval::exchange {

struct MtebFile {
    std::filesystem::path path; ///< <model>/<revision>/<Task>.json; rows with a variant below
                                ///< <revision>/experiments/<variant>/
    base::Json content;
};

/// One file per row and task, of a mean of tasks where all are there, and a model_meta.json per model. Parts of a task of MTEB's (the key `mteb` of a
/// [[task]]) are in the file of the whole, under what they say of themselves; all else is the split "test" and the subset "default" of an English set "local-...". The model's revision
/// is the start of the encoder's fingerprint. Values that MTEB has and the result has not are null, as is NaN.
///
/// Similarity without learning has MTEB's main score, Spearman's correlation over all pairs of the
/// task, and STSBenchmarkUnsupervised and SICKRelatednessUnsupervised MTEB's names, STSBenchmark and
/// SICK-R; the learned STSBenchmark is called STSBenchmarkLearned. Classification: accuracy, and F1,
/// precision and recall as means over classes and weighted by class; several seeds are
/// scores_per_experiment. All else: the headline metric.
///
/// Left out, with the reason in `problems`: imported similarity without a correlation over all pairs, and tasks whose main score the program has not.
std::vector<MtebFile> to_mteb(const compare::Results& results,
                              std::vector<std::string>& problems,
                              std::span<const results::MeanOfTasks> means = {});

} // namespace senteval::exchange
