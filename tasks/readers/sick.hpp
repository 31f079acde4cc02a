// sick.hpp -- SICK: sentence pairs with an entailment label and a relatedness score.
#pragma once

#include "tasks/readers/source.hpp"

#include <string>

namespace senteval::tasks {

/// Both read SICK_{train,trial,test_annotated}.txt of `folder`, UTF-8, with a header line; columns
/// separated by TABs: id, two sentences, score 1 to 5, label. The trial part is "dev".
Source sick_entailment_source(const std::string& folder);
Source sick_relatedness_source(const std::string& folder);

} // namespace senteval::tasks
