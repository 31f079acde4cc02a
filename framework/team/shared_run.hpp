// shared_run.hpp -- a run as all its processes see it.
#pragma once

#include "core/json.hpp"
#include "run/work.hpp"
#include "team/scheduler.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::team {

/// What the first process knows of a unit.
struct UnitCost {
    double seconds = 1;
    bool divisible = true;    ///< whether vectors that one process made serve another
    std::size_t fit_jobs = 1; ///< of a cell: processes that its fit is worth dividing among
};

/// The same in every process.
struct SharedRun {
    std::vector<run::Unit> units;
    std::vector<UnitCost> costs; ///< of the units; of the first process only
    std::string fingerprint;     ///< of what the run computes
    bool caches_all = true;      ///< not only vectors that several processes need
};

/// What a process does of the run, as a message and back; "shares_vectors": whether others need its vectors.
[[nodiscard]] core::Json to_message(const Piece& piece, run::Folds folds, bool shares_vectors);
[[nodiscard]] run::Unit unit_from(const SharedRun& run, const core::Json& message);

/// The units as the scheduler has them before any is divided.
[[nodiscard]] std::vector<Piece> pieces_of(const SharedRun& run);

} // namespace senteval::team
