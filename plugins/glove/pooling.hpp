// pooling.hpp -- one vector from the vectors of a sentence's tokens.
#pragma once

#include "word_vectors/table.hpp"

#include <cstddef>
#include <span>

namespace senteval::glove {

enum class Pooling {
    mean,
    max, ///< of each dimension on its own, as are the others
    min,
    sum,
    pmeans ///< mean, max, min and the power mean of order 3, one behind the other
};

/// The vector of a token that has none.
enum class Unknown {
    skip, ///< nothing, as if it were not there
    zero  ///< a vector of zeros
};

/// How many of `tokens` count.
std::size_t count_tokens(Unknown unknown, std::span<const word_vectors::Token> tokens);

/// Length of the pooled vector for words of `dimension` values.
std::size_t pooled_dimension(Pooling pooling, std::size_t dimension);

/// Pools `tokens` into `out`, pooled_dimension() values; zeros where no token counts.
///
/// The mean adds the vectors in the order of the tokens and divides once: the operations, and so the
/// bits, of numpy.mean(vectors, axis=0). The power mean of order 3 (Rueckle et al. 2018, section 2)
/// is the real cube root of the mean of the cubes and keeps its sign.
void pool(Pooling pooling,
          Unknown unknown,
          std::span<const word_vectors::Token> tokens,
          std::span<double> out);

} // namespace senteval::glove
