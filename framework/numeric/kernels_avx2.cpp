#define SENTEVAL_LANES 8
#include "numeric/kernels_impl.hpp"

namespace senteval::numeric {

SENTEVAL_DEFINE_KERNELS(kernels_avx2, "avx2");

} // namespace senteval::numeric
