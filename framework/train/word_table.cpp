#include "train/word_table.hpp"

#include "learn/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

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

WordTable::WordTable(std::size_t words,
                     std::size_t dimension,
                     const std::vector<Columns>& parts,
                     float initial_square,
                     double penalty)
    : dimension_(dimension),
      stride_(core::padded(dimension)),
      initial_square_(initial_square),
      kept_(1 - penalty),
      initial_(words * dimension),
      last_(words)
{
    for (const Columns& columns : parts) {
        parts_.push_back({columns, core::make_float_block(words * 3 * columns.count())});
        matrices_.push_back({parts_.back().values.get(), parts_.back().row_floats()});
    }
}

void WordTable::begin()
{
    std::ranges::fill(last_, 0U);
    for (Part& part : parts_) {
        const std::size_t count = part.columns.count();
        for (Word word = 0; word < words(); ++word) {
            float* const row = part.values.get() + word * part.row_floats();
            std::fill_n(row, 2 * count, 0.0F);
            std::copy_n(initial(word).data() + part.columns.first, part.columns.within(dimension_),
                        row);
            std::fill_n(row + 2 * count, count, initial_square_);
        }
    }
}

void WordTable::read(Word word, std::span<float> out) const
{
    for (const Part& part : parts_)
        std::copy_n(part.values.get() + word * part.row_floats(), part.columns.within(dimension_),
                    out.data() + part.columns.first);
}

void WordTable::pull(Word word, const Part& part, float kept)
{
    float* const row = part.values.get() + word * part.row_floats();
    const float* const begin = initial_.data() + word * dimension_ + part.columns.first;
    for (std::size_t i = 0; i < part.columns.within(dimension_); ++i)
        row[i] = begin[i] + kept * (row[i] - begin[i]);
}

void WordTable::catch_up(Word word, std::uint64_t step, std::size_t part)
{
    if (is_behind(word, step))
        pull(word, parts_[part], static_cast<float>(power(kept_, step - last_[word])));
}

bool WordTable::is_finite() const
{
    for (Word word = 0; word < words(); ++word) {
        float square = 0;
        for (std::size_t part = 0; part < parts_.size(); ++part) {
            const float* const row = matrices_[part].row(word);
            square = std::inner_product(row, row + parts_[part].columns.count(), row, square);
        }
        if (!std::isfinite(square))
            return false;
    }
    return true;
}

void WordTable::catch_up(Word word, std::uint64_t step)
{
    for (std::size_t part = 0; part < parts(); ++part)
        catch_up(word, step, part);
    if (is_behind(word, step))
        note(word, step);
}

void WordTable::update(Word word,
                       std::size_t part,
                       learn::Method method,
                       const learn::StepConstants& constants,
                       const float* gradient)
{
    const std::size_t count = columns(part).count();
    float* const row = parts_[part].values.get() + word * parts_[part].row_floats();
    learn::kernels().update(method, constants, 0.0F,
                            {count, row, gradient, row + count, row + 2 * count});
    if (kept_ != 1)
        pull(word, parts_[part], static_cast<float>(kept_));
}

std::size_t WordTable::saved_bytes() const noexcept
{
    return words() * (3 * stride_ * sizeof(float) + sizeof(std::uint64_t));
}

void WordTable::save(const std::function<void(std::string_view)>& sink) const
{
    std::vector<float> rows;
    const auto flush = [&] {
        sink({reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(float)});
        rows.clear();
    };
    for (Word word = 0; word < words(); ++word) {
        for (std::size_t kind = 0; kind < 3; ++kind) // values, first and second
            for (const Part& part : parts_) {
                const std::size_t count = part.columns.count();
                const float* const from =
                    part.values.get() + word * part.row_floats() + kind * count;
                rows.insert(rows.end(), from, from + count);
            }
        if (rows.size() >= (std::size_t{1} << 16U))
            flush();
    }
    flush();
    sink({reinterpret_cast<const char*>(last_.data()), last_.size() * sizeof(std::uint64_t)});
}

void WordTable::load(std::string_view bytes)
{
    for (Word word = 0; word < words(); ++word)
        for (std::size_t kind = 0; kind < 3; ++kind)
            for (Part& part : parts_) {
                const std::size_t count = part.columns.count();
                std::memcpy(part.values.get() + word * part.row_floats() + kind * count,
                            bytes.data(), count * sizeof(float));
                bytes.remove_prefix(count * sizeof(float));
            }
    std::memcpy(last_.data(), bytes.data(), bytes.size());
}

} // namespace senteval::train
