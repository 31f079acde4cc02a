// settings.hpp -- settings as they are written into result files.
#pragma once

#include "core/json.hpp"
#include "learn/settings.hpp"

namespace senteval::tasks {

/// Those settings of the classifier that have an effect on it.
core::Json to_json(const learn::Settings& settings);

} // namespace senteval::tasks
