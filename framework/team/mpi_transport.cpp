#include "team/mpi_transport.hpp"

#include "team/wire.hpp"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>

namespace senteval::team {
namespace {

constexpr int size_tag = 1;
constexpr int bytes_tag = 2;
constexpr std::size_t longest_part = std::size_t{1} << 28U; // MPI counts in int

/// MPI's own ways to wait keep a processor busy.
void pause_briefly()
{
    std::this_thread::sleep_for(std::chrono::microseconds(200));
}

void send(int to, const std::string& bytes)
{
    const std::uint64_t size = bytes.size();
    MPI_Send(&size, 1, MPI_UINT64_T, to, size_tag, MPI_COMM_WORLD);
    for (std::size_t at = 0; at < bytes.size(); at += longest_part)
        MPI_Send(bytes.data() + at, static_cast<int>(std::min(longest_part, bytes.size() - at)),
                 MPI_BYTE, to, bytes_tag, MPI_COMM_WORLD);
}

/// A message whose first part is there.
std::string receive(int from)
{
    std::uint64_t size = 0;
    MPI_Recv(&size, 1, MPI_UINT64_T, from, size_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::string bytes(size, '\0');
    for (std::size_t at = 0; at < bytes.size(); at += longest_part)
        MPI_Recv(bytes.data() + at, static_cast<int>(std::min(longest_part, bytes.size() - at)),
                 MPI_BYTE, from, bytes_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return bytes;
}

/// Who has begun to send a message, if any.
std::optional<int> sender(int from)
{
    int is_there = 0;
    MPI_Status status;
    MPI_Iprobe(from, size_tag, MPI_COMM_WORLD, &is_there, &status);
    return is_there != 0 ? std::optional(status.MPI_SOURCE) : std::nullopt;
}

std::size_t count(MPI_Comm among)
{
    int size = 0;
    MPI_Comm_size(among, &size);
    return static_cast<std::size_t>(size);
}

} // namespace

MpiTransport::MpiTransport()
{
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    rank_ = static_cast<std::size_t>(rank);
    size_ = count(MPI_COMM_WORLD);
    MPI_Comm here = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
    processes_here_ = count(here);
    MPI_Comm_free(&here);
}

MpiTransport::~MpiTransport()
{
    MPI_Finalize();
}

std::optional<Message> MpiTransport::poll()
{
    const auto from = sender(MPI_ANY_SOURCE);
    if (!from)
        return std::nullopt;
    return Message{static_cast<std::size_t>(*from), receive(*from)};
}

void MpiTransport::reply(std::size_t process, const std::string& bytes)
{
    send(static_cast<int>(process), bytes);
}

std::string MpiTransport::request(const std::string& bytes)
{
    send(0, bytes);
    while (!sender(0))
        pause_briefly();
    return receive(0);
}

void MpiTransport::finish()
{
    MPI_Request all_here = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &all_here);
    for (int is_done = 0; is_done == 0;) {
        if (rank_ == 0)
            while (const auto message = poll())
                reply(message->process, to_bytes({{"error", "process 0 has ended"}}));
        MPI_Test(&all_here, &is_done, MPI_STATUS_IGNORE);
        pause_briefly();
    }
}

} // namespace senteval::team
