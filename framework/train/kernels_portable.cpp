#define SENTEVAL_LANES 4
#include "train/kernels_impl.hpp"

namespace senteval::train {

SENTEVAL_DEFINE_TRAIN_KERNELS(kernels_portable, "portable", Vec);
SENTEVAL_DEFINE_TRAIN_KERNELS(kernels_double, "double", double);

} // namespace senteval::train
