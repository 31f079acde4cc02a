#define SENTEVAL_LANES 4
#include "numeric/kernels_impl.hpp"

namespace senteval::numeric {

SENTEVAL_DEFINE_KERNELS(kernels_portable, "portable");

} // namespace senteval::numeric
