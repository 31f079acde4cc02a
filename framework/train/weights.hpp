// weights.hpp -- how the compositional parameters begin.
#pragma once

#include "paragram/model/architecture.hpp"

#include <cstdint>
#include <vector>

namespace senteval::train {

/// Matrices are uniform within the bounds of Glorot and Bengio (2010), peepholes and biases 0, but for the
/// forget gate's bias of 1 (Gers, Schmidhuber and Cummins 2000); those of the identity-RNN are the identity.
std::vector<float> initial_weights(const paragram::Architecture& architecture, std::uint32_t seed);

} // namespace senteval::train
