#include "base/processor.hpp"

#include <sys/utsname.h>

#include <fstream>

namespace senteval::base {

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
    features.bfloat16 = __builtin_cpu_supports("avx512bf16") != 0;
#endif
    return features;
}

std::string processor_name()
{
    std::ifstream file("/proc/cpuinfo"); // "model name\t: AMD EPYC 9R14"; not on every architecture
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const auto begin = line.find_first_not_of(" \t", line.find(':') + 1);
                begin != std::string::npos)
                return line.substr(begin);
    utsname system{};
    uname(&system);
    return system.machine;
}

} // namespace senteval::base
