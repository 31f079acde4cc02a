// makespan.hpp -- how long so many processes would take: the scheduler at work, without the work.
#pragma once

#include "team/scheduler.hpp"

#include <cstddef>
#include <vector>

namespace senteval::team {

/// A unit of a run with its seconds; its `cost` is what the scheduler thinks of it.
struct TimedPiece {
    Piece piece;
    double vectors = 0; ///< until its vectors are made; not spent where another piece has made them
    double fit = 0;     ///< with them, of all cells
};

struct Makespan {
    double seconds = 0;     ///< until the last process is done
    double busy = 0;        ///< of all processes together
    std::size_t pieces = 0; ///< that were handed out
    Piece last;             ///< that ended last; `unit` is its number here
};

/// Processes that take no time to ask, and folds as small as one likes; `load`: seconds that a process takes
/// to load an encoder (its number, as pieces have it), when it turns to it.
[[nodiscard]] Makespan simulate(const std::vector<TimedPiece>& pieces,
                                const std::vector<double>& load,
                                std::size_t processes);

} // namespace senteval::team
