#include "base/error.hpp"
#include "core/spilled_block.hpp"
#include "support/support.hpp"

#include <sys/resource.h>

using namespace senteval;
using core::SpilledBlock;

TEST_CASE("floats in a file are zeros at first, and their folder shows nothing of it")
{
    const test::ScratchFolder folder;
    constexpr std::size_t count = 100'000;
    SpilledBlock block(folder.path(), count);
    CHECK(block.get()[0] == 0);
    CHECK(block.get()[count - 1] == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(block.get()) % 64 == 0);
    block.get()[count - 1] = 1.5F;
    CHECK(std::filesystem::is_empty(folder.path()));

    float* const before = block.get();
    SpilledBlock moved = std::move(block);
    CHECK(moved.get() == before);
    CHECK(moved.get()[count - 1] == 1.5F);
    moved = SpilledBlock(folder.path(), 1);
    CHECK(moved.get()[0] == 0);
    CHECK(SpilledBlock(folder.path(), 0).get() == nullptr);
}

TEST_CASE(
    "a file that there is no room for is an error with the reason, before anything is written")
{
    const test::ScratchFolder folder;
    constexpr std::size_t beyond_any_disk = std::size_t{1} << 58U; // floats: 2^60 bytes
    CHECK_ERROR(base::Error, folder.path(), SpilledBlock(folder.path(), beyond_any_disk));
    folder.write("file", "");
    CHECK_THROWS_AS(SpilledBlock(folder / "file", 10), base::Error);
    CHECK_THROWS_AS(core::require_spill_folder(folder / "file"), base::UsageError);
    CHECK_ERROR(base::UsageError, "No such file", core::require_spill_folder(folder / "missing"));
    CHECK_NOTHROW(core::require_spill_folder(folder.path()));

    rlimit old{};
    getrlimit(RLIMIT_FSIZE, &old);
    rlimit small = old;
    small.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_FSIZE, &small);
    CHECK_ERROR(base::Error, "too large", SpilledBlock(folder.path(), 1 << 20));
    setrlimit(RLIMIT_FSIZE, &old);
    CHECK(SpilledBlock(folder.path(), 1 << 20).get() != nullptr);
}
