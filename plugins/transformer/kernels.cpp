#include "transformer/kernels.hpp"

namespace senteval::transformer {

extern const Kernels kernels_portable;
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;

const Kernels& kernels()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        return kernels_avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return kernels_avx2;
#endif
    return kernels_portable;
}

} // namespace senteval::transformer
