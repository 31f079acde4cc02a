// jobs.hpp -- the independent parts of a validation, on threads and on the processes that share it.
#pragma once

#include "learn/shared_jobs.hpp"
#include "learn/validation.hpp"

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace senteval::learn {

/// Called after a fit with the number of those that the job has done; may be empty.
using FitProgress = std::function<void(std::size_t fits)>;

/// Runs jobs on the threads of the options, with progress, counted in fits, and cancellation.
class Jobs {
public:
    /// `total`: fits of all jobs to come.
    Jobs(const ValidationOptions& options, std::size_t total) : options_(options), total_(total) {}

    /// Each job makes `fits` fits and may say how many of them are done.
    void run(std::size_t count,
             std::size_t fits,
             const std::function<void(std::size_t job, const FitProgress& progress)>& job);

    using Job = std::function<JobResult(std::size_t job, const FitProgress& progress)>;

    /// What the jobs find, by number, whichever process of those that share the validation did them.
    std::vector<JobResult> results(std::size_t count, std::size_t fits, const Job& job);

private:
    std::vector<JobResult> shared_results(const JobStage& stage, std::size_t fits, const Job& job);
    std::optional<std::size_t> take(const JobStage& stage);
    void check_stop() const;
    void add(std::size_t fits);
    void advance(std::size_t done);
    void tell(std::size_t done);

    const ValidationOptions& options_;
    std::size_t total_;
    std::size_t done_ = 0;
    std::size_t stages_ = 0;
    std::mutex mutex_;
};

} // namespace senteval::learn
