#include "core/spilled_block.hpp"

#include "base/byte_text.hpp"
#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace senteval::core {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_to_spill(const fs::path& folder, std::size_t bytes, int code)
{
    throw base::Error("cannot write {} into a file in '{}' (--spill): {}",
                      base::byte_text(static_cast<double>(bytes)), folder.string(),
                      std::generic_category().message(code));
}

/// 0, or why there is no room.
int take_space(int file, std::size_t bytes)
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        bytes > limit.rlim_cur)
        return EFBIG; // asking would end the process
    struct statvfs disk {};
    if (::fstatvfs(file, &disk) == 0 && disk.f_blocks > 0 && bytes / disk.f_frsize >= disk.f_bavail)
        return ENOSPC; // some file systems fill up before they say so
    int problem = EINTR;
    while (problem == EINTR)
        problem = ::posix_fallocate(file, 0, static_cast<off_t>(bytes));
    return problem;
}

} // namespace

SpilledBlock::SpilledBlock(const fs::path& folder, std::size_t count)
{
    const std::size_t bytes = count * sizeof(float);
    if (count == 0)
        return;
    const base::Descriptor file(base::open_without_name(folder));
    if (file.number() < 0)
        fail_to_spill(folder, bytes, errno);
    if (const int problem = take_space(file.number(), bytes); problem != 0)
        fail_to_spill(folder, bytes, problem);
    void* const memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
    if (memory == MAP_FAILED)
        fail_to_spill(folder, bytes, errno);
    floats_ = {static_cast<float*>(memory), count};
}

SpilledBlock::SpilledBlock(SpilledBlock&& other) noexcept
    : floats_(std::exchange(other.floats_, {}))
{
}

SpilledBlock& SpilledBlock::operator=(SpilledBlock&& other) noexcept
{
    std::swap(floats_, other.floats_);
    return *this;
}

SpilledBlock::~SpilledBlock()
{
    if (!floats_.empty())
        ::munmap(floats_.data(), floats_.size_bytes());
}

void require_spill_folder(const fs::path& folder)
{
    const base::Descriptor file(base::open_without_name(folder));
    if (file.number() < 0)
        throw base::UsageError("--spill: cannot create a file in '{}': {}", folder.string(),
                               std::generic_category().message(errno));
}

} // namespace senteval::core
