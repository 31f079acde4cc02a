#include "isolation/shared_buffer.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <new>
#include <system_error>

namespace senteval::isolation {
namespace {

std::size_t page_size()
{
    static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

std::size_t whole_pages(std::size_t size)
{
    if (size > std::numeric_limits<std::size_t>::max() / 4)
        throw std::bad_alloc();
    return (std::max<std::size_t>(size, 1) + page_size() - 1) / page_size() * page_size();
}

[[noreturn]] void fail_to_share(int code)
{
    if (code == ENOMEM)
        throw std::bad_alloc();
    throw base::Error("memory cannot be shared: {}", std::generic_category().message(code));
}

int new_file()
{
    const int descriptor = memfd_create("senteval", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0)
        fail_to_share(errno);
    return descriptor;
}

} // namespace

SharedBuffer::SharedBuffer(std::size_t size) : file_(new_file()), access_(Access::write)
{
    // The other side cannot take away what this one reads.
    fcntl(file_.number(), F_ADD_SEALS, F_SEAL_SHRINK);
    grow(size);
}

SharedBuffer::SharedBuffer(int descriptor, Access access) : file_(descriptor), access_(access) {}

SharedBuffer::~SharedBuffer()
{
    unmap();
}

void SharedBuffer::grow(std::size_t at_least)
{
    if (at_least <= size_)
        return;
    const std::size_t size = whole_pages(std::max(at_least, 2 * size_));
    if (ftruncate(file_.number(), static_cast<off_t>(size)) != 0)
        fail_to_share(errno);
    map(size);
}

void SharedBuffer::follow(std::size_t size)
{
    if (size != 0 && size == size_)
        return;
    struct stat about {};
    if (fstat(file_.number(), &about) != 0)
        fail_to_share(errno);
    if (size == 0)
        size = static_cast<std::size_t>(about.st_size);
    if (static_cast<std::size_t>(about.st_size) < size || size != whole_pages(size))
        throw base::Error("shared memory has {} bytes in place of {}", about.st_size, size);
    map(size);
}

void SharedBuffer::map(std::size_t size)
{
    unmap();
    const std::size_t guard = page_size();
    void* const reserved = mmap(nullptr, size + 2 * guard, PROT_NONE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED)
        fail_to_share(errno);
    auto* const view = static_cast<std::byte*>(reserved) + guard;
    const int protection = access_ == Access::read ? PROT_READ : PROT_READ | PROT_WRITE;
    if (mmap(view, size, protection, MAP_SHARED | MAP_FIXED, file_.number(), 0) == MAP_FAILED) {
        const int problem = errno;
        munmap(reserved, size + 2 * guard);
        fail_to_share(problem);
    }
    // A forked process that goes on as if it were this one cannot write here.
    (void)madvise(view, size, MADV_DONTFORK);
    view_ = view;
    size_ = size;
}

void SharedBuffer::unmap() noexcept
{
    if (view_ != nullptr)
        munmap(view_ - page_size(), size_ + 2 * page_size());
    view_ = nullptr;
    size_ = 0;
}

} // namespace senteval::isolation
