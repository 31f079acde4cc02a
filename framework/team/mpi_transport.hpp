// mpi_transport.hpp -- the processes that mpirun started.
#pragma once

#include "team/transport.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace senteval::team {

/// MPI from the first use to the end of the program. Calls of one process do not overlap. Errors of MPI
/// end all its processes, as is MPI's way.
class MpiTransport final : public Transport {
public:
    MpiTransport();
    ~MpiTransport() override;
    MpiTransport(const MpiTransport&) = delete;
    MpiTransport& operator=(const MpiTransport&) = delete;
    MpiTransport(MpiTransport&&) = delete;
    MpiTransport& operator=(MpiTransport&&) = delete;

    [[nodiscard]] std::size_t rank() const override { return rank_; }
    [[nodiscard]] std::size_t size() const override { return size_; }
    [[nodiscard]] std::size_t processes_here() const override { return processes_here_; }

    std::optional<Message> poll() override;
    void reply(std::size_t process, const std::string& bytes) override;
    std::string request(const std::string& bytes) override;

    /// Waits until every process is here. Who still asks meanwhile hears that there is nobody to answer.
    void finish();

private:
    std::size_t rank_ = 0;
    std::size_t size_ = 1;
    std::size_t processes_here_ = 1;
};

} // namespace senteval::team
