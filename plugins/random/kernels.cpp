#include "random/kernels.hpp"

namespace senteval::random {

std::vector<const Kernel*> available_kernels()
{
    std::vector<const Kernel*> found;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        found.push_back(&kernel_avx512);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        found.push_back(&kernel_avx2);
#endif
    found.push_back(&kernel_portable);
    return found;
}

} // namespace senteval::random
