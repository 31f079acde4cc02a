// aligned.hpp -- vectors of floats that begin at a cache line.
#pragma once

#include "core/aligned.hpp"

#include <cstddef>
#include <vector>

namespace senteval::learn {

using core::line_floats;
using core::padded;

template <typename T>
struct LineAllocator {
    using value_type = T;

    LineAllocator() = default;
    template <typename U>
    explicit LineAllocator(const LineAllocator<U>& /*other*/) noexcept
    {
    }

    [[nodiscard]] T* allocate(std::size_t count)
    {
        return static_cast<T*>(core::allocate_aligned(count * sizeof(T)));
    }
    void deallocate(T* items, std::size_t count) noexcept
    {
        ::operator delete(items, core::alignment_of(count * sizeof(T)));
    }
    friend bool operator==(const LineAllocator&, const LineAllocator&) noexcept { return true; }
};

template <typename T>
using AlignedVector = std::vector<T, LineAllocator<T>>;

} // namespace senteval::learn
