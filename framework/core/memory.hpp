// memory.hpp -- how much memory this process may have.
#pragma once

#include <cstdint>
#include <filesystem>

namespace senteval::core {

/// The files in which the system reports memory.
struct MemoryFiles {
    std::filesystem::path processes = "/proc";
    std::filesystem::path groups = "/sys/fs/cgroup"; ///< control groups (version 2)
};

/// Bytes of the machine, or of the control groups around this process where these allow less.
[[nodiscard]] std::uint64_t memory_limit(const MemoryFiles& files = {});

/// Bytes that this process may still get without swap space: what the machine, its control groups and the limits of
/// `ulimit` leave. A control group's cached files count as free. The largest number where the system says nothing.
[[nodiscard]] std::uint64_t available_memory(const MemoryFiles& files = {});

} // namespace senteval::core
