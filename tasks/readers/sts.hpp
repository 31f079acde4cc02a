// sts.hpp -- SemEval's yearly STS test sets, 2012 to 2016.
#pragma once

#include "tasks/readers/source.hpp"

#include <string>
#include <vector>

namespace senteval::tasks {

/// For each subset the files STS.input.<subset>.txt (two sentences separated by a TAB, further
/// columns ignored) and STS.gs.<subset>.txt (a score per line; pairs whose line is empty are left
/// out) of `folder`. Gives one scored, tested part per subset, in the order given, sorted as the
/// original does when it loads them.
Source sts_source(const std::string& folder, const std::vector<std::string>& subsets);

} // namespace senteval::tasks
