#include "train/kernels.hpp"

#include "learn/kernels.hpp"

#include <string_view>
#include <vector>

namespace senteval::train {

namespace {

/// The room learn knows what the processor can.
std::vector<const Kernels<float>*> find_available_kernels()
{
    std::vector<const Kernels<float>*> found;
    for (const learn::Kernels* const known : learn::available_kernels())
        for (const Kernels<float>* const one : {
#if defined(__x86_64__)
                 &kernels_avx512, &kernels_avx2,
#endif
                     &kernels_portable
             })
            if (std::string_view(one->name) == known->name)
                found.push_back(one);
    return found;
}

} // namespace

std::span<const Kernels<float>* const> available_kernels()
{
    static const std::vector<const Kernels<float>*> found = find_available_kernels();
    return found;
}

template <>
const Kernels<float>& kernels<float>()
{
    return *available_kernels().front();
}

template <>
const Kernels<double>& kernels<double>()
{
    return kernels_double;
}

} // namespace senteval::train
