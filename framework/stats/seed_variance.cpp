#include "stats/seed_variance.hpp"

#include "stats/moderation.hpp"

#include <algorithm>
#include <cmath>

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
