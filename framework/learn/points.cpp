#include "learn/points.hpp"

#include "learn/kernels.hpp"

#include <algorithm>
#include <array>

namespace senteval::learn {

Points::Points(const DesignMatrix& matrix, std::span<const std::uint32_t> rows)
    : matrix_(&matrix), batch_(matrix, std::min(rows.size(), matrix.size()))
{
    constexpr std::uint32_t none = ~0U;
    std::vector<std::uint32_t> number_of(matrix.size(), none);
    numbers_.reserve(rows.size());
    for (const std::uint32_t row : rows) {
        if (number_of[row] == none) {
            number_of[row] = static_cast<std::uint32_t>(rows_.size());
            rows_.push_back(row);
        }
        numbers_.push_back(number_of[row]);
    }
    batch_.load(rows_);
    pointers_ = {batch_.rows().rows, rows_.size()};
    const std::vector<float> zero(dimension());
    for (const float* const point : pointers_)
        squares_.push_back(learn::squared_distance(zero, point));
}

double
Points::squared_distance(std::size_t point, std::span<const float> centre, float closeness) const
{
    const double square = squares_[point] - 2 * static_cast<double>(closeness);
    return square > squares_[point] / 64 ? square
                                         : learn::squared_distance(centre, pointers_[point]);
}

Centres::Centres(std::size_t count, std::size_t dimension)
    : count_(count),
      dimension_(dimension),
      rows_((count + numeric::tile_columns - 1) / numeric::tile_columns * numeric::tile_columns *
                (dimension + 1),
            0.0F)
{
}

std::span<float> Centres::operator[](std::size_t centre)
{
    return {rows_.data() + centre * (dimension_ + 1), dimension_};
}

std::span<const float> Centres::operator[](std::size_t centre) const
{
    return {rows_.data() + centre * (dimension_ + 1), dimension_};
}

void Centres::move(std::size_t centre, const float* point)
{
    std::copy_n(point, dimension_, (*this)[centre].begin());
    changed(centre);
}

void Centres::changed(std::size_t centre)
{
    double square = 0;
    for (const float value : (*this)[centre])
        square += static_cast<double>(value) * static_cast<double>(value);
    rows_[centre * (dimension_ + 1) + dimension_] = static_cast<float>(-square / 2);
}

namespace {

constexpr std::size_t square_side = 4;
using Four = float __attribute__((vector_size(square_side * sizeof(float))));

/// to[f * panel_rows + i] = from[i][first + f], for i and f below 4.
void transpose(const float* const* from, std::size_t first, float* to)
{
    Four rows[square_side];
    for (std::size_t i = 0; i < square_side; ++i)
        __builtin_memcpy(&rows[i], from[i] + first, sizeof rows[i]); // from any address
    const Four low = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    const Four high = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    const Four next_low = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    const Four next_high = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    const Four columns[] = {__builtin_shufflevector(low, next_low, 0, 1, 4, 5),
                            __builtin_shufflevector(low, next_low, 2, 3, 6, 7),
                            __builtin_shufflevector(high, next_high, 0, 1, 4, 5),
                            __builtin_shufflevector(high, next_high, 2, 3, 6, 7)};
    for (std::size_t f = 0; f < square_side; ++f)
        __builtin_memcpy(to + f * numeric::panel_rows, &columns[f], sizeof columns[f]);
}

} // namespace

Panels::Panels(std::size_t dimension, std::span<const float* const> points)
    : inputs_(dimension + 1),
      count_(points.size()),
      values_(core::make_float_block(groups() * group * inputs_))
{
    constexpr std::size_t rows = numeric::panel_rows;
    for (std::size_t first = 0; first < groups() * group; first += rows) {
        std::array<const float*, rows> here{};
        for (std::size_t i = 0; i < rows; ++i)
            here[i] = points[std::min(first + i, count_ - 1)];
        float* const panel = values_.get() + first * inputs_;
        std::size_t f = 0;
        for (; f + square_side <= inputs_; f += square_side)
            for (std::size_t i = 0; i < rows; i += square_side)
                transpose(here.data() + i, f, panel + f * rows + i);
        for (; f < inputs_; ++f)
            for (std::size_t i = 0; i < rows; ++i)
                panel[f * rows + i] = here[i][f];
    }
}

void Panels::multiply(const AlignedVector<float>& columns,
                      std::size_t group_number,
                      AlignedVector<float>& products) const
{
    const std::size_t count = columns.size() / inputs_;
    products.resize(count * group);
    kernels().multiply({values_.get() + group_number * group * inputs_, group / numeric::panel_rows,
                        inputs_, columns.data(), count, products.data()});
}

void Panels::nearest(const Centres& centres,
                     std::size_t group_number,
                     std::uint32_t* labels,
                     float* closeness_of) const
{
    AlignedVector<float> values;
    multiply(centres.columns(), group_number, values);
    std::array<float, group> best{};
    std::array<std::uint32_t, group> label{};
    std::copy_n(values.begin(), group, best.begin());
    for (std::uint32_t c = 1; c < centres.size(); ++c) {
        const float* const value = values.data() + c * group;
        for (std::size_t i = 0; i < group; ++i) {
            label[i] = value[i] > best[i] ? c : label[i];
            best[i] = value[i] > best[i] ? value[i] : best[i];
        }
    }
    const std::size_t here = std::min(group, count_ - group_number * group);
    std::copy_n(label.begin(), here, labels);
    std::copy_n(best.begin(), here, closeness_of);
}

void Panels::nearest(const Centres& centres, std::uint32_t* labels, float* closeness_of) const
{
    for (std::size_t number = 0; number < groups(); ++number)
        nearest(centres, number, labels + number * group, closeness_of + number * group);
}

double squared_distance(std::span<const float> centre, const float* point)
{
    constexpr std::size_t parts = 8; // sums that do not wait for each other
    std::array<double, parts> sums{};
    const auto add = [&](std::size_t part, std::size_t f) {
        const double difference = static_cast<double>(point[f]) - static_cast<double>(centre[f]);
        sums[part] += difference * difference;
    };
    std::size_t f = 0;
    for (; f + parts <= centre.size(); f += parts)
        for (std::size_t part = 0; part < parts; ++part)
            add(part, f + part);
    for (; f < centre.size(); ++f)
        add(0, f);
    double sum = 0;
    for (const double part : sums)
        sum += part;
    return sum;
}

} // namespace senteval::learn
