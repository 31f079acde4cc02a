#include "core/blas.hpp"
#include "support/support.hpp"

using namespace senteval;

namespace {

using Cores = std::vector<std::string_view>;

Cores faster(std::string_view core, const base::ProcessorFeatures& features)
{
    const auto found = core::faster_blas_cores(core, features);
    return {found.begin(), found.end()};
}

constexpr base::ProcessorFeatures neither{};
constexpr base::ProcessorFeatures avx2{.avx2 = true};
constexpr base::ProcessorFeatures avx512{.avx2 = true, .avx512 = true};

} // namespace

TEST_CASE("kernels for older processors give way to what the processor can do")
{
    for (const char* old : {"Prescott", "Nehalem", "Sandybridge", "Barcelona", "Core2"}) {
        CAPTURE(old);
        CHECK(faster(old, avx512) == Cores{"SkylakeX", "Haswell"});
        CHECK(faster(old, avx2) == Cores{"Haswell"});
        CHECK(faster(old, neither).empty());
    }
}

TEST_CASE("a choice that fits, and one that is not known, stays")
{
    for (const char* good : {"Haswell", "Zen", "Excavator", "SkylakeX", "Cooperlake",
                             "SapphireRapids", "Zen9", "Unknown", "neoversen1", ""}) {
        CAPTURE(good);
        CHECK(faster(good, avx512).empty());
        CHECK(faster(good, avx2).empty());
    }
}

TEST_CASE("without OpenBLAS there is nothing to prepare, and the processor has a name")
{
    const core::BlasKernels kernels = core::prepare_blas(); // this test is linked to no BLAS
    CHECK(kernels.found.empty());
    CHECK(kernels.used.empty());
    CHECK_FALSE(kernels.slow);
    CHECK(core::blas_name() == "unknown");
    CHECK_FALSE(base::processor_name().empty());
}
