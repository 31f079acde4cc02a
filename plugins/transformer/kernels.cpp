#include "transformer/kernels.hpp"

#include "base/processor.hpp"

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
        const base::ProcessorFeatures features = base::processor_features();
        if (features.avx512)
            all.push_back(&kernels_avx512);
        if (features.avx2)
            all.push_back(&kernels_avx2);
#endif
        all.push_back(&kernels_portable);
        return all;
    }();
    return found;
}

} // namespace senteval::transformer
