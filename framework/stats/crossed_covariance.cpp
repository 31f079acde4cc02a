// crossed_covariance.cpp -- what the differences of a table have in common.
#include "stats/crossed.hpp"

#include <algorithm>

namespace senteval::stats {

bool Crossed::goes_by_few_seeds() const
{
    constexpr std::size_t enough = 5;
    if (std::ranges::none_of(
            rows_, [](const Row& row) { return row.tells_of_seeds() && row.seeds < enough; }))
        return false;
    double by_seeds = 0;
    double all = 0;
    for (std::size_t a = 0; a < rows_.size(); ++a)
        for (std::size_t b = a + 1; b < rows_.size(); ++b)
            if (population(a, b) == Population::seeds) {
                by_seeds += seeds_.scores(a, a) + seeds_.scores(b, b);
                all += typical(a, b);
            }
    return by_seeds > all / 2;
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
