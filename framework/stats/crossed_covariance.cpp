// crossed_covariance.cpp -- what the differences of a table have in common.
#include "stats/crossed.hpp"

#include <algorithm>

namespace senteval::stats {

bool Crossed::goes_by_few_seeds() const
{
    constexpr std::size_t enough = 5;
    const auto by_seeds = [&](std::size_t row) {
        return rows_[row].by_seed ? rows_[row].by_seed->total : seeds_.scores(row, row);
    };
    std::size_t of_few = 0;
    std::size_t mostly_by_seeds = 0;
    for (std::size_t a = 0; a < rows_.size(); ++a)
        for (std::size_t b = a + 1; b < rows_.size(); ++b) {
            if (population(a, b) != Population::seeds ||
                std::min(rows_[a].seeds, rows_[b].seeds) >= enough)
                continue;
            ++of_few;
            if (by_seeds(a) + by_seeds(b) > typical(a, b) / 2)
                ++mostly_by_seeds;
        }
    return of_few > 0 && 2 * mostly_by_seeds >= of_few;
}

double Crossed::mean_between_seeds() const
{
    double sum = 0;
    double freedom = 0;
    for (const Row& row : rows_)
        if (row.tells_of_seeds()) {
            sum += row.seeds_freedom * row.between_seeds;
            freedom += row.seeds_freedom;
        }
    return freedom > 0 ? sum / freedom : 0.0;
}

std::vector<double> Crossed::covariance() const
{
    // By the variances of scores and of differences: cov = (var a + var b - var (a - b)) / 2.
    const std::size_t count = rows_.size();
    const double mean = mean_between_seeds();
    const auto more = [&](std::size_t row, Population drawn) {
        const Row& one = rows_[row];
        return drawn == Population::seeds && one.tells_of_seeds()
                   ? (mean - one.between_seeds) / static_cast<double>(one.seeds)
                   : 0.0;
    };
    std::vector<double> result(count * count);
    std::vector<double> variance;
    for (std::size_t row = 0; row < count; ++row) {
        variance.push_back(typical(row, std::nullopt) + more(row, population(row)));
        result[row * count + row] = variance.back();
    }
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b) {
            const Population drawn = population(a, b);
            const double apart = typical(a, b) + more(a, drawn) + more(b, drawn);
            const double shared = (variance[a] + variance[b] - apart) / 2;
            result[a * count + b] = shared;
            result[b * count + a] = shared;
        }
    return result;
}

} // namespace senteval::stats
