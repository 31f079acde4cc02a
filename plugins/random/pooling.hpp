// pooling.hpp -- from the vectors of the tokens to the vector of the sentence.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace senteval::random {

enum class Pooling { mean, max, min, sum };

/// True where pooling and a linear map may change places.
constexpr bool is_linear(Pooling pooling)
{
    return pooling == Pooling::mean || pooling == Pooling::sum;
}

/// Pools the vectors of one sentence, in double.
class Pool {
public:
    Pool(Pooling pooling, std::size_t dimension) : pooling_(pooling), values_(dimension) {}

    /// Begins another sentence.
    void clear() noexcept { count_ = 0; }
    void add(std::span<const float> vector);
    /// The pooled vector; zeros where nothing was added.
    void write(std::span<float> out) const;

private:
    Pooling pooling_;
    std::size_t count_ = 0;
    std::vector<double> values_;
};

/// Applied to each element of a vector.
enum class Activation { none, relu, tanh, sigmoid };

void apply(Activation activation, std::span<float> vector);

} // namespace senteval::random
