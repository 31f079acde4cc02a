#include "process/process_encoder.hpp"

SENTEVAL_PLUGIN(senteval::process::ProcessEncoder);
