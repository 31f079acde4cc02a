// vector_memory.hpp -- where the vectors of a task lie: in memory or, where that is wanted, in a file.
#pragma once

#include "core/aligned.hpp"
#include "core/memory.hpp"
#include "core/spilled_block.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

namespace senteval::encoder {

/// Whether memory of which that much is free has room for vectors: an eighth is for what is done with them.
constexpr bool fits_in_memory(std::uint64_t bytes, std::uint64_t available)
{
    return bytes <= available - available / 8;
}

struct SpillOptions {
    std::filesystem::path folder; ///< for vectors, in place of memory; empty: there is none
    std::function<std::uint64_t()> available = [] { return core::available_memory(); };
};

/// Floats from one vector to the next: the dimension, or what core::row_stride() makes of it.
enum class VectorRows { dense, padded };

class VectorMemory {
public:
    /// Room for vectors that nothing is written to, in place of what there was: in a file where there is a
    /// folder for it. What is never used costs no memory, but space of the folder. Throws core::Error
    /// with how much it takes and how much there is.
    float* allocate(std::size_t dimension,
                    VectorRows rows,
                    std::size_t vectors,
                    const SpillOptions& options);

    /// Nobody needs what is in it any more. Memory of a few megabytes stays, for the next task: to get it
    /// from the system again takes longer than to write the vectors.
    void reset();

private:
    core::FloatBlock memory_;
    std::size_t capacity_ = 0; ///< floats of it
    core::SpilledBlock file_;
};

} // namespace senteval::encoder
