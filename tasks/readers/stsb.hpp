// stsb.hpp -- the STS Benchmark.
#pragma once

#include "tasks/readers/source.hpp"

#include <string>

namespace senteval::tasks {

/// Files sts-{train,dev,test}.csv of `folder`, UTF-8, no header; columns separated by TABs: genre,
/// file, year, id, score 0 to 5, two sentences, and perhaps notes, which are ignored.
Source sts_benchmark_source(const std::string& folder);

} // namespace senteval::tasks
