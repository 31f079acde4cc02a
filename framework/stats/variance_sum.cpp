#include "stats/variance_sum.hpp"

#include <boost/math/distributions/fisher_f.hpp>

namespace senteval::stats {

double median_freedom_of_two(double freedom)
{
    // By r, the ratio of the two estimates, which has the F distribution: half of its draws, or of their
    // inverses, are beyond the upper quartile.
    const double r = boost::math::quantile(boost::math::fisher_f(freedom, freedom), 0.75);
    return freedom * (1 + r) * (1 + r) / (1 + r * r);
}

} // namespace senteval::stats
