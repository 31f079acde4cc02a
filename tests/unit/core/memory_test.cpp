#include "core/memory.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

constexpr std::uint64_t kilobyte = 1024;

core::MemoryFiles files_in(const test::ScratchFolder& folder)
{
    return {folder / "proc", folder / "groups"};
}

} // namespace

TEST_CASE("free memory is the machine's, or what the control groups around leave of it")
{
    const test::ScratchFolder folder;
    folder.write("proc/meminfo", "MemTotal:  4000 kB\nMemFree: 10 kB\nMemAvailable:   3000 kB\n");
    CHECK(core::available_memory(files_in(folder)) == 3000 * kilobyte);
    CHECK(core::memory_limit(files_in(folder)) == 4000 * kilobyte);

    folder.write("proc/self/cgroup", "0::/job/step\n");
    folder.write("groups/job/memory.max", "2048000\n");
    folder.write("groups/job/memory.current", "1024000\n");
    folder.write("groups/job/memory.stat", "anon 5\ninactive_file 20000\nactive_file 4000\n");
    folder.write("groups/job/step/memory.max", "max\n");
    folder.write("groups/job/step/memory.current", "1000\n");
    CHECK(core::available_memory(files_in(folder)) == 2048000 - 1000000);
    CHECK(core::memory_limit(files_in(folder)) == 2048000);

    folder.write("groups/job/memory.current", "4096000\n"); // beyond its limit
    CHECK(core::available_memory(files_in(folder)) == 0);
}

TEST_CASE("where the system tells nothing, nothing is refused")
{
    const test::ScratchFolder folder;
    CHECK(core::available_memory(files_in(folder)) > std::uint64_t{1} << 50U);
}
