#include "fasttext/encoder.hpp"

SENTEVAL_PLUGIN(senteval::fasttext::Encoder);
