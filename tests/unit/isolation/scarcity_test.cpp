#include "isolation/scarcity.hpp"

#include "support/support.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

using namespace senteval::isolation;
using senteval::test::contains;

namespace {

constexpr std::uint64_t mib = 1U << 20U;

Limits memory_limit(std::uint64_t bytes)
{
    Limits limits;
    limits.memory = bytes;
    return limits;
}

} // namespace

TEST_CASE("a limit of memory is named where it was reached, or may have been")
{
    const Limits limits = memory_limit(400 * mib);
    CHECK(shortage_text(limits, {}, Failure::out_of_memory) ==
          "; it reached the limit of 400.0 MiB that it may allocate (--limit-memory): allow it "
          "more, or give it less at a time (--encode-batch)");
    CHECK(contains(shortage_text(limits, {390 * mib, false}, Failure::error),
                   "390.0 MiB of the 400.0 MiB that it may (--limit-memory), and may have come"));
    CHECK(shortage_text(limits, {10 * mib, false}, Failure::error).empty());
    CHECK(shortage_text(limits, {10 * mib, false}, Failure::death) ==
          "; it had allocated 10.0 MiB of the 400.0 MiB that it may (--limit-memory)");
    CHECK(shortage_text(limits, {}, Failure::death).empty());
    CHECK(shortage_text({}, {390 * mib, false}, Failure::out_of_memory).empty());
}

TEST_CASE("files are named where no more can be opened")
{
    Limits limits;
    limits.open_files = 64;
    CHECK(shortage_text(limits, {0, true}, Failure::error) ==
          "; it has as many files open as it may: 64 (--limit-files)");
    CHECK(contains(shortage_text({}, {0, true}, Failure::death), "(ulimit -n)"));
    CHECK(shortage_text(limits, {}, Failure::error).empty());
}

TEST_CASE("what a process has taken is read from the system")
{
    CHECK(allocated("Name:\tx VmData:\t 1 kB\nVmData:\t  2048 kB\n") == 2 * mib);
    CHECK(allocated("VmData:") == 0);
    CHECK(allocated("") == 0);
    const Taken taken = taken_by(getpid());
    CHECK(taken.memory > mib / 16);
    CHECK(!taken.all_files);
}
