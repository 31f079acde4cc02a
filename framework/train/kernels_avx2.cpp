#define SENTEVAL_LANES 8
#include "train/kernels_impl.hpp"

namespace senteval::train {

SENTEVAL_DEFINE_TRAIN_KERNELS(kernels_avx2, "avx2", Vec);

} // namespace senteval::train
