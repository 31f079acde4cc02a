#include "numeric/kernels.hpp"

#include <vector>

namespace senteval::numeric {

namespace {

std::vector<const Kernels*> find_available()
{
    std::vector<const Kernels*> found;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
        found.push_back(&kernels_avx512);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        found.push_back(&kernels_avx2);
#endif
    found.push_back(&kernels_portable);
    return found;
}

} // namespace

const Kernels& kernels()
{
    return *available_kernels().front();
}

std::span<const Kernels* const> available_kernels()
{
    static const std::vector<const Kernels*> found = find_available();
    return found;
}

} // namespace senteval::numeric
