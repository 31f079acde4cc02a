// denormals.hpp -- numbers near the ends of single precision. Arithmetic with denormal ones costs a hundred cycles each.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace senteval::numeric {

/// Makes numbers below 1.2e-38 count as 0 on this thread while the object lives. Gradients of features that hardly
/// occur decay to such numbers in the optimiser; far below its epsilon they do not matter.
class FlushDenormals {
public:
    FlushDenormals() = default;
    FlushDenormals(const FlushDenormals&) = delete;
    FlushDenormals& operator=(const FlushDenormals&) = delete;
    FlushDenormals(FlushDenormals&&) = delete;
    FlushDenormals& operator=(FlushDenormals&&) = delete;
#if defined(__SSE__)
    ~FlushDenormals()
    {
        _mm_setcsr(saved_);
    }

private:
    static unsigned set()
    {
        constexpr unsigned flush_results_and_operands = 0x8040;
        const unsigned before = _mm_getcsr();
        _mm_setcsr(before | flush_results_and_operands);
        return before;
    }

    unsigned saved_ = set();
#endif
};

/// Multiplies a vector of tiny or huge values by a power of two, so that its length is near to 1: it keeps its direction,
/// and others keep their bits.
inline void bring_into_range(std::span<float> vector)
{
    float largest = 0;
    for (const float value : vector)
        largest = std::max(largest, std::abs(value));
    if (largest == 0 || (largest > 1e-12F && largest < 1e30F))
        return;
    const int exponent = std::ilogb(largest);
    for (float& value : vector)
        value = std::ldexp(value, -exponent);
}

} // namespace senteval::numeric
