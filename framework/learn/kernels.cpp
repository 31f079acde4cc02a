#include "learn/kernels.hpp"

#include "core/error.hpp"
#include "core/names.hpp"

#include <string>
#include <vector>

namespace senteval::learn {

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

const Kernels& find_kernels(std::string_view name)
{
    std::vector<std::string> names{"auto"};
    if (name == "auto")
        return kernels();
    for (const Kernels* const one : available_kernels()) {
        if (name == one->name)
            return *one;
        names.emplace_back(one->name);
    }
    throw core::UsageError("this processor has no kernels '{}' (it has {}).{}", name,
                           fmt::join(names, ", "), core::did_you_mean(name, names));
}

} // namespace senteval::learn
