#define SENTEVAL_LANES 4
#include "learn/kernels_impl.hpp"

namespace senteval::learn {

SENTEVAL_DEFINE_KERNELS(kernels_portable, "portable");

} // namespace senteval::learn
