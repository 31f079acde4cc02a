// job_board.hpp -- the cells whose folds several processes compute: who has which job, and what was found.
#pragma once

#include "learn/shared_jobs.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace senteval::team {

/// Kept by the first process for all. Pieces, of one cell each, have their numbers, and so have processes.
/// Not thread-safe.
class JobBoard {
public:
    /// A process has begun with a piece that others may help with; `cost`: its seconds.
    void open(std::size_t piece, double cost);

    /// It is done with, or given up: who helps with it need not go on.
    void close(std::size_t piece) { cells_.erase(piece); }

    /// A piece for a process that has nothing to do: the one with most left for each process at it, where
    /// that is worth beginning. None is offered to a process twice.
    std::optional<std::size_t> invite(std::size_t process);

    /// What the process has taken and not done is for others.
    void leave(std::size_t process);

    /// As of learn::SharedJobs. Throw core::Cancelled where the piece is not open.
    std::optional<std::size_t>
    take(std::size_t piece, std::size_t process, const learn::JobStage& stage);
    std::size_t
    give(std::size_t piece, const learn::JobStage& stage, std::size_t job, learn::JobResult result);
    [[nodiscard]] learn::SharedJobs::Gathered gather(std::size_t piece,
                                                     const learn::JobStage& stage);

private:
    struct Job {
        std::optional<std::size_t> process; ///< that has taken it
        std::optional<learn::JobResult> result;
    };
    using Jobs = std::vector<Job>; ///< of a stage
    struct Cell {
        double cost = 0;
        std::vector<Jobs> stages;   ///< that were begun
        std::set<std::size_t> help; ///< processes that were invited
    };

    [[nodiscard]] Jobs& jobs_of(std::size_t piece, const learn::JobStage& stage);
    [[nodiscard]] static double left_for_each(const Cell& cell);

    std::map<std::size_t, Cell> cells_; ///< by piece
};

} // namespace senteval::team
