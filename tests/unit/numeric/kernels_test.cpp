#include "learn/kernels.hpp"
#include "learn/network.hpp"

#include "learn/aligned.hpp"
#include "support/lcg.hpp"
#include "support/support.hpp"

using namespace senteval;
using learn::Activation;
using learn::AlignedVector;
using learn::Kernels;
using learn::padded;

namespace {

AlignedVector<float> random_floats(std::size_t count, std::uint32_t seed)
{
    test::Lcg random(seed);
    AlignedVector<float> values(count);
    for (float& value : values)
        value = static_cast<float>(random.next());
    return values;
}

/// Rows with pointers up to a full line.
struct Rows {
    Rows(std::size_t count, std::size_t length)
        : values(random_floats(count * length, 5)), batch{nullptr, count, length}
    {
        for (std::size_t i = 0; i < padded(count); ++i)
            pointers.push_back(values.data() + (i < count ? i : 0) * length);
        batch.rows = pointers.data();
    }

    AlignedVector<float> values;
    std::vector<const float*> pointers;
    learn::RowPointers batch;
};

constexpr std::size_t stride_of_rows = 64;

} // namespace

TEST_CASE("products agree with sums in double precision")
{
    for (const Kernels* kernels : learn::available_kernels()) {
        CAPTURE(kernels->name);
        for (const std::size_t length : {16U, 112U, 304U, 1008U})
            for (const std::size_t count : {1U, 5U, 16U, 63U, 64U})
                for (const std::size_t outputs : {1U, 2U, 3U, 4U, 7U, 20U}) {
                    const Rows rows(count, length);
                    const auto weights = random_floats(outputs * length, 9);
                    AlignedVector<float> out(outputs * stride_of_rows);
                    kernels->dot(rows.batch, weights.data(), length, outputs, out.data(),
                                 stride_of_rows);
                    for (std::size_t k = 0; k < outputs; ++k)
                        for (std::size_t i = 0; i < count; ++i) {
                            double sum = 0;
                            for (std::size_t f = 0; f < length; ++f)
                                sum += static_cast<double>(weights[k * length + f]) *
                                       static_cast<double>(rows.values[i * length + f]);
                            REQUIRE(out[k * stride_of_rows + i] ==
                                    doctest::Approx(sum).epsilon(2e-5));
                        }
                }
    }
}

TEST_CASE("combinations of rows agree with sums in double precision")
{
    for (const Kernels* kernels : learn::available_kernels()) {
        CAPTURE(kernels->name);
        for (const std::size_t length : {16U, 32U, 112U, 208U})
            for (const std::size_t count : {1U, 5U, 64U})
                for (const std::size_t outputs : {1U, 2U, 3U, 4U, 5U, 8U}) {
                    const Rows rows(count, length);
                    const auto factors = random_floats(outputs * stride_of_rows, 9);
                    AlignedVector<float> out(outputs * length);
                    const auto check = [&](std::size_t by_output, std::size_t by_row) {
                        kernels->combine(rows.batch, {factors.data(), by_output, by_row}, outputs,
                                         out.data(), length);
                        for (std::size_t k = 0; k < outputs; ++k)
                            for (std::size_t f = 0; f < length; ++f) {
                                double sum = 0;
                                for (std::size_t i = 0; i < count; ++i)
                                    sum +=
                                        static_cast<double>(factors[k * by_output + i * by_row]) *
                                        static_cast<double>(rows.values[i * length + f]);
                                REQUIRE(out[k * length + f] == doctest::Approx(sum).epsilon(2e-5));
                            }
                    };
                    check(stride_of_rows, 1);
                    check(1, outputs);
                }
    }
}

TEST_CASE("rows combined in several calls give the bits of one")
{
    for (const Kernels* kernels : learn::available_kernels()) {
        CAPTURE(kernels->name);
        const std::size_t length = 208;
        const std::size_t outputs = 7;
        const Rows rows(37, length);
        const auto factors = random_floats(outputs * stride_of_rows, 9);
        AlignedVector<float> whole(outputs * length);
        AlignedVector<float> pieces(outputs * length, 5.0F);
        kernels->combine(rows.batch, {factors.data(), stride_of_rows, 1}, outputs, whole.data(),
                         length);
        for (std::size_t first = 0; first < 37; first += 16) {
            const learn::RowPointers piece{rows.batch.rows + first,
                                           std::min<std::size_t>(16, 37 - first), length};
            (first == 0 ? kernels->combine : kernels->add_combined)(
                piece, {factors.data() + first, stride_of_rows, 1}, outputs, pieces.data(), length);
        }
        CHECK(whole == pieces);
    }
}

