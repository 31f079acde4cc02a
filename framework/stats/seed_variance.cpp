#include "stats/seed_variance.hpp"

#include "stats/moderation.hpp"
#include "stats/power.hpp"
#include "stats/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace senteval::stats {

std::vector<SeedVariance> moderated(std::span<const Scored> rows, bool learning)
{
    std::vector<double> variances;
    std::vector<double> freedom;
    double all = 0;
    for (const Scored& row : rows) {
        const bool several = row.fits.size() > 1;
        variances.push_back(several ? between(row.fits) : 0.0);
        freedom.push_back(several ? static_cast<double>(row.fits.size()) - 1 : 0.0);
        all += freedom.back();
    }
    const CommonVariance common = learning ? common_variance(variances, freedom) : CommonVariance{};
    std::vector<SeedVariance> result;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const double prior = std::isinf(common.freedom) ? all : common.freedom;
        const double sum = freedom[row] + prior;
        if (freedom[row] == 0 || prior == 0 || variances[row] == 0)
            result.push_back({variances[row], 0, freedom[row]});
        else if (std::isinf(common.freedom))
            result.push_back({common.variance, 0, all});
        else
            result.push_back({(freedom[row] * variances[row] + prior * common.variance) / sum, 0,
                              std::min(sum, all)});
    }
    return result;
}

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
