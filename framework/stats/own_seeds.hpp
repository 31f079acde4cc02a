// own_seeds.hpp -- a difference of which the rows' own few seeds tell how much seeds matter.
#pragma once

#include "stats/spread.hpp"
#include "stats/uncertain.hpp"
#include "stats/variance_sum.hpp"

#include <optional>

namespace senteval::stats {

struct OwnSeeds {
    VarianceSum beside;       ///< the variance without that by seeds
    double between_seeds = 0; ///< as estimated
    double freedom = 0;       ///< of that
    double least = 0;         ///< of the whole
    bool are_two = false;     ///< seeds of the row with fewer

    /// Where the scores of few seeds happen to be close, the degrees of freedom are those of the items. Of two seeds
    /// each up to 8.5 % of equal encoders are told apart so at 5 %: what their variance may be counts
    /// instead. Of three to five seeds up to 2.5 times as many as should be are at .1 %: there the degrees of freedom
    /// are as if seeds varied as much more as they show too little in one case of four.
    [[nodiscard]] UncertainVariance variance() const;

    /// How a further estimate differs from this one, if this is as in half of the cases. Nothing of two seeds each.
    [[nodiscard]] std::optional<Repeated> repeated() const;

private:
    /// Of three seeds and more. Never less than the seeds make: an estimate of the rest below 0 is of no rest.
    [[nodiscard]] VarianceSum with_seeds(double times) const;
};

} // namespace senteval::stats
