#include "core/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
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
            std::uint64_t number = 0;
            const std::size_t first = line.find_first_of("0123456789", word.size());
            if (first == std::string::npos)
                return std::nullopt;
            for (const char c : std::string_view(line).substr(first)) {
                if (c < '0' || c > '9')
                    break;
                number = number * 10 + static_cast<std::uint64_t>(c - '0');
            }
            return number;
        }
    return std::nullopt;
}

std::optional<std::uint64_t> of_machine(std::string_view what, const MemoryFiles& files)
{
    const auto kilobytes = number_behind(what, files.processes / "meminfo");
    return kilobytes ? std::optional(*kilobytes * 1024) : std::nullopt;
}

/// What a version of control groups calls its files.
struct GroupFiles {
    const char* limit;
    const char* used;
    const char* cached[2]; ///< in memory.stat
};
constexpr GroupFiles version_1 = {"memory.limit_in_bytes",
                                  "memory.usage_in_bytes",
                                  {"total_inactive_file ", "total_active_file "}};
constexpr GroupFiles version_2 = {
    "memory.max", "memory.current", {"inactive_file ", "active_file "}};

struct Group {
    fs::path folder;
    const GroupFiles* files;
};

/// The groups around this process, the innermost first. In a container the path may be that of another
/// view of the file system: what is not there is passed over.
std::vector<Group> groups_around(const MemoryFiles& files)
{
    std::vector<Group> groups;
    std::ifstream lines(files.processes / "self/cgroup");
    std::string line; // "4:memory:/path", or "0::/path" of version 2
    while (std::getline(lines, line)) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos)
            continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const bool is_second = controllers == ",,";
        if (!is_second && controllers.find(",memory,") == std::string::npos)
            continue;
        const fs::path root = is_second ? files.groups : files.groups / "memory";
        fs::path path = fs::path(line.substr(second + 1)).relative_path();
        for (;; path = path.parent_path()) {
            groups.push_back({root / path, is_second ? &version_2 : &version_1});
            if (path.empty())
                break;
        }
    }
    return groups;
}

std::uint64_t left(std::uint64_t limit, std::uint64_t used)
{
    return limit > used ? limit - used : 0;
}

std::uint64_t left_of(const Group& group)
{
    const auto limit = number_in(group.folder / group.files->limit);
    const auto used = number_in(group.folder / group.files->used);
    if (!limit || !used)
        return unlimited;
    std::uint64_t cached = 0;
    for (const char* word : group.files->cached)
        cached += number_behind(word, group.folder / "memory.stat").value_or(0);
    return left(*limit, left(*used, cached));
}

/// What `ulimit` leaves; `used` is a place in the process's statm.
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
    for (const Group& group : groups_around(files))
        least = std::min(least, number_in(group.folder / group.files->limit).value_or(unlimited));
    return least;
}

std::uint64_t available_memory(const MemoryFiles& files)
{
    constexpr std::size_t whole = 0; // of statm
    constexpr std::size_t data = 5;
    std::uint64_t least = of_machine("MemAvailable:", files).value_or(unlimited);
    for (const Group& group : groups_around(files))
        least = std::min(least, left_of(group));
    least = std::min(least, left_of(RLIMIT_AS, whole, files));
    return std::min(least, left_of(RLIMIT_DATA, data, files));
}

} // namespace senteval::core
