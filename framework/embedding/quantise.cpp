#include "embedding/quantise.hpp"

#include "base/half.hpp"

#include <algorithm>

namespace senteval::embedding {
namespace {

constexpr float least_q = -128;
constexpr float greatest_q = 127;

} // namespace

void Quantiser::see(std::span<const float> vector)
{
    if (!is_fitted())
        return;
    if (least_.empty()) {
        least_.assign(vector.begin(), vector.end());
        greatest_ = least_;
    }
    const std::size_t dimension = vector.size();
    float* const least = least_.data();
    float* const greatest = greatest_.data();
    for (std::size_t d = 0; d < dimension; ++d) {
        least[d] = std::min(least[d], vector[d]);
        greatest[d] = std::max(greatest[d], vector[d]);
    }
}

void Quantiser::fit()
{
    constexpr float steps = 255;
    step_.resize(least_.size());
    for (std::size_t d = 0; d < least_.size(); ++d)
        step_[d] = (greatest_[d] - least_[d]) / steps;
    divisor_ = step_;
    std::ranges::replace(divisor_, 0.0F, 1.0F);
}

void Quantiser::apply(std::span<float> vector) const
{
    float* const x = vector.data();
    const std::size_t dimension = vector.size();
    const float* const least = least_.data();
    const float* const step = step_.data();
    const float* const divisor = divisor_.data();
    switch (precision_) {
    case Precision::float32:
        break;
    case Precision::float16:
        for (std::size_t d = 0; d < dimension; ++d)
            x[d] = base::rounded_to_half(x[d]);
        break;
    case Precision::int8:
        for (std::size_t d = 0; d < dimension; ++d) {
            const float q = (x[d] - least[d]) / divisor[d] + least_q;
            const float above = q < least_q ? least_q : q;
            const auto stored = static_cast<int>(above > greatest_q ? greatest_q : above);
            x[d] = least[d] + (static_cast<float>(stored) - least_q) * step[d];
        }
        break;
    case Precision::binary:
        for (std::size_t d = 0; d < dimension; ++d)
            x[d] = x[d] > 0 ? 1.0F : -1.0F;
        break;
    }
}

} // namespace senteval::embedding
