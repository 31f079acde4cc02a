#include "stats/seed_variance.hpp"

#include "stats/power.hpp"
#include "stats/quantile.hpp"

#include <boost/math/distributions/fisher_f.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace senteval::stats {
namespace {

bool contradicts(const SeedVariance& known, const SeedVariance& own)
{
    if (known.total <= 0)
        return own.total > 0;
    constexpr double seldom = 0.01;
    constexpr double as_good_as_infinite = 1e6;
    const boost::math::fisher_f ratio(own.freedom, std::min(known.freedom, as_good_as_infinite));
    return own.total > known.total * boost::math::quantile(boost::math::complement(ratio, seldom));
}

} // namespace

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

std::optional<SeedVariance> updated(const SeedVariance& known, const SeedVariance& own)
{
    if (known.of_same)
        return known;
    if (contradicts(known, own))
        return std::nullopt;
    if (std::isinf(known.freedom) || known.total <= 0)
        return known;
    SeedVariance both = known;
    both.freedom = known.freedom + own.freedom;
    both.total = (known.freedom * known.total + own.freedom * own.total) / both.freedom;
    both.beside_items *= both.total / known.total;
    return both;
}

} // namespace senteval::stats
