#define SENTEVAL_LANES 4
#include "random/kernels_impl.hpp"

namespace senteval::random {

constexpr Kernel kernel_portable{"portable", &multiply};

} // namespace senteval::random
