#include "precomputed/encoder.hpp"

SENTEVAL_PLUGIN(senteval::precomputed::Encoder);