TEST_CASE("a batch of long rows is gone through in pieces, with the bits of the whole")
{
    constexpr std::size_t count = 37;
    constexpr std::size_t length = 8208; // with 37 rows more than the pieces' limit
    const Rows rows(count, length);
    const std::vector<std::uint32_t> labels(learn::padded(count), 2);
    for (const Kernels* kernels : learn::available_kernels()) {
        CAPTURE(kernels->name);
        constexpr std::size_t models = 2;
        constexpr std::size_t classes = 3;
        constexpr std::size_t outputs = models * (classes - 1);
        learn::Forward forward({length - 1, length, 0, classes, {}}, models, 64, *kernels);
        const auto differences = random_floats(outputs * length, 9);
        AlignedVector<float> gradient(outputs * length);
        std::vector<std::size_t> firsts;
        forward.differentiate(rows.batch, models, differences.data(), gradient.data(),
                              [&](float* logits, std::size_t first, std::size_t size) {
                                  firsts.push_back(first);
                                  kernels->cross_entropy(logits, classes, forward.row_stride(),
                                                         size, labels.data() + first, 1.0F);
                              });
        CHECK(firsts == std::vector<std::size_t>{0, 0, 16, 16, 32, 32});

        AlignedVector<float> logits(outputs * stride_of_rows);
        kernels->dot(rows.batch, differences.data(), length, outputs, logits.data(),
                     stride_of_rows);
        for (std::size_t model = 0; model < models; ++model)
            kernels->cross_entropy(logits.data() + model * (classes - 1) * stride_of_rows, classes,
                                   stride_of_rows, count, labels.data(), 1.0F);
        AlignedVector<float> expected(outputs * length);
        kernels->combine(rows.batch, {logits.data(), stride_of_rows, 1}, outputs, expected.data(),
                         length);
        CHECK(expected == gradient);
    }
}

TEST_CASE("an output does not depend on the others of the call")
{
    for (const Kernels* kernels : learn::available_kernels()) {
        CAPTURE(kernels->name);
        const Rows rows(37, 336);
        const auto weights = random_floats(7UL * 336, 9);
        AlignedVector<float> together(7 * stride_of_rows);
        AlignedVector<float> alone(stride_of_rows);
        kernels->dot(rows.batch, weights.data(), 336, 7, together.data(), stride_of_rows);
        AlignedVector<float> sums(7UL * 336);
        kernels->combine(rows.batch, {together.data(), stride_of_rows, 1}, 7, sums.data(), 336);
        for (std::size_t k = 0; k < 7; ++k) {
            kernels->dot(rows.batch, weights.data() + k * 336, 336, 1, alone.data(),
                         stride_of_rows);
            CHECK(std::equal(alone.begin(), alone.begin() + 37,
                             together.data() + k * stride_of_rows));
            AlignedVector<float> sum(336);
            kernels->combine(rows.batch, {together.data() + k * stride_of_rows, stride_of_rows, 1},
                             1, sum.data(), 336);
            CHECK(std::equal(sum.begin(), sum.end(), sums.data() + k * 336));
        }
    }
}

TEST_CASE("softmax, its losses and the best class follow their definitions")
{
    constexpr std::size_t count = 21;
    const std::size_t classes = 4;
    for (const Kernels* kernels : learn::available_kernels()) {
        CAPTURE(kernels->name);
        auto logits = random_floats((classes - 1) * stride_of_rows, 3);
        for (std::size_t i = 0; i < logits.size(); ++i)
            logits[i] *= i % 5 == 0 ? 60.0F : 3.0F;
        std::vector<std::uint32_t> labels(stride_of_rows);
        for (std::uint32_t i = 0; i < stride_of_rows; ++i)
            labels[i] = i % classes;
        const auto targets = random_floats(classes * stride_of_rows, 4);

        auto probabilities = logits;
        kernels->softmax(probabilities.data(), classes, stride_of_rows, count);
        auto entropy = logits;
        kernels->cross_entropy(entropy.data(), classes, stride_of_rows, count, labels.data(), 0.5F);
        auto squared = logits;
        kernels->squared_error(squared.data(), classes, stride_of_rows, count, targets.data(),
                               0.5F);
        std::vector<std::uint32_t> best(stride_of_rows);
        kernels->argmax(logits.data(), classes, stride_of_rows, count, best.data());

        for (std::size_t i = 0; i < count; ++i) {
            std::vector<double> z{0};
            for (std::size_t c = 1; c < classes; ++c)
                z.push_back(static_cast<double>(logits[(c - 1) * stride_of_rows + i]));
            CHECK(best[i] == std::max_element(z.begin(), z.end()) - z.begin());
            double sum = 0;
            for (const double value : z)
                sum += std::exp(value);
            double mean = 0;
            std::vector<double> error;
            for (std::size_t c = 0; c < classes; ++c) {
                error.push_back(std::exp(z[c]) / sum -
                                static_cast<double>(targets[c * stride_of_rows + i]));
                mean += std::exp(z[c]) / sum * error[c];
            }
            for (std::size_t c = 1; c < classes; ++c) {
                const double p = std::exp(z[c]) / sum;
                const std::size_t at = (c - 1) * stride_of_rows + i;
                CHECK(std::fabs(probabilities[at] - p) < 1e-6);
                CHECK(std::fabs(entropy[at] - 0.5 * (p - (labels[i] == c ? 1 : 0))) < 1e-6);
                CHECK(std::fabs(squared[at] - 0.5 * p * (error[c] - mean)) < 1e-6);
            }
        }
        for (std::size_t i = count; i < learn::padded(count); ++i) {
            CHECK(entropy[i] == 0);
            CHECK(squared[i] == 0);
        }
        for (std::size_t i = learn::padded(count); i < stride_of_rows; ++i) {
            CHECK(entropy[i] == logits[i]); // of other rows
            CHECK(squared[i] == logits[i]);
        }
    }
}

