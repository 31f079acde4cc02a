#include "embedding/geometry.hpp"

#include "base/nan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace senteval::embedding {
namespace {

double effective_rank(const arma::mat& vectors)
{
    const arma::vec values = arma::svd(vectors);
    const double sum = arma::accu(values);
    double entropy = 0;
    for (const double value : values)
        if (value > 0)
            entropy -= value / sum * std::log(value / sum);
    return sum > 0 ? std::exp(entropy) : base::nan;
}

/// `cosines`: n x n.
double hubness(const arma::mat& cosines)
{
    const arma::uword n = cosines.n_cols;
    if (n <= hubness_neighbours)
        return base::nan;
    std::vector<double> found(n);
    std::vector<double> others;
    for (arma::uword text = 0; text < n; ++text) {
        others.assign(cosines.begin_col(text), cosines.end_col(text));
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(text));
        const auto last = others.begin() + hubness_neighbours - 1;
        std::ranges::nth_element(others, last, std::ranges::greater());
        const double least = *last; // who is as near shares the places that are left
        const auto nearer =
            std::count_if(others.begin(), last, [&](double one) { return one > least; });
        const auto tied = std::ranges::count(others, least);
        for (arma::uword other = 0; other < n; ++other)
            if (other != text && cosines(other, text) >= least)
                found[other] += cosines(other, text) > least
                                    ? 1
                                    : static_cast<double>(hubness_neighbours - nearer) /
                                          static_cast<double>(tied);
    }
    double square = 0;
    double cube = 0;
    for (const double times : found) {
        const double apart = times - hubness_neighbours; // which is the mean
        square += apart * apart / static_cast<double>(n);
        cube += apart * apart * apart / static_cast<double>(n);
    }
    return square > 0 ? cube / std::pow(square, 1.5) : base::nan;
}

} // namespace

Geometry geometry_of(const arma::fmat& vectors,
                     std::span<const std::pair<std::uint32_t, std::uint32_t>> alike)
{
    const arma::mat unit = arma::normalise(arma::conv_to<arma::mat>::from(vectors));
    const arma::mat cosines = unit.t() * unit;
    Geometry geometry{.texts = unit.n_cols, .pairs = alike.size()};
    const auto squared = [&](arma::uword a, arma::uword b) {
        return std::max(0.0, cosines(a, a) + cosines(b, b) - 2 * cosines(a, b));
    };
    for (const auto& [first, second] : alike)
        geometry.alignment += squared(first, second) / static_cast<double>(alike.size());
    double sum = 0;
    for (arma::uword b = 1; b < unit.n_cols; ++b)
        for (arma::uword a = 0; a < b; ++a)
            sum += std::exp(-2 * squared(a, b));
    const double n = static_cast<double>(unit.n_cols);
    geometry.uniformity = n > 1 ? std::log(sum / (n * (n - 1) / 2)) : base::nan;
    geometry.effective_rank = effective_rank(unit);
    geometry.hubness = hubness(cosines);
    if (alike.empty())
        geometry.alignment = base::nan;
    return geometry;
}

} // namespace senteval::embedding
