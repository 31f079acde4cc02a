// catalog.hpp -- the tasks of SentEval.
#pragma once

#include "task/task.hpp"

namespace senteval::tasks {

/// All of them, in the order in which tables show them. A task may be in several groups:
///   transfer    a classifier or regressor is trained on the embeddings (SNLI and the learned
///               SICKRelatedness and STSBenchmark among them)
///   similarity  STS12-16, STSBenchmark and SICKRelatedness, learned as well as unsupervised
///   nli         entailment: SICKEntailment, SNLI, MultiNLI
///   probing     linguistic properties of a sentence
///   retrieval   images and their captions
task::Tasks catalog();

} // namespace senteval::tasks
