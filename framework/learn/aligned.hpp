// aligned.hpp -- float arrays that begin at a cache line.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace senteval::learn {

/// Floats of a cache line. Rows of matrices for the kernels are padded to multiples of it.
inline constexpr std::size_t line_floats = 16;

constexpr std::size_t padded(std::size_t count)
{
    return (count + line_floats - 1) / line_floats * line_floats;
}

template <typename T>
struct LineAllocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{line_floats * sizeof(float)};

    LineAllocator() = default;
    template <typename U>
    explicit LineAllocator(const LineAllocator<U>& /*other*/) noexcept
    {
    }

    [[nodiscard]] T* allocate(std::size_t count)
    {
        return static_cast<T*>(::operator new(count * sizeof(T), alignment));
    }
    void deallocate(T* items, std::size_t /*count*/) noexcept
    {
        ::operator delete(items, alignment);
    }
    friend bool operator==(const LineAllocator&, const LineAllocator&) noexcept { return true; }
};

template <typename T>
using AlignedVector = std::vector<T, LineAllocator<T>>;

} // namespace senteval::learn
