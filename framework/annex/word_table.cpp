#include "annex/word_table.hpp"

#include "annex/rows.hpp"
#include "learn/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::annex {

namespace {

/// Computed by squaring: libm's pow may differ in its last bit between processors.
double power(double base, std::uint64_t exponent)
{
    double result = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2 == 1)
            result *= base;
    return result;
}

} // namespace

WordTable::WordTable(std::size_t words, std::size_t dimension, float initial_square, double penalty)
    : dimension_(dimension),
      stride_(core::padded(dimension)),
      initial_square_(initial_square),
      kept_(1 - penalty),
      rows_(core::make_float_block(words * 3 * stride_)),
      initial_(words * dimension),
      last_(words)
{
}

void WordTable::begin()
{
    std::ranges::fill(last_, 0U);
    for (Word word = 0; word < words(); ++word) {
        float* const values = rows_.get() + word * 3 * stride_;
        std::fill_n(values, 2 * stride_, 0.0F);
        std::ranges::copy(initial(word), values);
        std::fill_n(values + 2 * stride_, stride_, initial_square_);
    }
}

std::vector<std::span<char>> WordTable::memory() noexcept
{
    return {{reinterpret_cast<char*>(rows_.get()), words() * 3 * stride_ * sizeof(float)},
            {reinterpret_cast<char*>(last_.data()), last_.size() * sizeof(last_.front())}};
}

void WordTable::pull(Word word, double kept)
{
    float* const values = rows_.get() + word * 3 * stride_;
    const float* const begin = initial_.data() + word * dimension_;
    for (std::size_t i = 0; i < dimension_; ++i)
        values[i] = begin[i] + static_cast<float>(kept) * (values[i] - begin[i]);
}

bool WordTable::is_finite() const
{
    for (Word word = 0; word < words(); ++word)
        if (!std::isfinite(square_of(matrix().row(word), stride_)))
            return false;
    return true;
}

void WordTable::catch_up(Word word, std::uint64_t step)
{
    if (kept_ == 1 || last_[word] == 0 || last_[word] >= step)
        return;
    pull(word, power(kept_, step - last_[word]));
    last_[word] = step;
}

void WordTable::update(Word word,
                       std::uint64_t step,
                       learn::Method method,
                       const learn::StepConstants& constants,
                       const float* gradient)
{
    float* const values = rows_.get() + word * 3 * stride_;
    learn::kernels().update(method, constants, 0.0F,
                            {stride_, values, gradient, values + stride_, values + 2 * stride_});
    if (kept_ != 1)
        pull(word, kept_);
    last_[word] = step;
}

} // namespace senteval::annex
