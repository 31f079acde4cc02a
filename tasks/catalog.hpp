// catalog.hpp -- the tasks of SentEval.
#pragma once

#include "task/task.hpp"
#include "tasks/protocols/similarity.hpp"

namespace senteval::tasks {

/// All of them, in the order in which tables show them. A task may be in several groups:
///   transfer    a model is trained on the embeddings; SNLI, SICKRelatedness and STSBenchmark too
///   similarity  STS12-16, and STSBenchmark and SICKRelatedness, learned and unsupervised
///   paraphrase  what Wieting et al. (2016) look at beside these, and Spanish-English pairs
///   nli         SICKEntailment, SNLI and MultiNLI. MultiNLI is in no other group, and not part of
///               SentEval: its two tasks are also the group MultiNLI
///   probing     linguistic properties of a sentence
///   retrieval   images and their captions
/// `similarity` is that of the unsupervised tasks where it is given.
task::Tasks catalog(const SimilarityFunction& similarity = {});

} // namespace senteval::tasks
