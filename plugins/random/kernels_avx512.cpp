#define SENTEVAL_LANES 16
#include "random/kernels_impl.hpp"

namespace senteval::random {

constexpr Kernel kernel_avx512{"avx512", &multiply};

} // namespace senteval::random
