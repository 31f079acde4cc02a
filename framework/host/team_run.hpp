// team_run.hpp -- a run that several processes share.
#pragma once

#include "host/progress.hpp"
#include "host/run_job.hpp"
#include "run/store.hpp"
#include "team/shared_run.hpp"
#include "team/transport.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::host {

struct TeamOutcome {
    bool is_stopped = false;
    std::vector<std::string> problems; ///< of processes that could not do their part
};

/// Of this process, where the configuration does not say: its share of the processors of this machine,
/// among those that can have something to work on. What would be idle helps with the folds of the others.
unsigned threads_for(const RunJob& job, const team::Transport& transport);

/// What the scheduler is to know of so many cells of a unit, that take `seconds` together.
team::UnitCost
unit_cost(const RunJob& job, const run::Unit& unit, std::size_t cells, double seconds);

/// By the first process: computes the run with all the others.
TeamOutcome compute_with_others(const RunJob& job,
                                team::Transport& transport,
                                const run::Store& store,
                                RunProgress& progress);

/// By every other process: does what the first one hands out, until there is nothing left. What goes
/// wrong is told to the first process.
void compute_for_first(const RunArguments& arguments,
                       const std::stop_token& stop,
                       team::Transport& transport);

} // namespace senteval::host
