// process.hpp -- what the process of a trial has and uses: rules of group 6, memory, threads, files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace senteval::check {

/// Something that no call may change.
struct Property {
    std::string rule; ///< "6.1"
    std::string name;
    std::optional<std::string> value; ///< none where it cannot be read: that is nobody's fault
};

/// Whether both are known, and not the same.
[[nodiscard]] inline bool has_changed(const Property& before, const Property& now)
{
    return before.value && now.value && *before.value != *now.value;
}

/// All properties as they are now, of the process and of the calling thread; always in the same order.
std::vector<Property> process_state();

/// Sends what is printed from now on to memory, where process_state() sees how much it is.
void keep_stdout_in_memory();

/// The threads of the process, by the system's numbers; none where they cannot be listed.
std::vector<std::string> threads();

/// The number of threads that run or wait for a processor, one apart.
std::size_t busy_threads(const std::string& apart);

/// 0 where they cannot be listed.
std::size_t open_descriptors();

/// Bytes that malloc() has given and not got back; 0 under a sanitizer.
std::size_t heap_bytes();

/// Limits the process to a few gigabytes more than it uses: nobody's machine shall swap because of a
/// value that is far too large.
void limit_memory();

} // namespace senteval::check
