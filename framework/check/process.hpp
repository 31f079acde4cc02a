// process.hpp -- what the process of a trial has and uses: rules of group 6, memory, threads, files.
#pragma once

#include <array>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <set>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace senteval::check {

struct Change {
    std::string rule; ///< "6.1"
    std::string what;
};

/// What no call may change, as it is now, of the process and of the calling thread.
class Snapshot {
public:
    Snapshot();

    /// What is different by now.
    [[nodiscard]] std::vector<Change> changes() const;

private:
    static constexpr std::size_t signals = 65;

    [[nodiscard]] std::string printed_since() const;

    std::string locale_;
    locale_t thread_locale_;
    std::array<void (*)(int), signals> handlers_{};
    sigset_t blocked_{};
    std::string folder_;
    std::array<unsigned, 3> floating_point_{};
    std::string file_mask_;
    std::array<struct stat, 3> streams_{};
};

/// From here on, what is printed goes to memory, where Snapshot sees it.
void keep_stdout_in_memory();

/// Threads of the process, by the system's names.
std::set<std::string> threads();

/// How many of them run or could run, one apart.
std::size_t busy_threads(const std::string& apart);

std::size_t open_descriptors();

/// Bytes that malloc() has given and not got back; 0 under a sanitizer.
std::size_t heap_bytes();

/// Bytes of addresses that are in use, whether something lies there or not.
std::size_t mapped_bytes();

} // namespace senteval::check
