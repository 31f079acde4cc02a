#include "team/mpi_team.hpp"

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <utility>

namespace senteval::team {
namespace {

constexpr int number_tag = 1;
constexpr int report_tag = 2;
constexpr int coordinator = 0;

/// MPI's own ways to wait keep a processor busy.
void pause_briefly()
{
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// Whether a message is there.
bool has_message(int from, int tag, MPI_Status& status)
{
    int is_there = 0;
    MPI_Iprobe(from, tag, MPI_COMM_WORLD, &is_there, &status);
    return is_there != 0;
}

std::size_t count(MPI_Comm among)
{
    int size = 0;
    MPI_Comm_size(among, &size);
    return static_cast<std::size_t>(size);
}

} // namespace

MpiTeam::MpiTeam()
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
    if (rank_ == coordinator) {
        reports_.resize(size_);
        server_ = std::thread([this] { serve(); });
    }
}

MpiTeam::~MpiTeam()
{
    if (!has_reported_)
        (void)gather("");
    MPI_Request all_here = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &all_here);
    for (int is_done = 0; is_done == 0; pause_briefly())
        MPI_Test(&all_here, &is_done, MPI_STATUS_IGNORE);
    MPI_Finalize();
}

std::size_t MpiTeam::next()
{
    if (rank_ == coordinator)
        return counter_++;
    MPI_Send(nullptr, 0, MPI_BYTE, coordinator, number_tag, MPI_COMM_WORLD);
    for (MPI_Status status; !has_message(coordinator, number_tag, status);)
        pause_briefly();
    std::uint64_t number = 0;
    MPI_Recv(&number, 1, MPI_UINT64_T, coordinator, number_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return number;
}

std::vector<std::string> MpiTeam::gather(const std::string& report)
{
    has_reported_ = true;
    if (rank_ != coordinator) {
        MPI_Send(report.data(), static_cast<int>(report.size()), MPI_BYTE, coordinator, report_tag,
                 MPI_COMM_WORLD);
        return {};
    }
    is_over_ = true;
    server_.join();
    reports_[coordinator] = report;
    return std::move(reports_);
}

void MpiTeam::serve()
{
    for (std::size_t missing = size_ - 1; missing > 0; pause_briefly()) {
        MPI_Status status;
        while (has_message(MPI_ANY_SOURCE, number_tag, status))
            answer(status.MPI_SOURCE);
        for (; has_message(MPI_ANY_SOURCE, report_tag, status); --missing)
            receive_report(status.MPI_SOURCE);
    }
}

void MpiTeam::answer(int process)
{
    MPI_Recv(nullptr, 0, MPI_BYTE, process, number_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const std::uint64_t number = is_over_ ? std::numeric_limits<std::uint64_t>::max() : counter_++;
    MPI_Send(&number, 1, MPI_UINT64_T, process, number_tag, MPI_COMM_WORLD);
}

void MpiTeam::receive_report(int process)
{
    MPI_Status status;
    MPI_Probe(process, report_tag, MPI_COMM_WORLD, &status);
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    std::string& report = reports_[static_cast<std::size_t>(process)];
    report.resize(static_cast<std::size_t>(size));
    MPI_Recv(report.data(), size, MPI_BYTE, process, report_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

} // namespace senteval::team
