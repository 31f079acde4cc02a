// Every instruction set that the processor has, beside the plainest arithmetic in double precision.
#include "support/support.hpp"
#include "transformer/kernels.hpp"

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

struct Case {
    std::size_t tokens;
    std::size_t width;
    bool biased = false;
    std::size_t heads = 1;
    std::size_t back = Attention::all;
    std::size_t ahead = Attention::all;
};

/// With `out` in place of the queries.
double worst_attention(const Kernels& kernels, const Case& of)
{
    const std::size_t tokens = of.tokens;
    const std::size_t width = of.width;
    const std::size_t stride = (of.heads + 2) * width + 5;
    const std::vector<float> rows = random_floats(tokens * stride + 16, 1);
    std::vector<float> out = rows;
    const std::vector<float> bias = random_floats(2 * tokens + 16, 2);
    std::vector<float> scratch(attention_scratch(tokens, width));
    Attention attention;
    attention.tokens = tokens;
    attention.heads = of.heads;
    attention.width = width;
    attention.back = of.back;
    attention.ahead = of.ahead;
    attention.queries = attention.out = out.data();
    attention.keys = out.data() + of.heads * width;
    attention.values = attention.keys + width;
    attention.stride = attention.out_stride = stride;
    attention.scale = 0.5F;
    attention.bias = of.biased ? bias.data() : nullptr;
    attention.scratch = scratch.data();
    kernels.attend(attention);

    double worst = 0.0;
    for (std::size_t i = 0; i < tokens; ++i)
        for (std::size_t head = 0; head < of.heads; ++head) {
            std::vector<double> weights(tokens);
            double sum = 0.0;
            for (std::size_t j = 0; j < tokens; ++j) {
                if ((j < i && i - j > of.back) || (j > i && j - i > of.ahead))
                    continue;
                double score = 0.0;
                for (std::size_t c = 0; c < width; ++c)
                    score += static_cast<double>(rows[i * stride + head * width + c]) *
                             rows[j * stride + of.heads * width + c];
                weights[j] =
                    std::exp(score * 0.5 +
                             (of.biased ? static_cast<double>(bias[tokens - 1 + j - i]) : 0.0));
                sum += weights[j];
            }
            for (std::size_t c = 0; c < width; ++c) {
                double expected = 0.0;
                for (std::size_t j = 0; j < tokens; ++j)
                    expected += weights[j] / sum *
                                static_cast<double>(rows[j * stride + (of.heads + 1) * width + c]);
                float& value = out[i * stride + head * width + c];
                worst = std::max(worst, std::fabs(expected - static_cast<double>(value)));
                value = rows[i * stride + head * width + c];
            }
        }
    CHECK(out == rows); // nothing else is written
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
                    CHECK(worst_attention(*kernels, {tokens, width, biased}) < 5e-6);
                }
    for (const Kernels* const kernels : available_kernels())
        for (const std::size_t tokens : {1, 3, 18, 40, 101})
            for (const std::size_t width : {6, 24, 64})
                for (const std::size_t back : {std::size_t{0}, std::size_t{7}, Attention::all})
                    for (const std::size_t ahead :
                         {std::size_t{0}, std::size_t{20}, Attention::all})
                        CHECK(worst_attention(*kernels, {tokens, width, false, 3, back, ahead}) <
                              1e-5);
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
            kernels->add_and_normalise(row.data(), added.data(), row.data(), width,
                                       {weight.data(), bias.data(), 0.1F, true});
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
        // Not centred; the row keeps what it was.
        std::vector<float> row = {3, -4, 0, 0};
        std::vector<float> normed(4);
        const std::vector<float> weight = {1, 2, 3, 4};
        const std::vector<float> none(4);
        kernels->add_and_normalise(row.data(), nullptr, normed.data(), 4,
                                   {weight.data(), none.data(), 0.0F, false});
        CHECK(row == std::vector<float>{3, -4, 0, 0});
        CHECK(normed[0] == doctest::Approx(1.2)); // 3 / sqrt(25 / 4)
        CHECK(normed[1] == doctest::Approx(-3.2));

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

TEST_CASE("gates, and turns of halves")
{
    for (const Kernels* const kernels : available_kernels())
        for (const std::size_t width : {1, 6, 16, 42}) {
            CAPTURE(kernels->name);
            CAPTURE(width);
            const std::vector<float> before = random_floats(3 * 2 * width, 9);
            std::vector<float> values = before;
            kernels->gate(Activation::relu, values.data(), 3, width);
            for (std::size_t row = 0; row < 3; ++row)
                for (std::size_t c = 0; c < width; ++c) {
                    const float* const in = &before[2 * row * width];
                    CHECK(values[row * width + c] == std::max(in[c], 0.0F) * in[width + c]);
                }
            const std::vector<float> turn = random_floats(2 * width, 10);
            values = before; // three heads of 2 x width
            kernels->rotate(values.data(), 3, 2 * width, turn.data());
            for (std::size_t head = 0; head < 3; ++head)
                for (std::size_t c = 0; c < width; ++c) {
                    const std::size_t at = 2 * head * width + c;
                    const float x = before[at];
                    const float y = before[at + width];
                    CHECK(values[at] == x * turn[c] - y * turn[width + c]);
                    CHECK(values[at + width] == y * turn[c] + x * turn[width + c]);
                }
        }
}

TEST_CASE("all instruction sets give the same bits")
{
    std::vector<std::vector<float>> results;
    for (const Kernels* const kernels : available_kernels()) {
        std::vector<float> row = random_floats(50, 7);
        const std::vector<float> weight = random_floats(50, 8);
        kernels->add_and_normalise(row.data(), nullptr, row.data(), 50,
                                   {weight.data(), weight.data(), 1e-12F, true});
        kernels->activate(Activation::gelu, row.data(), 50);
        results.push_back(row);
    }
    for (const auto& result : results)
        CHECK(result == results.front());
}
