#include "learn/line_search.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::learn {

namespace {

constexpr double enough_decrease = 1e-3; // of what the first slope promises
constexpr double flat_enough = 0.9;      // of the first slope
constexpr double narrow_enough = 0.1;    // width of the interval, relative to its end

/// The minimum of the cubic through both points, with their slopes, as a share of the way from `from`. Where the
/// cubic may have none: 0, if it does.
double cubic_share(const LinePoint& from, const LinePoint& to, bool may_have_none)
{
    const double theta =
        3 * (from.value - to.value) / (to.step - from.step) + from.slope + to.slope;
    const double scale = std::max({std::abs(theta), std::abs(from.slope), std::abs(to.slope)});
    const double inside =
        (theta / scale) * (theta / scale) - (from.slope / scale) * (to.slope / scale);
    if (may_have_none && inside <= 0)
        return 0;
    const double root = std::copysign(scale * std::sqrt(inside), to.step - from.step);
    const double p = (root - from.slope) + theta;
    return p / ((root - from.slope) + root + to.slope);
}

double cubic_step(const LinePoint& from, const LinePoint& to)
{
    return from.step + cubic_share(from, to, false) * (to.step - from.step);
}

/// The minimum of a parabola with both slopes.
double secant_step(const LinePoint& from, const LinePoint& to)
{
    return from.step + from.slope / (from.slope - to.slope) * (to.step - from.step);
}

/// The next step to try, by the values and slopes at the best point, the other end and the one just tried, `at`;
/// `bracketed` becomes true where a minimum lies between the best point and that one.
double next_step(const LinePoint& best,
                 const LinePoint& other,
                 const LinePoint& at,
                 bool& bracketed,
                 double low,
                 double high)
{
    if (at.value > best.value) { // higher: the minimum is between
        bracketed = true;
        const double cubic = cubic_step(best, at);
        const double parabola =
            best.step + best.slope /
                            ((best.value - at.value) / (at.step - best.step) + best.slope) / 2 *
                            (at.step - best.step);
        return std::abs(cubic - best.step) < std::abs(parabola - best.step)
                   ? cubic
                   : cubic + (parabola - cubic) / 2;
    }
    if (std::signbit(at.slope) != std::signbit(best.slope)) { // lower, and the slope turned
        bracketed = true;
        const double cubic = cubic_step(at, best);
        const double secant = secant_step(at, best);
        return std::abs(cubic - at.step) > std::abs(secant - at.step) ? cubic : secant;
    }
    if (std::abs(at.slope) < std::abs(best.slope)) { // lower, same sign, flatter
        const double share = cubic_share(at, best, true);
        double cubic = at.step > best.step ? high : low;
        if (share < 0)
            cubic = at.step + share * (best.step - at.step);
        const double secant = secant_step(at, best);
        if (!bracketed) // the farther one
            return std::clamp(
                std::abs(cubic - at.step) > std::abs(secant - at.step) ? cubic : secant, low, high);
        const double step = std::abs(cubic - at.step) < std::abs(secant - at.step) ? cubic : secant;
        const double limit = at.step + 0.66 * (other.step - at.step);
        return at.step > best.step ? std::min(limit, step) : std::max(limit, step);
    }
    if (bracketed) // lower, same sign, not flatter
        return cubic_step(at, other);
    return at.step > best.step ? high : low;
}

} // namespace

LineSearch::LineSearch(LinePoint start, double step)
    : start_(start), step_(step), best_(start), other_(start), high_(5 * step)
{
}

bool LineSearch::accepts(double value, double slope)
{
    const double promised = enough_decrease * start_.slope;
    const double most = start_.value + step_ * promised;
    if (first_stage_ && value <= most && slope >= 0)
        first_stage_ = false;
    if ((value <= most && std::abs(slope) <= flat_enough * -start_.slope) ||
        (bracketed_ &&
         (step_ <= low_ || step_ >= high_ || high_ - low_ <= narrow_enough * high_)) ||
        (step_ == largest && value <= most && slope <= promised))
        return true;

    if (first_stage_ && value <= best_.value && value > most) {
        // These steps are those of the function less the decrease that is asked for.
        const auto tilt = [promised](LinePoint& point, double sign) {
            point.value += sign * point.step * promised;
            point.slope += sign * promised;
        };
        LinePoint at{step_, value, slope};
        for (LinePoint* const point : {&at, &best_, &other_})
            tilt(*point, -1);
        narrow(at);
        for (LinePoint* const point : {&best_, &other_})
            tilt(*point, 1);
    } else {
        narrow({step_, value, slope});
    }

    if (bracketed_) {
        const double width = std::abs(other_.step - best_.step);
        if (width >= 0.66 * width_before_)
            step_ = best_.step + (other_.step - best_.step) / 2;
        width_before_ = width_;
        width_ = width;
        low_ = std::min(best_.step, other_.step);
        high_ = std::max(best_.step, other_.step);
    } else {
        low_ = step_ + 1.1 * (step_ - best_.step);
        high_ = step_ + 4 * (step_ - best_.step);
    }
    step_ = std::clamp(step_, 0.0, largest);
    if (bracketed_ && (step_ <= low_ || step_ >= high_ || high_ - low_ <= narrow_enough * high_))
        step_ = best_.step;
    return false;
}

void LineSearch::narrow(LinePoint at)
{
    step_ = next_step(best_, other_, at, bracketed_, low_, high_);
    if (at.value > best_.value) {
        other_ = at;
        return;
    }
    if (std::signbit(at.slope) != std::signbit(best_.slope))
        other_ = best_;
    best_ = at;
}

} // namespace senteval::learn
