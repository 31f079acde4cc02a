// mrpc.hpp -- the Microsoft Research Paraphrase Corpus.
#pragma once

#include "tasks/readers/source.hpp"

#include <string>

namespace senteval::tasks {

/// Files msr_paraphrase_{train,test}.txt of `folder`, UTF-8, with a header line; columns separated
/// by TABs: label 0 or 1, two ids, two sentences.
Source mrpc_source(const std::string& folder);

} // namespace senteval::tasks
