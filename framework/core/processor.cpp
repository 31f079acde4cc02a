#include "core/processor.hpp"

#include <sys/utsname.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <array>
#include <cstring>

namespace senteval::core {
namespace {

#if defined(__x86_64__)
/// The 48 characters that the cpuid leaves 0x80000002 to 0x80000004 hold; empty where there are none.
std::string brand()
{
    constexpr unsigned first = 0x80000002U;
    constexpr unsigned last = 0x80000004U;
    std::array<unsigned, 12> words{};
    for (unsigned leaf = first; leaf <= last; ++leaf) {
        unsigned* const four = &words[4 * std::size_t{leaf - first}];
        if (__get_cpuid(leaf, &four[0], &four[1], &four[2], &four[3]) == 0)
            return {};
    }
    std::array<char, sizeof words + 1> text{};
    std::memcpy(text.data(), words.data(), sizeof words);
    const std::string padded = text.data(); // with blanks, by some makers in front
    const auto begin = padded.find_first_not_of(' ');
    return begin == std::string::npos
               ? std::string()
               : padded.substr(begin, padded.find_last_not_of(' ') + 1 - begin);
}
#else
std::string brand()
{
    return {};
}
#endif

} // namespace

ProcessorFeatures processor_features()
{
    ProcessorFeatures features;
#if defined(__x86_64__)
    __builtin_cpu_init();
    features.avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
    features.avx512 =
        features.avx2 && __builtin_cpu_supports("avx512f") != 0 &&
        __builtin_cpu_supports("avx512cd") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
        __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0;
#endif
    return features;
}

std::string processor_name()
{
    std::string name = brand();
    if (!name.empty())
        return name;
    utsname system{};
    uname(&system);
    return system.machine;
}

} // namespace senteval::core
