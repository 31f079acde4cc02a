// kernels.hpp -- the products of random weights with several vectors, for each instruction set.
//
// BLAS is not asked: what it rounds depends on how many vectors there are and, with its AVX2 kernels, on a
// vector's place among them, so a sentence would have other bits in another batch. Here an element is the
// sum over the inputs, first to last, of products that are fused with it: the same bits in any company, and
// on every processor that has fused operations (on others each product is rounded, too).
#pragma once

#include <cstddef>
#include <vector>

namespace senteval::random {

/// Weights are kept in panels of so many rows, input after input: what a kernel reads next stands next.
inline constexpr std::size_t panel_rows = 48;
/// Vectors are multiplied so many at a time.
inline constexpr std::size_t tile_columns = 8;

/// outputs = weights * vectors.
struct Product {
    const float* panels = nullptr; ///< panel_rows x inputs x panel_count, aligned to 64 bytes
    std::size_t panel_count = 0;
    std::size_t inputs = 0;
    const float* vectors = nullptr; ///< inputs x columns
    std::size_t columns = 0;        ///< a multiple of tile_columns
    float* outputs = nullptr;       ///< panel_rows * panel_count x columns
};

struct Kernel {
    const char* name;
    void (*multiply)(const Product& product);
};

extern const Kernel kernel_portable;
extern const Kernel kernel_avx2;
extern const Kernel kernel_avx512;

/// Those that this processor can run, the fastest first.
std::vector<const Kernel*> available_kernels();

} // namespace senteval::random
