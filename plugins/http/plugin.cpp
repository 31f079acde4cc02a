#include "http/http_encoder.hpp"

SENTEVAL_PLUGIN(senteval::http::HttpEncoder);
