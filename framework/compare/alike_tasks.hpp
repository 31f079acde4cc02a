// alike_tasks.hpp -- tasks made of the same sources, which tell less of encoders than as many others.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace senteval::compare {

/// Those of the tasks that have sources in common, group by group, of the suite's own.
std::vector<std::vector<std::string>> alike_tasks(std::span<const std::string> tasks);

/// What that means for tests over tasks; empty where there are none.
std::string alike_in_words(std::span<const std::string> tasks);

} // namespace senteval::compare
