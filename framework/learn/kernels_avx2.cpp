#define SENTEVAL_LANES 8
#include "learn/kernels_impl.hpp"

namespace senteval::learn {

SENTEVAL_DEFINE_KERNELS(kernels_avx2, "avx2");

} // namespace senteval::learn
