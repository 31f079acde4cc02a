// jobs.hpp -- the independent parts of a validation, on threads.
#pragma once

#include "learn/validation.hpp"

#include <cstddef>
#include <functional>
#include <mutex>

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

private:
    void add(std::size_t fits);

    const ValidationOptions& options_;
    std::size_t total_;
    std::size_t done_ = 0;
    std::mutex mutex_;
};

} // namespace senteval::learn
