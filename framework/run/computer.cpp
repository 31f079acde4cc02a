#include "run/computer.hpp"

#include "core/blas.hpp"
#include "core/processor.hpp"

#include <senteval/encoder.h>

#include <fmt/format.h>

namespace senteval::run {
namespace {

#if defined(__clang__)
constexpr const char* compiler = "clang++ " __clang_version__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

} // namespace

core::Json computer()
{
    return {{"compiler", compiler},
            {"abi", fmt::format("{}.{}", SENTEVAL_ABI_MAJOR, SENTEVAL_ABI_MINOR)},
            {"blas", core::blas_name()},
            {"processor", core::processor_name()}};
}

} // namespace senteval::run
