// probing.hpp -- the probing tasks of Conneau et al. 2018.
#pragma once

#include "tasks/readers/source.hpp"

#include <string>

namespace senteval::tasks {

/// One UTF-8 file with columns separated by TABs: tr, va or te; the label; perhaps more; last the
/// sentence. Classes are the training labels, sorted as strings; a label that only dev or test has
/// is an error.
Source probing_source(const std::string& file);

} // namespace senteval::tasks
