#include "learn/principal_axes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace senteval::learn {

namespace {

constexpr std::size_t rows_at_once = 256;
constexpr std::size_t most_numbers = std::size_t{1} << 25; // of all rows in memory at once
constexpr double least_share = 1e-12;                      // share of the largest mean square

} // namespace

arma::mat features_of(const DesignMatrix& matrix, std::span<const std::uint32_t> rows)
{
    DesignMatrix::Batch batch(matrix, rows.size());
    batch.load(rows);
    arma::mat x(matrix.inputs(), rows.size());
    const float* const* const from = batch.rows().rows;
    for (arma::uword i = 0; i < x.n_cols; ++i)
        std::copy_n(from[i], x.n_rows, x.colptr(i));
    return x;
}

PrincipalAxes::PrincipalAxes(const DesignMatrix& matrix)
    : mean(matrix.inputs(), arma::fill::zeros), axes(matrix.inputs(), 0)
{
    std::vector<std::uint32_t> rows(matrix.size());
    std::iota(rows.begin(), rows.end(), 0U);
    const auto count = static_cast<double>(rows.size());
    const auto each_block = [&](const auto& use) {
        for (std::size_t first = 0; first < rows.size(); first += rows_at_once) {
            arma::mat x = features_of(
                matrix,
                std::span(rows).subspan(first, std::min(rows_at_once, rows.size() - first)));
            x.each_col() -= mean;
            use(x);
        }
    };
    arma::vec sum(mean.n_elem, arma::fill::zeros);
    each_block([&](const arma::mat& x) { sum += arma::sum(x, 1); });
    mean = sum / count;

    arma::vec squares(mean.n_elem, arma::fill::zeros); // along the axes, or of the features
    const bool fewer_rows = rows.size() < matrix.inputs();
    if (std::min(rows.size(), matrix.inputs()) > most_sides ||
        (fewer_rows && rows.size() * matrix.inputs() > most_numbers)) {
        each_block([&](const arma::mat& x) { squares += arma::sum(arma::square(x), 1); });
    } else if (fewer_rows) {
        arma::mat x = features_of(matrix, rows);
        x.each_col() -= mean;
        arma::eig_sym(squares, axes, x.t() * x);
        const arma::uvec kept = arma::find(squares > least_share * squares.max());
        squares = squares(kept);
        axes = x * axes.cols(kept);
        axes.each_row() /= arma::sqrt(squares).t();
    } else {
        arma::mat products(mean.n_elem, mean.n_elem, arma::fill::zeros);
        each_block([&](const arma::mat& x) { products += x * x.t(); });
        arma::eig_sym(squares, axes, products);
    }
    if (!squares.empty() && squares.max() > 0)
        scale = std::sqrt(squares.max() / count);
}

} // namespace senteval::learn
