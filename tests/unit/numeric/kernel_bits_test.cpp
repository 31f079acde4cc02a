// Every instruction set gives the same bits.
#include "learn/aligned.hpp"
#include "learn/kernels.hpp"
#include "numeric/denormals.hpp"
#include "support/lcg.hpp"
#include "support/support.hpp"

#include <bit>

using namespace senteval;
using learn::Activation;
using learn::AlignedVector;
using learn::Kernels;
using learn::Method;
using learn::padded;

namespace {

using Floats = AlignedVector<float>;

/// What is hard for an emulated operation: sums that end halfway between two floats, that cancel, whose
/// addends differ by many powers of two, and numbers so small that they have fewer digits.
enum class Kind { plain, halves, sparse, powers, tiny };
constexpr Kind kinds[] = {Kind::plain, Kind::halves, Kind::sparse, Kind::powers, Kind::tiny};

Floats numbers(std::size_t count, Kind kind, std::uint32_t seed)
{
    test::Lcg random(seed);
    Floats values(count);
    for (float& value : values) {
        const double number = 4 * (random.next() - 0.5);
        const int power = static_cast<int>(80 * random.next());
        switch (kind) {
        case Kind::plain:
            value = static_cast<float>(number);
            break;
        case Kind::halves:
            value = static_cast<float>(1 + std::ldexp(std::round(number * 4), -12));
            break;
        case Kind::sparse:
            value = power % 4 == 0 ? static_cast<float>(number) : 0.0F;
            break;
        case Kind::powers:
            value = static_cast<float>(std::ldexp(number, power - 40));
            break;
        case Kind::tiny:
            value = static_cast<float>(std::ldexp(number, -40 - power));
            break;
        }
    }
    return values;
}

std::vector<std::uint32_t> bits_of(const Floats& values)
{
    std::vector<std::uint32_t> bits;
    for (const float value : values)
        bits.push_back(std::bit_cast<std::uint32_t>(value));
    return bits;
}

/// Fails where a kernel table's values are not those of the portable one.
void require_same(const std::string& what, const std::function<Floats(const Kernels&)>& compute)
{
    for (const bool flushes : {false, true}) {
        std::optional<numeric::FlushDenormals> flush;
        if (flushes)
            flush.emplace();
        const auto expected = bits_of(compute(learn::kernels_portable));
        for (const Kernels* kernels : learn::available_kernels()) {
            CAPTURE(what);
            CAPTURE(std::string(kernels->name));
            CAPTURE(flushes);
            REQUIRE(bits_of(compute(*kernels)) == expected);
        }
    }
}

constexpr std::size_t row_stride = 64;

/// Values beyond the rows that were asked for have no meaning.
Floats without_rest(Floats values, std::size_t outputs, std::size_t count)
{
    for (std::size_t k = 0; k < outputs; ++k)
        std::fill_n(&values[k * row_stride + count], row_stride - count, 0.0F);
    return values;
}

} // namespace

TEST_CASE("a product is added with one rounding")
{
    for (const Kernels* kernels : learn::available_kernels()) {
        CAPTURE(kernels->name);
        for (const Kind kind : kinds) {
            constexpr std::size_t size = 1024;
            const Floats x = numbers(2 * size, kind, 3);
            const Floats factors = numbers(2, kind, 5);
            const float* const rows[padded(2)] = {x.data(), x.data() + size};
            Floats sums(size);
            kernels->combine({rows, 2, size}, {factors.data(), 2, 1}, 1, sums.data(), size);
            for (std::size_t f = 0; f < size; ++f)
                REQUIRE(sums[f] == std::fma(factors[1], x[size + f], factors[0] * x[f]));
        }
    }
}

