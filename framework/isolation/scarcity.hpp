// scarcity.hpp -- what the process of an encoder had too little of when it failed or died.
#pragma once

#include "isolation/limits.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace senteval::isolation {

/// What a process has taken.
struct Taken {
    std::uint64_t memory = 0; ///< bytes that it has allocated; 0: not known
    bool all_files = false;   ///< it can open no more
};

/// Bytes, from the text of /proc/ID/status, as RLIMIT_DATA counts them.
std::uint64_t allocated(std::string_view status);

/// Of a process that runs.
Taken taken_by(int process);

enum class Failure {
    error,         ///< for a reason of the encoder's own
    out_of_memory, ///< it says that it was refused some
    death          ///< of its process
};

/// What follows the reason of a failure: which limit was reached, and what to do; nothing where none was.
std::string shortage_text(const Limits& limits, const Taken& taken, Failure failure);

/// Processes that the system has ended for want of memory since it was started, where it counts them.
std::optional<std::uint64_t> ended_for_memory();

} // namespace senteval::isolation
