#include "core/aligned.hpp"

#include <limits>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace senteval::core {

void* allocate_aligned(std::size_t bytes)
{
    void* const memory = ::operator new(bytes, alignment_of(bytes));
#if defined(__linux__)
    if (alignment_of(bytes) == huge_page) // advice: without it all is as before, but slower
        static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
#endif
    return memory;
}

FloatBlock make_float_block(std::size_t count)
{
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(float))
        throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(float);
    return {static_cast<float*>(allocate_aligned(bytes)), {alignment_of(bytes)}};
}

} // namespace senteval::core
