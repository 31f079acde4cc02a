#include "learn/aligned.hpp"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace senteval::learn {

void* allocate_aligned(std::size_t bytes)
{
    void* const memory = ::operator new(bytes, alignment_of(bytes));
#if defined(__linux__)
    if (alignment_of(bytes) == huge_page) // advice: without it all is as before, but slower
        static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
#endif
    return memory;
}

} // namespace senteval::learn
