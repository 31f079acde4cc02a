// shared_jobs.hpp -- the jobs of a validation where several processes do them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace senteval::learn {

/// What a job found, as numbers: another process may have found it.
using JobResult = std::vector<double>;

/// Jobs that can be done in any order. The stages of a validation follow each other.
struct JobStage {
    std::size_t number = 0;
    std::size_t count = 0; ///< of jobs
};

/// Where the processes at one validation agree on who does what: each makes the same calls on the same data.
/// Thread-safe. Every call throws core::Cancelled where the results are no longer wanted.
class SharedJobs {
public:
    SharedJobs() = default;
    SharedJobs(const SharedJobs&) = delete;
    SharedJobs& operator=(const SharedJobs&) = delete;
    SharedJobs(SharedJobs&&) = delete;
    SharedJobs& operator=(SharedJobs&&) = delete;
    virtual ~SharedJobs() = default;

    /// A job that nobody has taken; nothing where there is none.
    virtual std::optional<std::size_t> take(const JobStage& stage) = 0;

    /// Returns how many jobs of the stage are done, by all processes.
    virtual std::size_t give(const JobStage& stage, std::size_t job, JobResult result) = 0;

    struct Gathered {
        std::size_t done = 0;           ///< jobs
        std::vector<JobResult> results; ///< of all jobs, by number; empty until all are done
    };
    virtual Gathered gather(const JobStage& stage) = 0;
};

} // namespace senteval::learn
