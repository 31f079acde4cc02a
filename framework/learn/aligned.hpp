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

inline constexpr std::align_val_t huge_page{std::size_t{1} << 21};

/// Large arrays begin at a huge page and ask for such: rows are read in random order, and of small
/// pages the processor knows too few at a time.
constexpr std::align_val_t alignment_of(std::size_t bytes)
{
    return bytes >= 2 * static_cast<std::size_t>(huge_page)
               ? huge_page
               : std::align_val_t{line_floats * sizeof(float)};
}

/// Memory for `operator delete(memory, alignment_of(bytes))`.
[[nodiscard]] void* allocate_aligned(std::size_t bytes);

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
        return static_cast<T*>(allocate_aligned(count * sizeof(T)));
    }
    void deallocate(T* items, std::size_t count) noexcept
    {
        ::operator delete(items, alignment_of(count * sizeof(T)));
    }
    friend bool operator==(const LineAllocator&, const LineAllocator&) noexcept { return true; }
};

template <typename T>
using AlignedVector = std::vector<T, LineAllocator<T>>;

} // namespace senteval::learn
