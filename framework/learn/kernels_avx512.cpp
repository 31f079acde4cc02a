#define SENTEVAL_LANES 16
#include "learn/kernels_impl.hpp"

namespace senteval::learn {

SENTEVAL_DEFINE_KERNELS(kernels_avx512, "avx512");

} // namespace senteval::learn
