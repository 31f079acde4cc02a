#include "base/half.hpp"
#include "support/support.hpp"

#include <bit>

using namespace senteval;

namespace {

/// By the definition of the format.
float value_of(std::uint32_t half)
{
    const float sign = (half & 0x8000U) != 0 ? -1.0F : 1.0F;
    const int exponent = static_cast<int>(half >> 10U & 0x1fU);
    const auto fraction = static_cast<float>(half & 0x3ffU);
    if (exponent == 0x1f)
        return fraction == 0 ? sign * INFINITY : NAN;
    return exponent == 0 ? sign * std::ldexp(fraction, -24)
                         : sign * std::ldexp(1024.0F + fraction, exponent - 25);
}

} // namespace

TEST_CASE("every half is read exactly, and every finite one is its own nearest")
{
    int wrong = 0;
    for (std::uint32_t half = 0; half < 0x10000; ++half) {
        const float expected = value_of(half);
        const float read = base::from_half(static_cast<std::uint16_t>(half));
        const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
        if (std::isnan(expected) ? !std::isnan(read) : bits(read) != bits(expected))
            ++wrong;
        else if (std::isfinite(expected) && bits(base::rounded_to_half(read)) != bits(read))
            ++wrong;
    }
    CHECK(wrong == 0);
}
