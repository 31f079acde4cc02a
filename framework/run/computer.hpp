// computer.hpp -- what computes here, besides the inputs: what the last digits of a result may depend on.
#pragma once

#include "core/json.hpp"

namespace senteval::run {

/// "compiler", "abi" (of encoders), "blas" (library, version, kernels) and "processor", each a text.
core::Json computer();

} // namespace senteval::run
