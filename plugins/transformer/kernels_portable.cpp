#define SENTEVAL_LANES 4
#include "transformer/kernels_impl.hpp"

SENTEVAL_DEFINE_TRANSFORMER_KERNELS(kernels_portable, "portable")
