#define SENTEVAL_LANES 16
#include "transformer/kernels_impl.hpp"

SENTEVAL_DEFINE_TRANSFORMER_KERNELS(kernels_avx512, "avx512")
