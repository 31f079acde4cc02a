#include "numeric/kernels.hpp"

#include "base/processor.hpp"

#include <vector>

namespace senteval::numeric {

namespace {

std::vector<const Kernels*> find_available()
{
    std::vector<const Kernels*> found;
#if defined(__x86_64__)
    const base::ProcessorFeatures features = base::processor_features();
    if (features.avx512)
        found.push_back(&kernels_avx512);
    if (features.avx2)
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
