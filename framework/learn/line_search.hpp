// line_search.hpp -- a step that decreases a function enough (More and Thuente, Line search algorithms with
// guaranteed sufficient decrease, ACM TOMS 20, 1994; the constants are those of L-BFGS-B 3.0).
#pragma once

#include <limits>

namespace senteval::learn {

/// A function along a line: value and derivative at a step.
struct LinePoint {
    double step = 0;
    double value = 0;
    double slope = 0;
};

class LineSearch {
public:
    /// Searches from step 0, where the slope is negative; tries `step` first.
    LineSearch(LinePoint start, double step);

    /// The step to try.
    [[nodiscard]] double step() const noexcept { return step_; }

    /// Told of value and slope there. True: that step is taken. False: step() is the next to try.
    bool accepts(double value, double slope);

private:
    void narrow(LinePoint at);

    LinePoint start_;
    double step_;
    LinePoint best_;  ///< least value so far
    LinePoint other_; ///< the other end of the interval
    bool bracketed_ = false;
    bool first_stage_ = true; ///< until a value is low enough and a slope not negative
    double low_ = 0;          ///< limits of the next step
    double high_;
    double width_ = largest;
    double width_before_ = 2 * largest;

    static constexpr double largest = 1e10;
};

} // namespace senteval::learn
