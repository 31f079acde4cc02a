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
}

Centres::Centres(std::size_t count, std::size_t dimension)
    : count_(count),
      dimension_(dimension),
      stride_(padded(dimension + 1)),
      rows_(count * stride_, 0.0F)
{
}

std::span<float> Centres::operator[](std::size_t centre)
{
    return {rows_.data() + centre * stride_, dimension_};
}

std::span<const float> Centres::operator[](std::size_t centre) const
{
    return {rows_.data() + centre * stride_, dimension_};
}

void Centres::changed(std::size_t centre)
{
    float* const row = rows_.data() + centre * stride_;
    double square = 0;
    for (std::size_t f = 0; f < dimension_; ++f)
        square += static_cast<double>(row[f]) * static_cast<double>(row[f]);
    row[dimension_] = static_cast<float>(-square / 2);
}

void Centres::closeness(const float* const* points,
                        std::size_t count,
                        float* values,
                        std::size_t stride) const
{
    kernels().dot({points, count, stride_}, rows_.data(), stride_, count_, values, stride);
}

void Centres::nearest(const float* const* points, std::size_t count, std::uint32_t* labels) const
{
    constexpr std::size_t block = 256; // values of a block stay in the nearer caches
    AlignedVector<float> found(count_ * block);
    std::array<float, block> best{};
    std::array<std::uint32_t, block> label{};
    for (std::size_t first = 0; first < count; first += block) {
        const std::size_t here = std::min(block, count - first);
        closeness(points + first, here, found.data(), block);
        std::copy_n(found.begin(), block, best.begin());
        label.fill(0);
        for (std::uint32_t c = 1; c < count_; ++c) {
            const float* const value = found.data() + c * block;
            for (std::size_t i = 0; i < block; ++i) {
                label[i] = value[i] > best[i] ? c : label[i];
                best[i] = value[i] > best[i] ? value[i] : best[i];
            }
        }
        std::copy_n(label.begin(), here, labels + first);
    }
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
