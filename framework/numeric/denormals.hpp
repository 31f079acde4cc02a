// denormals.hpp -- arithmetic without denormal numbers, which cost a hundred cycles each.
#pragma once

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

} // namespace senteval::numeric
