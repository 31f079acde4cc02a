// team.hpp -- the processes that mpirun started, with one counter for the next unit of work.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::team {

/// One process among others that work on one list; the first is the coordinator and has rank 0.
class Team {
public:
    Team() = default;
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    Team(Team&&) = delete;
    Team& operator=(Team&&) = delete;
    virtual ~Team() = default;

    [[nodiscard]] virtual std::size_t rank() const = 0;
    [[nodiscard]] virtual std::size_t size() const = 0;

    /// Number of processes on this machine, this one included.
    [[nodiscard]] virtual std::size_t processes_here() const = 0;

    /// 0, 1, 2, ...: each number goes to one process. Above every list once the coordinator has begun to gather.
    virtual std::size_t next() = 0;

    /// The last call of each process: hands its report to the coordinator, which waits for all and gets them
    /// by rank; the others get nothing.
    virtual std::vector<std::string> gather(const std::string& report) = 0;
};

} // namespace senteval::team
