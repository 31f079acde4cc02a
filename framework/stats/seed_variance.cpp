#include "stats/seed_variance.hpp"

#include "stats/power.hpp"
#include "stats/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace senteval::stats {

double variance_by_pairs(const std::vector<Fit>& fits)
{
    std::vector<double> differences;
    differences.reserve(fits.size() * (fits.size() - 1) / 2);
    for (std::size_t a = 0; a < fits.size(); ++a)
        for (std::size_t b = a + 1; b < fits.size(); ++b)
            differences.push_back(std::abs(fits[a].value - fits[b].value));
    constexpr double outermost = 0.05;
    const double limit = t_quantile(outermost, std::numeric_limits<double>::infinity());
    return std::pow(quantile(differences, 1 - outermost) / limit, 2) / 2;
}

SeedVariance updated(const SeedVariance& known, const SeedVariance& own)
{
    if (std::isinf(known.freedom) || known.total <= 0)
        return known;
    SeedVariance both = known;
    both.freedom = known.freedom + own.freedom;
    both.total = (known.freedom * known.total + own.freedom * own.total) / both.freedom;
    both.beside_items *= both.total / known.total;
    return both;
}

} // namespace senteval::stats
