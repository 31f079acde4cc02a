// limits.hpp -- what an encoder in a process of its own may take, and how such a process is started.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace senteval::isolation {

/// Zero: no limit.
struct Limits {
    std::chrono::milliseconds call{0}; ///< for a call; making the encoder is one
    std::chrono::milliseconds task{0}; ///< for all calls of a task together
    std::uint64_t memory = 0;          ///< bytes that it may allocate
    std::uint64_t open_files = 0;
};

/// The program that serves encoders, this one where nothing else is said, and its limits.
struct Service {
    std::vector<std::string> program = {"/proc/self/exe"};
    Limits limits = {};
    unsigned threads = 1; ///< that call a concurrent encoder at the same time
};

} // namespace senteval::isolation
