#include "train/word_table.hpp"

#include "learn/kernels.hpp"

#include <algorithm>
#include <cstring>

namespace senteval::train {

namespace {

/// By squaring: libm's may differ in its last bit between processors.
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
      values_(core::make_float_block(words * 3 * stride_)),
      initial_(words * dimension),
      last_(words)
{
}

void WordTable::begin()
{
    std::fill_n(values_.get(), floats(), 0.0F);
    std::ranges::fill(last_, 0U);
    for (Word word = 0; word < words(); ++word) {
        float* const row = values_.get() + word * 3 * stride_;
        std::ranges::copy(initial(word), row);
        std::fill_n(row + 2 * stride_, stride_, initial_square_);
    }
}

void WordTable::pull(Word word, float kept)
{
    float* const row = values_.get() + word * 3 * stride_;
    const float* const begin = initial_.data() + word * dimension_;
    for (std::size_t i = 0; i < dimension_; ++i)
        row[i] = begin[i] + kept * (row[i] - begin[i]);
}

void WordTable::catch_up(Word word, std::uint64_t step)
{
    if (kept_ == 1 || last_[word] == 0 || last_[word] >= step)
        return;
    pull(word, static_cast<float>(power(kept_, step - last_[word])));
    last_[word] = step;
}

void WordTable::update(Word word,
                       std::uint64_t step,
                       learn::Method method,
                       const learn::StepConstants& constants,
                       const float* gradient)
{
    float* const row = values_.get() + word * 3 * stride_;
    learn::kernels().update(method, constants, 0.0F,
                            {stride_, row, gradient, row + stride_, row + 2 * stride_});
    if (kept_ != 1)
        pull(word, static_cast<float>(kept_));
    last_[word] = step;
}

std::size_t WordTable::saved_bytes() const noexcept
{
    return floats() * sizeof(float) + last_.size() * sizeof(std::uint64_t);
}

void WordTable::save(const std::function<void(std::string_view)>& sink) const
{
    sink({reinterpret_cast<const char*>(values_.get()), floats() * sizeof(float)});
    sink({reinterpret_cast<const char*>(last_.data()), last_.size() * sizeof(std::uint64_t)});
}

void WordTable::load(std::string_view bytes)
{
    std::memcpy(values_.get(), bytes.data(), floats() * sizeof(float));
    bytes.remove_prefix(floats() * sizeof(float));
    std::memcpy(last_.data(), bytes.data(), bytes.size());
}

} // namespace senteval::train
