// elementwise.hpp -- the kernels that treat every row, unit or parameter on its own: softmax and
// its losses, activations, steps of the optimisers.
#pragma once

#include "numeric/vector.hpp"

namespace senteval::numeric {
namespace {

// ---- softmax --------------------------------------------------------------------------------------

/// Exponentials of the logits less the largest of them and 0, in place; returns those of the first
/// class and their sum.
struct Exponentials {
    Vec first;
    Vec sum;
};

SENTEVAL_INLINE Exponentials exponentials(float* logits,
                                          std::size_t classes,
                                          std::size_t row_stride)
{
    Vec top{};
    for (std::size_t c = 0; c + 1 < classes; ++c)
        top = larger(load(logits + c * row_stride), top);
    const Vec first = exponential(-top);
    Vec sum = first;
    for (std::size_t c = 0; c + 1 < classes; ++c) {
        const Vec e = exponential(load(logits + c * row_stride) - top);
        store(logits + c * row_stride, e);
        sum += e;
    }
    return {first, sum};
}

SENTEVAL_INLINE std::size_t whole_lines(std::size_t count)
{
    return (count + line - 1) / line * line;
}

SENTEVAL_INLINE IntVec before(std::size_t count, std::size_t i)
{
    return i < count ? lane_numbers() < static_cast<std::int32_t>(count - i) : IntVec{};
}

void softmax(float* logits, std::size_t classes, std::size_t row_stride, std::size_t count)
{
    for (std::size_t i = 0; i < count; i += lanes) {
        const Vec factor = 1.0F / exponentials(logits + i, classes, row_stride).sum;
        for (std::size_t c = 0; c + 1 < classes; ++c)
            store(logits + c * row_stride + i, load(logits + c * row_stride + i) * factor);
    }
}

void cross_entropy(float* logits,
                   std::size_t classes,
                   std::size_t row_stride,
                   std::size_t count,
                   const std::uint32_t* labels,
                   float scale)
{
    for (std::size_t i = 0; i < whole_lines(count); i += lanes) {
        const Vec factor = scale / exponentials(logits + i, classes, row_stride).sum;
        const IntVec label = load(labels + i);
        const IntVec valid = before(count, i);
        for (std::size_t c = 0; c + 1 < classes; ++c) {
            float* const at = logits + c * row_stride + i;
            const Vec target = label == static_cast<std::int32_t>(c + 1) ? broadcast(scale) : Vec{};
            store(at, valid ? fused(load(at), factor, -target) : Vec{});
        }
    }
}

void squared_error(float* logits,
                   std::size_t classes,
                   std::size_t row_stride,
                   std::size_t count,
                   const float* targets,
                   float scale)
{
    for (std::size_t i = 0; i < whole_lines(count); i += lanes) {
        float* const at = logits + i;
        const float* const target = targets + i;
        const Exponentials e = exponentials(at, classes, row_stride);
        const Vec factor = 1.0F / e.sum;
        const Vec first = e.first * factor;
        Vec mean = first * (first - load(target)); // of the errors, under the probabilities
        for (std::size_t c = 0; c + 1 < classes; ++c) {
            const Vec p = load(at + c * row_stride) * factor;
            mean = fused(p, p - load(target + (c + 1) * row_stride), mean);
            store(at + c * row_stride, p);
        }
        const IntVec valid = before(count, i);
        for (std::size_t c = 0; c + 1 < classes; ++c) {
            const Vec p = load(at + c * row_stride);
            const Vec error = p - load(target + (c + 1) * row_stride);
            store(at + c * row_stride, valid ? scale * p * (error - mean) : Vec{});
        }
    }
}

void argmax(const float* logits,
            std::size_t classes,
            std::size_t row_stride,
            std::size_t count,
            std::uint32_t* labels)
{
    for (std::size_t i = 0; i < count; i += lanes) {
        Vec top{};
        IntVec best{};
        for (std::size_t c = 0; c + 1 < classes; ++c) {
            const Vec value = load(logits + c * row_stride + i);
            best = value > top ? IntVec{} + static_cast<std::int32_t>(c + 1) : best;
            top = larger(value, top);
        }
        store(labels + i, best);
    }
}

// ---- activations ----------------------------------------------------------------------------------

SENTEVAL_INLINE Vec sigmoid(Vec x)
{
    return 1.0F / (1.0F + exponential(-x));
}

SENTEVAL_INLINE Vec activated(Activation activation, Vec x)
{
    switch (activation) {
    case Activation::sigmoid:
        return sigmoid(x);
    case Activation::tanh:
        return fused(2.0F, sigmoid(2.0F * x), broadcast(-1.0F));
    case Activation::relu:
        return larger(x, Vec{});
    }
    return x;
}

/// The derivative at the activated value y.
SENTEVAL_INLINE Vec derivative(Activation activation, Vec y)
{
    switch (activation) {
    case Activation::sigmoid:
        return y * (1.0F - y);
    case Activation::tanh:
        return fused(-y, y, broadcast(1.0F));
    case Activation::relu:
        return y > Vec{} ? broadcast(1) : Vec{};
    }
    return y;
}

void activate(Activation activation, float* values, const float* mask, std::size_t size)
{
    for (std::size_t i = 0; i < size; i += lanes) {
        const Vec x = mask == nullptr ? load(values + i) : load(values + i) * load(mask + i);
        store(values + i, activated(activation, x));
    }
}

void activate_backward(Activation activation,
                       float* gradient,
                       const float* values,
                       const float* mask,
                       std::size_t size)
{
    for (std::size_t i = 0; i < size; i += lanes) {
        const Vec g = load(gradient + i) * derivative(activation, load(values + i));
        store(gradient + i, mask == nullptr ? g : g * load(mask + i));
    }
}

// ---- optimisers -----------------------------------------------------------------------------------

// Constants of torch, where 'etas' and 'step_sizes' are pairs, which no option string can give.
constexpr float rprop_growth = 1.2F;
constexpr float rprop_shrinking = 0.5F;
constexpr float rprop_least = 1e-6F;
constexpr float rprop_most = 50;

/// The change of a parameter with gradient g; first and second are its running values.
template <Method M>
SENTEVAL_INLINE Vec change(const StepConstants& c, Vec g, Vec& first, Vec& second)
{
    if constexpr (M == Method::adam) {
        first = fused(c.decay, first, c.gain * g);
        second = fused(c.square_decay, second, c.square_gain * (g * g));
        return c.rate * first / fused(c.square_scale, root(second), broadcast(c.epsilon));
    } else if constexpr (M == Method::adamax) {
        first = fused(c.decay, first, c.gain * g);
        second = larger(c.square_decay * second, larger(g, -g) + c.epsilon);
        return c.rate * first / second;
    } else if constexpr (M == Method::adagrad) {
        second = fused(g, g, second);
        return c.rate * g / (root(second) + c.epsilon);
    } else if constexpr (M == Method::adadelta) {
        second = fused(c.square_decay, second, c.square_gain * (g * g));
        const Vec delta = root(first + c.epsilon) / root(second + c.epsilon) * g;
        first = fused(c.square_decay, first, c.square_gain * (delta * delta));
        return c.rate * delta;
    } else if constexpr (M == Method::rmsprop) {
        second = fused(c.square_decay, second, c.square_gain * (g * g));
        first = fused(c.decay, first, g / (root(second) + c.epsilon));
        return c.rate * first;
    } else if constexpr (M == Method::asgd) {
        return c.rate * g;
    } else if constexpr (M == Method::rprop) {
        const Vec turn =
            g * first; // negative where the sign has changed: no step, and none is remembered
        const Vec size = second * (turn > Vec{}   ? broadcast(rprop_growth)
                                   : turn < Vec{} ? broadcast(rprop_shrinking)
                                                  : broadcast(1));
        second = smaller(larger(size, broadcast(rprop_least)), broadcast(rprop_most));
        first = turn < Vec{} ? Vec{} : g;
        return first > Vec{} ? second : first < Vec{} ? -second : Vec{};
    } else {
        first = fused(c.decay, first, c.gain * g);
        return c.rate * (c.nesterov ? fused(c.decay, first, g) : first);
    }
}

/// Moves the parameters at block.weights[i] by the gradient g; returns where they are now.
template <Method M>
SENTEVAL_INLINE Vec
move(const StepConstants& step, float l2, const ParameterBlock& block, std::size_t i, Vec g)
{
    const Vec w = load(block.weights + i);
    Vec first = load(block.first + i);
    Vec second = load(block.second + i);
    // Torch's Rprop knows no L2 penalty, whatever it is given.
    const Vec pulled = M == Method::rprop ? g : fused(l2 + step.shrink, w, g);
    const Vec moved = w - change<M>(step, pulled, first, second);
    store(block.weights + i, moved);
    store(block.first + i, first);
    store(block.second + i, second);
    return moved;
}

template <Method M>
void update_as(const StepConstants& step, float l2, const ParameterBlock& block)
{
    for (std::size_t i = 0; i < block.size; i += lanes)
        move<M>(step, l2, block, i, load(block.gradient + i));
}

template <Method M>
void update_softmax_as(const StepConstants& step,
                       float l2,
                       const ParameterBlock& block,
                       std::size_t classes,
                       float* differences)
{
    for (std::size_t i = 0; i < block.size; i += lanes) {
        Vec sum{};
        for (std::size_t c = 0; c + 1 < classes; ++c)
            sum += load(block.gradient + c * block.size + i);
        const Vec first = move<M>(step, l2, block, i, -sum);
        for (std::size_t c = 0; c + 1 < classes; ++c) {
            const std::size_t at = c * block.size + i;
            const Vec other = move<M>(step, l2, block, at + block.size, load(block.gradient + at));
            store(differences + at, other - first);
        }
    }
}

/// Calls `function` with the method as a constant.
template <typename Function>
SENTEVAL_INLINE void with_method(Method method, const Function& function)
{
    switch (method) {
    case Method::adadelta:
        return function(std::integral_constant<Method, Method::adadelta>());
    case Method::adagrad:
        return function(std::integral_constant<Method, Method::adagrad>());
    case Method::adam:
        return function(std::integral_constant<Method, Method::adam>());
    case Method::adamax:
        return function(std::integral_constant<Method, Method::adamax>());
    case Method::asgd:
        return function(std::integral_constant<Method, Method::asgd>());
    case Method::rmsprop:
        return function(std::integral_constant<Method, Method::rmsprop>());
    case Method::rprop:
        return function(std::integral_constant<Method, Method::rprop>());
    case Method::sgd:
        return function(std::integral_constant<Method, Method::sgd>());
    }
}

void update(Method method, const StepConstants& step, float l2, const ParameterBlock& block)
{
    with_method(method, [&](auto m) { update_as<decltype(m)::value>(step, l2, block); });
}

void update_softmax(Method method,
                    const StepConstants& step,
                    float l2,
                    const ParameterBlock& block,
                    std::size_t classes,
                    float* differences)
{
    with_method(method, [&](auto m) {
        update_softmax_as<decltype(m)::value>(step, l2, block, classes, differences);
    });
}

// ---- in double precision --------------------------------------------------------------------------

using DoubleVec = double __attribute__((vector_size(lanes * 4)));
using LongVec = std::int64_t __attribute__((vector_size(lanes * 4)));

/// The exponential as for floats; n is rounded by adding 1.5 * 2^52, in whose last bits it then stands.
SENTEVAL_INLINE DoubleVec exponential(DoubleVec x)
{
    x = x > -708.0 ? x : DoubleVec{} - 708.0;
    const DoubleVec rounded = x * 1.4426950408889634 + 0x1.8p52;
    const DoubleVec n = rounded - 0x1.8p52;
    const DoubleVec r = (x - n * 6.93145751953125e-1) - n * 1.42860682030941723212e-6;
    // Cephes' exp (Moshier): e^r = 1 + 2 p / (q - p).
    const DoubleVec s = r * r;
    const DoubleVec p = r * ((s * 1.26177193074810590878e-4 + 3.02994407707441961300e-2) * s + 1.0);
    const DoubleVec q = ((s * 3.00198505138664455042e-6 + 2.52448340349684104192e-3) * s +
                         2.27265548208155028766e-1) *
                            s +
                        2.0;
    const DoubleVec power = p / (q - p) * 2.0 + 1.0;
    return reinterpret_cast<DoubleVec>(reinterpret_cast<LongVec>(power) +
                                       (reinterpret_cast<LongVec>(rounded) << 52));
}

void exponentials(double* values, std::size_t count)
{
    constexpr std::size_t width = lanes / 2;
    std::size_t i = 0;
    for (DoubleVec some; i + width <= count; i += width) {
        __builtin_memcpy(&some, values + i, sizeof some);
        some = exponential(some);
        __builtin_memcpy(values + i, &some, sizeof some);
    }
    DoubleVec rest{};
    for (std::size_t lane = 0; i + lane < count; ++lane)
        rest[lane] = values[i + lane];
    rest = exponential(rest);
    for (std::size_t lane = 0; i + lane < count; ++lane)
        values[i + lane] = rest[lane];
}

} // namespace
} // namespace senteval::numeric
