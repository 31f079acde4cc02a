#include "paragram/paragram_encoder.hpp"

SENTEVAL_PLUGIN(senteval::paragram::ParagramEncoder);