TEST_CASE("the first of equal classes is the best")
{
    for (const Kernels* kernels : learn::available_kernels()) {
        AlignedVector<float> logits(2 * stride_of_rows); // all zero, as the first class
        logits[1] = 1;
        logits[stride_of_rows + 1] = 1;
        std::vector<std::uint32_t> best(stride_of_rows);
        kernels->argmax(logits.data(), 3, stride_of_rows, 2, best.data());
        CHECK(best[0] == 0);
        CHECK(best[1] == 1);
    }
}

TEST_CASE(
    "exponentials in double precision are right to an ulp or two, with the same bits everywhere")
{
    std::vector<double> before = {0, -1e-300, -0.35, -1, -708, 1, 700};
    test::Lcg random(9);
    for (int i = 0; i < 1000; ++i)
        before.push_back(-30 * std::abs(random.next()));
    std::vector<double> portable = before;
    learn::kernels_portable.exponentials(portable.data(), portable.size());
    for (std::size_t i = 0; i < before.size(); ++i)
        CHECK(std::abs(portable[i] / std::exp(before[i]) - 1) < 5e-16);
    for (const Kernels* kernels : learn::available_kernels()) {
        std::vector<double> values = before;
        values.push_back(-1e9);
        kernels->exponentials(values.data(), values.size());
        CHECK(values.back() < 1e-300);
        values.pop_back();
        CHECK(values == portable);
    }
}

TEST_CASE("activations and their derivatives follow their definitions")
{
    const auto before = random_floats(stride_of_rows, 8);
    AlignedVector<float> mask(stride_of_rows);
    for (std::size_t i = 0; i < stride_of_rows; ++i)
        mask[i] = i % 3 == 0 ? 0.0F : 1.5F;
    for (const Kernels* kernels : learn::available_kernels())
        for (const bool masked : {false, true})
            for (const Activation activation :
                 {Activation::sigmoid, Activation::tanh, Activation::relu}) {
                CAPTURE(kernels->name);
                auto values = before;
                kernels->activate(activation, values.data(), masked ? mask.data() : nullptr,
                                  stride_of_rows);
                AlignedVector<float> gradient(stride_of_rows, 2.0F);
                kernels->activate_backward(activation, gradient.data(), values.data(),
                                           masked ? mask.data() : nullptr, stride_of_rows);
                for (std::size_t i = 0; i < stride_of_rows; ++i) {
                    const double scale = masked ? static_cast<double>(mask[i]) : 1.0;
                    const double x = static_cast<double>(before[i]) * scale;
                    const double sigmoid = 1 / (1 + std::exp(-x));
                    const double y = activation == Activation::sigmoid ? sigmoid
                                     : activation == Activation::tanh  ? std::tanh(x)
                                                                       : std::max(x, 0.0);
                    const double slope = activation == Activation::sigmoid ? sigmoid * (1 - sigmoid)
                                         : activation == Activation::tanh  ? 1 - y * y
                                         : x > 0                           ? 1.0
                                                                           : 0.0;
                    CHECK(std::fabs(static_cast<double>(values[i]) - y) < 1e-6);
                    CHECK(std::fabs(static_cast<double>(gradient[i]) - 2 * slope * scale) < 1e-6);
                }
            }
}
