#define SENTEVAL_LANES 16
#include "numeric/kernels_impl.hpp"

namespace senteval::numeric {

SENTEVAL_DEFINE_KERNELS(kernels_avx512, "avx512");

} // namespace senteval::numeric
