// aligned_vector.hpp -- vectors that begin at a cache line, for rows that the kernels read.
#pragma once

#include "core/aligned.hpp"

#include <cstddef>
#include <new>
#include <vector>

namespace senteval::train {

inline constexpr std::align_val_t line_alignment{core::line_floats * sizeof(float)};

template <typename T>
struct LineAllocator {
    using value_type = T;

    LineAllocator() = default;
    template <typename Other>
    explicit LineAllocator(const LineAllocator<Other>& /*other*/) noexcept
    {
    }

    T* allocate(std::size_t count)
    {
        return static_cast<T*>(::operator new(count * sizeof(T), line_alignment));
    }
    void deallocate(T* memory, std::size_t /*count*/) noexcept
    {
        ::operator delete(memory, line_alignment);
    }

    friend bool operator==(const LineAllocator&, const LineAllocator&) = default;
};

template <typename T>
using AlignedVector = std::vector<T, LineAllocator<T>>;

} // namespace senteval::train
