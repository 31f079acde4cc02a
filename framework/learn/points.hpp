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
    Points(const Points&) = delete;
    Points& operator=(const Points&) = delete;
    Points(Points&&) = delete;
    Points& operator=(Points&&) = delete;
    ~Points() = default;

    [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
    [[nodiscard]] std::size_t dimension() const noexcept { return matrix_->inputs(); }
    /// dimension() values and a 1.
    [[nodiscard]] const float* operator[](std::size_t point) const { return pointers_[point]; }
    [[nodiscard]] std::span<const float* const> pointers() const { return pointers_; }
    /// Number among the points of each row of the list.
    [[nodiscard]] std::span<const std::uint32_t> numbers() const noexcept { return numbers_; }
    /// The row of the matrix that a point is.
    [[nodiscard]] std::uint32_t row(std::size_t point) const { return rows_[point]; }
    /// A point's squared distance to a centre, of which Panels found this closeness; computed anew where rounding has
    /// too large a part in it.
    [[nodiscard]] double
    squared_distance(std::size_t point, std::span<const float> centre, float closeness) const;

private:
    const DesignMatrix* matrix_;
    std::vector<std::uint32_t> rows_;
    std::vector<std::uint32_t> numbers_;
    DesignMatrix::Batch batch_;
    std::span<const float* const> pointers_; ///< to its rows
    std::vector<double> squares_;            ///< lengths
};

/// Centres in single precision.
class Centres {
public:
    /// All at 0.
    Centres(std::size_t count, std::size_t dimension);

    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] std::span<float> operator[](std::size_t centre);
    [[nodiscard]] std::span<const float> operator[](std::size_t centre) const;

    /// Moves one to a point.
    void move(std::size_t centre, const float* point);

    /// Call after another change of that centre.
    void changed(std::size_t centre);

    /// Columns for Panels::multiply(), whose products then are a point's closeness to each centre c: x c - |c|^2 / 2,
    /// the larger the nearer.
    [[nodiscard]] const AlignedVector<float>& columns() const noexcept { return rows_; }

private:
    std::size_t count_;
    std::size_t dimension_;
    AlignedVector<float> rows_; ///< a centre, and -|c|^2 / 2 where points have their 1
};

/// Copies of points, laid out for products with centres (numeric::Product).
class Panels {
public:
    static constexpr std::size_t group =
        5 * numeric::panel_rows; ///< points that are treated together

    Panels(std::size_t dimension, std::span<const float* const> points);

    [[nodiscard]] std::size_t groups() const noexcept { return (count_ + group - 1) / group; }

    /// Products of the points of a group with columns of dimension + 1 numbers, the last for the points' 1; there are
    /// a multiple of numeric::tile_columns. Those of column c begin at products[c * group].
    void multiply(const AlignedVector<float>& columns,
                  std::size_t group_number,
                  AlignedVector<float>& products) const;

    /// The nearest centre of each point of a group by its closeness, the first of equals, and that.
    void nearest(const Centres& centres,
                 std::size_t group_number,
                 std::uint32_t* labels,
                 float* closeness_of) const;

    /// Finds the nearest centres of all points.
    void nearest(const Centres& centres, std::uint32_t* labels, float* closeness_of) const;

private:
    std::size_t inputs_; ///< dimension and the 1
    std::size_t count_;
    core::FloatBlock values_;
};

/// The squared distance, in double precision.
double squared_distance(std::span<const float> centre, const float* point);

} // namespace senteval::learn
