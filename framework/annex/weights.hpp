// weights.hpp -- how the compositional parameters begin.
#pragma once

#include "annex/similarity_head.hpp"
#include "paragram_model/architecture.hpp"

#include <cstdint>
#include <vector>

namespace senteval::annex {

/// Matrices are uniform within the bounds of Glorot and Bengio (2010), peepholes and biases 0, but for the
/// forget gate's bias of 1 (Gers, Schmidhuber and Cummins 2000); those of the identity-RNN are the
/// identity. Of the RNN and the LSTMs, what is read has 0.3 of these bounds, and the map from state to
/// state is 0.9 times an orthogonal one (Saxe, McClelland and Ganguli 2014): what was read first is
/// still there after some words.
std::vector<float> initial_weights(const paragram::Architecture& architecture, std::uint32_t seed);
std::vector<float> initial_weights(const SimilarityHead<float>& head, std::uint32_t seed);

} // namespace senteval::annex
