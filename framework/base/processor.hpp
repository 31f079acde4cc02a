// processor.hpp -- what the processor is and can do.
#pragma once

#include <string>

namespace senteval::base {

/// Vector instructions that the processor has and the system lets programs use.
struct ProcessorFeatures {
    bool avx2 = false;     ///< with fused multiply-add
    bool avx512 = false;   ///< the five parts that every one since 2017 has: F, CD, BW, DQ, VL
    bool bfloat16 = false; ///< products of it
};

ProcessorFeatures processor_features();

/// Name of the processor, such as "AMD EPYC 9R14"; the architecture where it has none.
std::string processor_name();

} // namespace senteval::base
