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

/// Of one correlation, and how far it may be off.
struct Correlation {
    double r = 0;
    double standard_error = 0;

    /// By how much its limit, where z leaves its p on that side, is above it (z below 0: below).
    [[nodiscard]] double reach(double z) const
    {
        return std::tanh(std::atanh(r) + z * standard_error / (1 - r * r)) - r;
    }
};

/// Two-sided p at which the limit of high - low, both ways from where they are, is the margin.
double p_by_limits(const Correlation& high,
                   const Correlation& low,
                   const Difference& difference,
                   double margin)
{
    const double together =
        (high.standard_error * high.standard_error + low.standard_error * low.standard_error -
         difference.standard_error * difference.standard_error) /
        (2 * high.standard_error * low.standard_error);
    const auto limit = [&](double z) {
        const double up = high.reach(z);
        const double down = -low.reach(-z);
        return high.r - low.r +
               std::sqrt(std::max(0.0, up * up + down * down -
                                           2 * std::clamp(together, -1.0, 1.0) * up * down));
    };
    double least = 0;
    double most = 50;
    for (int step = 0; step < 60; ++step) {
        const double middle = (least + most) / 2;
        (limit(middle) < margin ? least : most) = middle;
    }
    return stats::Spread{1, difference.freedom, difference.population, {}}.p_value(least);
}

/// The larger of both sides': which of the two is called the higher one makes little of it.
double p_by_limits(const Judged& judged,
                   std::size_t first,
                   std::size_t second,
                   const Difference& difference,
                   double margin)
{
    const auto of = [&](std::size_t row) {
        const Score& score = judged.inference().score(row);
        return Correlation{score.value, score.standard_error};
    };
    const Correlation a = of(first);
    const Correlation b = of(second);
    const auto is_usable = [](const Correlation& one) {
        return std::abs(one.r) < 1 && one.standard_error > 0;
    };
    if (judged.inference().metric().unit != task::correlation || !is_usable(a) || !is_usable(b))
        return 0;
    return std::max(p_by_limits(a, b, difference, margin), p_by_limits(b, a, difference, margin));
}

} // namespace

double p_of_equivalence(const Judged& judged,
                        std::size_t first,
                        std::size_t second,
                        const Difference& difference,
                        double margin)
{
    const std::size_t items = judged.inference().score(first).items;
    const double room = margin - std::abs(difference.value);
    const bool varies = difference.standard_error > 0; // else every item says the same
    const auto by_t = [&](const stats::Spread& spread) {
        const double half = judged.adjusted(spread.p_value(room)) / 2;
        return room > 0 ? half : 1 - half;
    };
    double p = room > 0 ? least_p(items) : 1;
    if (varies)
        p = by_t(difference.spread());
    if (varies && difference.by_items.standard_error > 0)
        p = std::max(p, by_t(difference.by_items));
    if (room <= 0)
        return p;
    const double so_few = std::min(1.0, 2 * p_of_so_few(difference, margin, items));
    const double by_limits = varies ? p_by_limits(judged, first, second, difference, margin) : 0.0;
    return std::max(p, judged.adjusted(std::max(so_few, by_limits)) / 2);
}

} // namespace senteval::compare
