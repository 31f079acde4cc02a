#include "stats/own_seeds.hpp"

#include <boost/math/distributions/chi_squared.hpp>

#include <algorithm>
#include <cmath>

namespace senteval::stats {
namespace {

/// An estimate that is that large in so many cases, over its median.
double over_median(double freedom, double cases)
{
    const boost::math::chi_squared estimate(freedom);
    return boost::math::quantile(estimate, cases) / boost::math::quantile(estimate, 0.5);
}

} // namespace

VarianceSum OwnSeeds::with_seeds(double times) const
{
    VarianceSum sum = beside.total() > 0 ? beside : VarianceSum();
    sum.add(times * between_seeds, freedom);
    return sum;
}

UncertainVariance OwnSeeds::variance() const
{
    if (are_two) {
        UncertainVariance of_two = rest_of(beside, least);
        of_two.rest = beside.total();
        of_two.beside = between_seeds;
        of_two.at_least = least;
        of_two.freedom = freedom;
        return of_two;
    }
    UncertainVariance of_more = rest_of(with_seeds(1), least);
    of_more.tail_freedom = rest_of(with_seeds(1 / over_median(freedom, 0.25)), least).rest_freedom;
    return of_more;
}

std::optional<Repeated> OwnSeeds::repeated() const
{
    if (are_two)
        return std::nullopt;
    OwnSeeds larger = *this;
    larger.between_seeds *= over_median(freedom, usual_power);
    const VarianceSum sum = with_seeds(1);
    return Repeated{std::sqrt(std::max(sum.usual_of(sum.total()), least)),
                    larger.variance().nearest().student};
}

} // namespace senteval::stats
