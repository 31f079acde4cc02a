// vector_memory.hpp -- memory for the vectors of a task, or a file.
#pragma once

#include "core/aligned.hpp"
#include "core/memory.hpp"
#include "core/spilled_block.hpp"

#include <armadillo>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace senteval::encoder {

/// Whether vectors of this size fit. An eighth of the free memory is left for computing with them.
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
    /// Releases what there was, and returns one column a vector, uninitialised, in a file where there is a folder
    /// for it; it lives as long as this memory. Unused room costs no memory, but space of the folder. Throws
    /// base::Error that names the size needed and available.
    arma::fmat allocate(std::size_t dimension,
                        VectorRows rows,
                        std::size_t vectors,
                        const SpillOptions& options);

    /// Releases the vectors. A few megabytes stay for the next task: allocating them again is slow.
    void reset();

private:
    float* room_for(std::size_t count, const std::string& need, const SpillOptions& options);

    core::FloatBlock memory_;
    std::size_t capacity_ = 0; ///< floats of it
    core::SpilledBlock file_;
};

} // namespace senteval::encoder
