#define SENTEVAL_LANES 16
#include "train/kernels_impl.hpp"

namespace senteval::train {

SENTEVAL_DEFINE_TRAIN_KERNELS(kernels_avx512, "avx512", Vec);

} // namespace senteval::train
