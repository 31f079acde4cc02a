// mpi_team.hpp -- the processes of MPI.
#pragma once

#include "team/team.hpp"

#include <atomic>
#include <thread>

namespace senteval::team {

/// MPI from the first use to the end of the program. The coordinator answers on a thread of its own, which alone
/// calls MPI there: a counter in MPI's shared memory would wait for the coordinator wherever the network needs
/// its help. Errors of MPI end all its processes, as is MPI's way.
class MpiTeam final : public Team {
public:
    MpiTeam();

    /// Waits for all processes.
    ~MpiTeam() override;
    MpiTeam(const MpiTeam&) = delete;
    MpiTeam& operator=(const MpiTeam&) = delete;
    MpiTeam(MpiTeam&&) = delete;
    MpiTeam& operator=(MpiTeam&&) = delete;

    [[nodiscard]] std::size_t rank() const override { return rank_; }
    [[nodiscard]] std::size_t size() const override { return size_; }
    [[nodiscard]] std::size_t processes_here() const override { return processes_here_; }
    std::size_t next() override;
    std::vector<std::string> gather(const std::string& report) override;

private:
    void serve();
    void answer(int process);
    void receive_report(int process);

    std::size_t rank_ = 0;
    std::size_t size_ = 1;
    std::size_t processes_here_ = 1;
    std::atomic<std::size_t> counter_ = 0;
    std::atomic<bool> is_over_ = false; ///< nobody gets a number any more
    bool has_reported_ = false;
    std::vector<std::string> reports_; ///< by rank; the server's while it runs
    std::thread server_;               ///< ends with the last report
};

} // namespace senteval::team
