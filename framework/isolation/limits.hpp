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
    std::uint64_t memory = 0;          ///< bytes that it may allocate
    std::uint64_t open_files = 0;
};

/// "; it may allocate 64 MiB (--limit-memory) and open 20 files (--limit-files)": what follows the reason of a
/// failure, which may be one of these; nothing where there are none.
std::string limits_text(const Limits& limits);

/// The program that serves encoders, by default this one, and its limits.
struct Service {
    std::vector<std::string> program = {"/proc/self/exe"};
    Limits limits = {};
    unsigned threads = 1; ///< that call a concurrent encoder at the same time
};

} // namespace senteval::isolation
