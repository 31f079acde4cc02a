#define SENTEVAL_LANES 8
#include "random/kernels_impl.hpp"

namespace senteval::random {

constexpr Kernel kernel_avx2{"avx2", &multiply};

} // namespace senteval::random
