#include "core/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::core {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// The number in a file; nothing where there is none ("max").
std::optional<std::uint64_t> number_in(const fs::path& path)
{
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

/// The number behind a word in a file of words and numbers.
std::optional<std::uint64_t> number_behind(std::string_view word, const fs::path& path)
{
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line))
        if (line.starts_with(word)) {
            std::istringstream rest(line.substr(word.size()));
            std::uint64_t number = 0;
            return rest >> number ? std::optional(number) : std::nullopt;
        }
    return std::nullopt;
}

std::optional<std::uint64_t> of_machine(std::string_view what, const MemoryFiles& files)
{
    const auto kilobytes = number_behind(what, files.processes / "meminfo");
    return kilobytes ? std::optional(*kilobytes * 1024) : std::nullopt;
}

/// The folders of the control groups around this process, the innermost first. In a container the path may be
/// that of another view of the file system: what is not there is passed over.
std::vector<fs::path> groups_around(const MemoryFiles& files)
{
    std::vector<fs::path> groups;
    std::ifstream lines(files.processes / "self/cgroup");
    constexpr std::string_view version_2 = "0::/";
    for (std::string line; std::getline(lines, line);)
        if (line.starts_with(version_2))
            for (fs::path path = line.substr(version_2.size());; path = path.parent_path()) {
                groups.push_back(files.groups / path);
                if (path.empty())
                    break;
            }
    return groups;
}

std::uint64_t left(std::uint64_t limit, std::uint64_t used)
{
    return limit > used ? limit - used : 0;
}

std::uint64_t left_of(const fs::path& group)
{
    const auto limit = number_in(group / "memory.max");
    const auto used = number_in(group / "memory.current");
    if (!limit || !used)
        return unlimited;
    std::uint64_t cached = 0;
    for (const char* word : {"inactive_file ", "active_file "})
        cached += number_behind(word, group / "memory.stat").value_or(0);
    return left(*limit, left(*used, cached));
}

/// Memory that `ulimit` leaves; `used` is a place in the process's statm.
std::uint64_t left_of(int resource, std::size_t used, const MemoryFiles& files)
{
    rlimit limit{};
    if (getrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0 ||
        limit.rlim_cur == RLIM_INFINITY)
        return unlimited;
    std::ifstream file(files.processes / "self/statm");
    std::uint64_t pages = 0;
    for (std::size_t at = 0; at <= used; ++at)
        file >> pages;
    return left(limit.rlim_cur, pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)));
}

} // namespace

std::uint64_t memory_limit(const MemoryFiles& files)
{
    std::uint64_t least = of_machine("MemTotal:", files).value_or(unlimited);
    for (const fs::path& group : groups_around(files))
        least = std::min(least, number_in(group / "memory.max").value_or(unlimited));
    return least;
}

std::uint64_t available_memory(const MemoryFiles& files)
{
    constexpr std::size_t whole = 0; // of statm
    constexpr std::size_t data = 5;
    std::uint64_t least = of_machine("MemAvailable:", files).value_or(unlimited);
    for (const fs::path& group : groups_around(files))
        least = std::min(least, left_of(group));
    least = std::min(least, left_of(RLIMIT_AS, whole, files));
    return std::min(least, left_of(RLIMIT_DATA, data, files));
}

} // namespace senteval::core
