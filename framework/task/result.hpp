// result.hpp -- what a task gives back: its metrics, and the outcome of every test item.
#pragma once

#include "base/json.hpp"
#include "results/outcomes.hpp"

namespace senteval::task {

struct Result {
    base::Json metrics = base::Json::object(); ///< the original's keys and nesting; what they mean
                                               ///< is described by Info::metrics
    base::Json details = base::Json::object(); ///< chosen strengths, scores by fold, epochs, ...
    results::Outcomes outcomes;
};

} // namespace senteval::task
