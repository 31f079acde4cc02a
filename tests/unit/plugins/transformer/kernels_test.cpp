// Every instruction set that the processor has, beside the plainest arithmetic in double precision.
#include "transformer/kernels.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace senteval::transformer;

namespace {

std::vector<float> random_floats(std::size_t count, unsigned seed)
{
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(generator); });
    return values;
}

double worst_attention(const Kernels& kernels, std::size_t tokens, std::size_t width, bool biased)
{
    const std::size_t stride = 3 * width + 5;
    const std::vector<float> rows = random_floats(tokens * stride + 16, 1);
    const std::vector<float> bias = random_floats(2 * tokens + 16, 2);
    std::vector<float> scratch(attention_scratch(tokens, width));
    std::vector<float> out(tokens * (width + 1), 7.0F);
    Attention attention;
    attention.tokens = tokens;
    attention.width = width;
    attention.queries = rows.data();
    attention.keys = rows.data() + width;
    attention.values = rows.data() + 2 * width;
    attention.stride = stride;
    attention.scale = 0.5F;
    attention.bias = biased ? bias.data() : nullptr;
    attention.out = out.data();
    attention.out_stride = width + 1;
    attention.scratch = scratch.data();
    kernels.attend(attention);

    double worst = 0.0;
    for (std::size_t i = 0; i < tokens; ++i) {
        std::vector<double> weights(tokens);
        double sum = 0.0;
        for (std::size_t j = 0; j < tokens; ++j) {
            double score = 0.0;
            for (std::size_t c = 0; c < width; ++c)
                score += static_cast<double>(rows[i * stride + c]) * rows[j * stride + width + c];
            weights[j] = std::exp(score * 0.5 +
                                  (biased ? static_cast<double>(bias[tokens - 1 + j - i]) : 0.0));
            sum += weights[j];
        }
        for (std::size_t c = 0; c < width; ++c) {
            double expected = 0.0;
            for (std::size_t j = 0; j < tokens; ++j)
                expected +=
                    weights[j] / sum * static_cast<double>(rows[j * stride + 2 * width + c]);
            worst = std::max(worst,
                             std::fabs(expected - static_cast<double>(out[i * (width + 1) + c])));
        }
        CHECK(out[i * (width + 1) + width] == 7.0F); // nothing else is written
    }
    return worst;
}

} // namespace

TEST_CASE("attention of any length and width")
{
    for (const Kernels* const kernels : available_kernels())
        for (const std::size_t tokens : {1, 2, 5, 15, 16, 17, 70})
            for (const std::size_t width : {1, 8, 12, 32, 40})
                for (const bool biased : {false, true}) {
                    CAPTURE(kernels->name);
                    CAPTURE(tokens);
                    CAPTURE(width);
                    CHECK(worst_attention(*kernels, tokens, width, biased) < 5e-6);
                }
}

TEST_CASE("rows are normalised, and activations are those of the formulas")
{
    constexpr double root = 0.70710678118654752;
    for (const Kernels* const kernels : available_kernels()) {
        CAPTURE(kernels->name);
        for (const std::size_t width : {1, 7, 16, 31, 384}) {
            std::vector<float> row = random_floats(width, 3);
            const std::vector<float> before = row;
            const std::vector<float> added = random_floats(width, 4);
            const std::vector<float> weight = random_floats(width, 5);
            const std::vector<float> bias = random_floats(width, 6);
            kernels->add_and_normalise(row.data(), added.data(), width, weight.data(), bias.data(),
                                       0.1F);
            double mean = 0.0;
            double variance = 0.0;
            for (std::size_t i = 0; i < width; ++i)
                mean += static_cast<double>(before[i] + added[i]) / static_cast<double>(width);
            for (std::size_t i = 0; i < width; ++i)
                variance += std::pow(before[i] + added[i] - mean, 2) / static_cast<double>(width);
            for (std::size_t i = 0; i < width; ++i)
                CHECK(row[i] == doctest::Approx((before[i] + added[i] - mean) /
                                                    std::sqrt(variance + 0.1) * weight[i] +
                                                bias[i])
                                    .epsilon(1e-5));
        }
        const auto check = [&](Activation activation, double (*formula)(double)) {
            std::vector<float> values = {-100,  -9,   -3, -1, -0.3F, -1e-4F, 0,
                                         1e-4F, 0.5F, 2,  7,  50,    100};
            const std::vector<float> before = values;
            kernels->activate(activation, values.data(), values.size());
            for (std::size_t i = 0; i < values.size(); ++i) {
                const double expected = formula(static_cast<double>(before[i]));
                CHECK(std::fabs(static_cast<double>(values[i]) - expected) <
                      4e-7 * std::max(1.0, std::fabs(expected)));
            }
        };
        check(Activation::none, [](double x) { return x; });
        check(Activation::gelu, [](double x) { return x / 2 * (1 + std::erf(x * root)); });
        check(Activation::gelu_tanh, [](double x) {
            return x / 2 *
                   (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
        });
        check(Activation::relu, [](double x) { return std::max(x, 0.0); });
        check(Activation::silu, [](double x) { return x / (1 + std::exp(-x)); });
        check(Activation::tanh, [](double x) { return std::tanh(x); });
        check(Activation::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); });
    }
}

TEST_CASE("all instruction sets give the same bits")
{
    std::vector<std::vector<float>> results;
    for (const Kernels* const kernels : available_kernels()) {
        std::vector<float> row = random_floats(50, 7);
        const std::vector<float> weight = random_floats(50, 8);
        kernels->add_and_normalise(row.data(), nullptr, 50, weight.data(), weight.data(), 1e-12F);
        kernels->activate(Activation::gelu, row.data(), 50);
        results.push_back(row);
    }
    for (const auto& result : results)
        CHECK(result == results.front());
}
