// trec.hpp -- TREC's question types.
#pragma once

#include "tasks/readers/source.hpp"

#include <string>

namespace senteval::tasks {

/// Files train_5500.label and TREC_10.label of `folder`, latin-1, one question per line:
/// "COARSE:fine question". The coarse label is the class.
Source trec_source(const std::string& folder);

} // namespace senteval::tasks
