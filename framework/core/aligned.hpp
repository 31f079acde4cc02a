// aligned.hpp -- memory for floats that begins at a cache line, and rows of whole cache lines.
#pragma once

#include <cstddef>
#include <memory>
#include <new>

namespace senteval::core {

/// Floats of a cache line. Rows of matrices for the kernels are padded to multiples of it.
inline constexpr std::size_t line_floats = 16;

constexpr std::size_t padded(std::size_t count)
{
    return (count + line_floats - 1) / line_floats * line_floats;
}

/// Floats from one row to the next, where a row is that many features, a 1 and zeros: an odd number of
/// lines, so that rows spread over all sets of a cache.
constexpr std::size_t row_stride(std::size_t features)
{
    const std::size_t length = padded(features + 1);
    return length / line_floats % 2 == 0 ? length + line_floats : length;
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

struct AlignedDelete {
    std::align_val_t alignment{};
    void operator()(float* memory) const noexcept { ::operator delete(memory, alignment); }
};

/// Aligned floats that nothing is written to: what is never used costs no memory.
using FloatBlock = std::unique_ptr<float[], AlignedDelete>;

/// Throws std::bad_alloc.
[[nodiscard]] FloatBlock make_float_block(std::size_t count);

} // namespace senteval::core
