// shared_run.hpp -- a run as all its processes see it.
#pragma once

#include "run/work.hpp"

#include <string>
#include <vector>

namespace senteval::team {

/// The same in every process.
struct SharedRun {
    std::vector<run::Unit> units;
    std::vector<double> costs; ///< of the units, in any unit; of the first process only
    std::string fingerprint;   ///< of what the run computes
};

} // namespace senteval::team
