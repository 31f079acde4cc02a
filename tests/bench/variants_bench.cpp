// Vectors made smaller: variants_bench [VECTORS DIMENSION VARIANT...]
#include "embedding/variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

using namespace senteval;

int main(int argc, char** argv)
{
    const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100000;
    const std::size_t dimension = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 4096;
    std::vector<std::string> labels(argv + std::min(argc, 3), argv + argc);
    if (labels.empty())
        labels = {"256", "256:int8", "float16", "int8", "binary"};
    std::vector<float> vectors(count * dimension);
    std::minstd_rand random(1);
    for (float& value : vectors)
        value = static_cast<float>(random()) * 1e-9F - 1;
    for (const std::string& label : labels) {
        const auto variant = embedding::Variant::parse(label);
        if (!variant)
            return 2;
        const auto begin = std::chrono::steady_clock::now();
        const std::size_t small = variant->dimension_of(dimension);
        std::vector<const float*> first;
        for (std::size_t at = 0; at < count; ++at)
            first.push_back(&vectors[at * dimension]);
        const embedding::Normaliser normaliser({{}, variant->precision}, first, small);
        std::vector<float> out(small);
        float sum = 0;
        for (const float* vector : first) {
            variant->copy({vector, dimension}, out);
            normaliser.apply(out, out.data());
            sum += out.back();
        }
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        fmt::print("{} of {} x {}: {:.2f} s ({})\n", label, count, dimension, seconds, sum);
    }
}
