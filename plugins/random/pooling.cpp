#include "random/pooling.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::random {

void Pool::add(std::span<const float> vector)
{
    if (count_++ == 0) {
        std::copy(vector.begin(), vector.end(), values_.begin());
        return;
    }
    for (std::size_t k = 0; k < values_.size(); ++k) {
        const double value = vector[k];
        switch (pooling_) {
        case Pooling::mean:
        case Pooling::sum:
            values_[k] += value;
            break;
        case Pooling::max:
            values_[k] = std::max(values_[k], value);
            break;
        case Pooling::min:
            values_[k] = std::min(values_[k], value);
            break;
        }
    }
}

void Pool::write(std::span<float> out) const
{
    if (count_ == 0) {
        std::fill(out.begin(), out.end(), 0.0F);
        return;
    }
    const double divisor = pooling_ == Pooling::mean ? static_cast<double>(count_) : 1.0;
    for (std::size_t k = 0; k < values_.size(); ++k)
        out[k] = static_cast<float>(values_[k] / divisor);
}

void apply(Activation activation, std::span<float> vector)
{
    switch (activation) {
    case Activation::none:
        break;
    case Activation::relu:
        for (float& value : vector)
            value = std::max(value, 0.0F);
        break;
    case Activation::tanh:
        for (float& value : vector)
            value = std::tanh(value);
        break;
    case Activation::sigmoid:
        for (float& value : vector)
            value = 1 / (1 + std::exp(-value));
        break;
    }
}

} // namespace senteval::random
