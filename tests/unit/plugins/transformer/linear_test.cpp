#include "transformer/linear.hpp"

#include "base/processor.hpp"
#include "support/support.hpp"

using namespace senteval::transformer;

namespace {

struct MadeProduct {
    std::size_t inputs;
    std::size_t outputs;
    std::size_t rows;
    std::vector<float> weights;
    std::vector<float> bias;
    std::vector<float> in;

    MadeProduct(std::size_t inputs_, std::size_t outputs_, std::size_t rows_)
        : inputs(inputs_),
          outputs(outputs_),
          rows(rows_),
          weights(inputs * outputs),
          bias(outputs),
          in(Linear::padded(rows) * inputs)
    {
        std::mt19937 generator(1);
        std::normal_distribution<float> normal;
        for (std::vector<float>* const values : {&weights, &bias, &in})
            std::ranges::generate(*values, [&] { return normal(generator); });
    }
    [[nodiscard]] double worst(const std::vector<float>& out) const
    {
        double most = 0.0;
        for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t k = 0; k < outputs; ++k) {
                double sum = bias[k];
                for (std::size_t c = 0; c < inputs; ++c)
                    sum += static_cast<double>(in[i * inputs + c]) * weights[k * inputs + c];
                most = std::max(most, std::fabs(sum - static_cast<double>(out[i * outputs + k])));
            }
        return most;
    }
};

} // namespace

TEST_CASE("products of any number of rows, each by itself")
{
    for (const std::size_t inputs : {1, 8, 48, 100})
        for (const std::size_t rows : {1, 16, 17, 80, 300}) {
            const MadeProduct made(inputs, 37, rows);
            Linear first(made.weights, inputs, made.bias, Arithmetic::float32);
            const Linear linear = std::move(first);
            CHECK(linear.outputs() == 37);
            std::vector<float> out(Linear::padded(rows) * 37);
            linear.apply(made.in.data(), rows, out.data());
            CHECK(made.worst(out) < 2e-5);

            std::vector<float> alone(Linear::padded(1) * 37);
            for (std::size_t i = 0; i + Linear::padded(1) <= rows; i += 5) {
                linear.apply(&made.in[i * inputs], 1, alone.data());
                for (std::size_t k = 0; k < 37; ++k)
                    CHECK(alone[k] == doctest::Approx(out[i * 37 + k]).epsilon(1e-6));
            }
        }
}

TEST_CASE("a product without bias, and bfloat16 where the processor has it")
{
    MadeProduct made(64, 32, 20);
    std::ranges::fill(made.bias, 0.0F);
    std::vector<float> out(Linear::padded(20) * 32);
    Linear(made.weights, 64, {}, Arithmetic::float32).apply(made.in.data(), 20, out.data());
    CHECK(made.worst(out) < 2e-5);
    if (!senteval::base::processor_features().bfloat16) {
        MESSAGE("skipped: this processor does not multiply bfloat16");
        return;
    }
    Linear(made.weights, 64, {}, Arithmetic::bfloat16).apply(made.in.data(), 20, out.data());
    CHECK(made.worst(out) < 0.3);
    CHECK(made.worst(out) > 1e-4);
}
