#include "transformer/kernels.hpp"

#include <vector>

namespace senteval::transformer {

extern const Kernels kernels_portable;
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;

std::span<const Kernels* const> available_kernels()
{
    static const std::vector<const Kernels*> found = [] {
        std::vector<const Kernels*> all;
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
            all.push_back(&kernels_avx512);
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            all.push_back(&kernels_avx2);
#endif
        all.push_back(&kernels_portable);
        return all;
    }();
    return found;
}

} // namespace senteval::transformer
