#define SENTEVAL_LANES 8
#include "transformer/kernels_impl.hpp"

SENTEVAL_DEFINE_TRANSFORMER_KERNELS(kernels_avx2, "avx2")