TEST_CASE("products have the same bits on every instruction set")
{
    for (const Kind kind : kinds)
        for (const std::size_t length : {16U, 48U, 304U, 1008U, 2064U})
            for (const std::size_t count : {1U, 5U, 63U})
                for (const std::size_t outputs : {1U, 2U, 3U, 7U}) {
                    const Floats x = numbers(count * length, kind, 1);
                    const Floats weights = numbers(outputs * length, kind, 2);
                    const Floats factors = numbers(outputs * row_stride, kind, 3);
                    std::vector<const float*> rows(padded(count), x.data());
                    for (std::size_t i = 0; i < count; ++i)
                        rows[i] = x.data() + i * length;
                    const learn::RowPointers batch{rows.data(), count, length};
                    require_same("dot", [&](const Kernels& kernels) {
                        Floats out(outputs * row_stride);
                        kernels.dot(batch, weights.data(), length, outputs, out.data(), row_stride);
                        return without_rest(out, outputs, count);
                    });
                    require_same("combine", [&](const Kernels& kernels) {
                        Floats out(outputs * length);
                        kernels.combine(batch, {factors.data(), row_stride, 1}, outputs, out.data(),
                                        length);
                        return out;
                    });
                }
}

TEST_CASE("softmax and its losses have the same bits on every instruction set")
{
    constexpr std::size_t count = 37;
    for (const Kind kind : kinds)
        for (const std::size_t classes : {2U, 3U, 6U}) {
            Floats logits = numbers((classes - 1) * row_stride, kind, 1);
            for (float& logit : logits)
                logit *= 20;
            const Floats targets = numbers(classes * row_stride, kind, 2);
            std::vector<std::uint32_t> labels(row_stride);
            for (std::uint32_t i = 0; i < row_stride; ++i)
                labels[i] = i * 7 % static_cast<std::uint32_t>(classes);
            require_same("softmax", [&](const Kernels& kernels) {
                Floats values = logits;
                kernels.softmax(values.data(), classes, row_stride, count);
                return without_rest(values, classes - 1, count);
            });
            require_same("cross entropy", [&](const Kernels& kernels) {
                Floats values = logits;
                kernels.cross_entropy(values.data(), classes, row_stride, count, labels.data(),
                                      1.0F / count);
                return values;
            });
            require_same("squared error", [&](const Kernels& kernels) {
                Floats values = logits;
                kernels.squared_error(values.data(), classes, row_stride, count, targets.data(),
                                      2.0F / count);
                return values;
            });
        }
}

TEST_CASE("activations have the same bits on every instruction set")
{
    constexpr std::size_t size = 1024;
    for (const Kind kind : kinds)
        for (const auto activation : {Activation::sigmoid, Activation::tanh, Activation::relu}) {
            const Floats values = numbers(size, kind, 1);
            const Floats gradient = numbers(size, kind, 2);
            const Floats mask = numbers(size, Kind::sparse, 3);
            require_same("forwards", [&](const Kernels& kernels) {
                Floats result = values;
                kernels.activate(activation, result.data(), mask.data(), size);
                return result;
            });
            require_same("backwards", [&](const Kernels& kernels) {
                Floats result = gradient;
                kernels.activate_backward(activation, result.data(), values.data(), mask.data(),
                                          size);
                return result;
            });
        }
}

TEST_CASE("optimisers have the same bits on every instruction set")
{
    constexpr std::size_t size = 256;
    constexpr std::size_t classes = 3;
    const learn::StepConstants step{.rate = 1e-3F,
                                    .decay = 0.9F,
                                    .gain = 0.1F,
                                    .square_decay = 0.999F,
                                    .square_gain = 0.001F,
                                    .square_scale = 1.7F,
                                    .epsilon = 1e-8F,
                                    .shrink = 1e-4F,
                                    .nesterov = true};
    const auto squared = [](Floats values) {
        for (float& value : values)
            value *= value;
        return values;
    };
    for (const Kind kind : kinds)
        for (const Method method : {Method::adadelta, Method::adagrad, Method::adam, Method::adamax,
                                    Method::asgd, Method::rmsprop, Method::rprop, Method::sgd}) {
            const Floats gradient = numbers((classes - 1) * size, kind, 1);
            require_same("steps", [&](const Kernels& kernels) {
                Floats weights = numbers(classes * size, kind, 2);
                Floats first = squared(numbers(classes * size, kind, 3));
                Floats second = squared(numbers(classes * size, kind, 4));
                Floats all((classes - 1) * size);
                for (int turn = 0; turn < 3; ++turn)
                    kernels.update_softmax(
                        method, step, 1e-3F,
                        {size, weights.data(), gradient.data(), first.data(), second.data()},
                        classes, all.data());
                for (const Floats* part : {&weights, &first, &second})
                    all.insert(all.end(), part->begin(), part->end());
                return all;
            });
        }
}
