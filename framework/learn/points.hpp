// points.hpp -- rows of a design matrix as points in space, and the nearest of a few centres.
#pragma once

#include "learn/aligned.hpp"
#include "learn/design_matrix.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace senteval::learn {

/// The distinct ones of a list of rows: what depends on a row is computed once. The matrix must outlive them.
class Points {
public:
    Points(const DesignMatrix& matrix, std::span<const std::uint32_t> rows);

    [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
    [[nodiscard]] std::size_t dimension() const noexcept { return matrix_->inputs(); }
    /// dimension() values, a 1 and zeros, up to a multiple of 16.
    [[nodiscard]] const float* operator[](std::size_t point) const { return pointers()[point]; }
    [[nodiscard]] const float* const* pointers() const { return batch_.rows().rows; }
    /// Of each row of the list, its number among the points.
    [[nodiscard]] std::span<const std::uint32_t> numbers() const noexcept { return numbers_; }
    /// The row of the matrix that a point is.
    [[nodiscard]] std::uint32_t row(std::size_t point) const { return rows_[point]; }

private:
    const DesignMatrix* matrix_;
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint32_t> numbers_;
    DesignMatrix::Batch batch_;
};

/// Centres in single precision. Points are given to them as Points gives them.
class Centres {
public:
    /// All at 0.
    Centres(std::size_t count, std::size_t dimension);

    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] std::span<float> operator[](std::size_t centre);
    [[nodiscard]] std::span<const float> operator[](std::size_t centre) const;

    /// After a change of that one.
    void changed(std::size_t centre);

    /// x c - |c|^2 / 2 of points x with each centre c, in single precision: the larger, the nearer. Writes those of
    /// centre c from values[c * stride] on; the stride is a multiple of 16, not less than `count`.
    void closeness(const float* const* points,
                   std::size_t count,
                   float* values,
                   std::size_t stride) const;

    /// The nearest centre of each of `count` points by closeness(), the first of equals.
    void nearest(const float* const* points, std::size_t count, std::uint32_t* labels) const;

private:
    std::size_t count_;
    std::size_t dimension_;
    std::size_t stride_;
    AlignedVector<float> rows_; ///< a centre, -|c|^2 / 2 where points have their 1, and zeros
};

/// The squared distance, in double precision.
double squared_distance(std::span<const float> centre, const float* point);

} // namespace senteval::learn
