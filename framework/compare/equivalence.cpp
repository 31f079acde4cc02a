#include "compare/equivalence.hpp"

#include "compare/same_scores.hpp"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>

namespace senteval::compare {
namespace {

/// Whether so few answers differ by chance: all those that do, for the same of the two. A correlation, where two are
/// one, counts as if an item were worth its share.
double p_of_so_few(const Difference& difference, double margin, std::size_t items)
{
    const auto count = static_cast<double>(items);
    const double answer = difference.answer > 0 ? difference.answer : 1 / count;
    if (items == 0 || (!(difference.answer > 0) && !difference.same_scores))
        return 0;
    const double share = std::min(1.0, margin / answer / count);
    constexpr double rounding = 1e-6;
    const double differing =
        std::min(count, std::floor(std::abs(difference.value) / answer + rounding));
    return boost::math::cdf(boost::math::binomial(count, share), differing);
}

} // namespace

double p_of_equivalence(const Difference& difference,
                        double margin,
                        std::size_t items,
                        const Judged& judged)
{
    const double room = margin - std::abs(difference.value);
    const auto one_sided = [&](double two_sided) {
        const double adjusted = judged.adjusted(two_sided);
        return room > 0 ? adjusted / 2 : 1 - adjusted / 2;
    };
    if (room <= 0 && !(difference.standard_error > 0))
        return 1;
    const double so_few =
        room > 0 ? one_sided(std::min(1.0, 2 * p_of_so_few(difference, margin, items))) : 0.0;
    if (!(difference.standard_error > 0)) // every item says the same
        return std::max(so_few, least_p(items));
    const double p = one_sided(stats::Spread{difference.standard_error, difference.freedom,
                                             difference.population, difference.middle}
                                   .p_value(room));
    const stats::Spread& by_items = difference.by_items;
    return std::max(
        {p, so_few, by_items.standard_error > 0 ? one_sided(by_items.p_value(room)) : 0.0});
}

} // namespace senteval::compare
