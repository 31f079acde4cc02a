#include "glove/glove_encoder.hpp"

SENTEVAL_PLUGIN(senteval::glove::GloveEncoder);
