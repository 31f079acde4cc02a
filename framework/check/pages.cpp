#include "check/pages.hpp"

#include "check/measure.hpp"

#include <sys/mman.h>

#include <new>
#include <utility>

namespace senteval::check {

GuardedMemory::GuardedMemory(std::size_t bytes, bool at_front)
{
    const std::size_t page = page_size();
    const std::size_t inside = (bytes + page - 1) / page * page;
    size_ = inside + 2 * page;
    region_ = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (region_ == MAP_FAILED)
        throw std::bad_alloc();
    std::byte* const first = static_cast<std::byte*>(region_) + page;
    bytes_ = {at_front ? first : first + inside - bytes, bytes};
    protect(PROT_READ | PROT_WRITE);
}

GuardedMemory::GuardedMemory(GuardedMemory&& other) noexcept
    : region_(std::exchange(other.region_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      bytes_(std::exchange(other.bytes_, {}))
{
}

GuardedMemory::~GuardedMemory()
{
    if (region_ != nullptr)
        munmap(region_, size_);
}

void GuardedMemory::forbid_writing() noexcept
{
    protect(PROT_READ);
}

void GuardedMemory::forbid() noexcept
{
    protect(PROT_NONE);
}

void GuardedMemory::protect(int protection) noexcept
{
    const std::size_t page = page_size();
    if (size_ > 2 * page)
        mprotect(static_cast<std::byte*>(region_) + page, size_ - 2 * page, protection);
}

} // namespace senteval::check
