// inference.hpp -- the scores of a task as estimates: how far they and their differences may be off, and
// for whom.
#pragma once

#include "compare/results.hpp"
#include "compare/scoring.hpp"
#include "stats/crossed.hpp"
#include "stats/swap_null.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace senteval::compare {

struct SeedMeasurement;

/// Paired comparison of two rows on one task: first - second, in the metric's unit.
struct Difference {
    double value = core::nan;
    double standard_error = core::nan;
    double freedom = core::nan;                   ///< of Student's t
    std::optional<stats::Student> middle = {};    ///< see stats::Spread
    std::optional<stats::Repeated> repeated = {}; ///< likewise
    /// Of items alone, in which a true difference varies at least; the standard error above is made for
    /// whether there is one.
    stats::Spread by_items = {core::nan, core::nan};
    double p_value = core::nan;                     ///< two-sided, of this comparison alone
    stats::Interval interval{core::nan, core::nan}; ///< excludes 0 where the adjusted p is < 5 %
    /// Found with power 80 % at the level it is judged at; infinite where no difference can be as large.
    double detectable = core::nan;
    double answer =
        0; ///< what one is worth, right or wrong; 0 where the metric is not made of answers
    double effect = core::nan;   ///< over the standard deviation of the items' differences
    double williams = core::nan; ///< see Inference::williams()
    bool same_scores =
        false; ///< the two are one but for rounding, so that there is nothing to tell
    stats::Population population = stats::Population::items;
    std::string not_comparable; ///< why there is no test; empty where there is one
    std::string undecided;      ///< why the test decides nothing; empty where it does

    /// Whether there is a test, and one that may say which is better.
    [[nodiscard]] bool is_decided() const { return !std::isnan(p_value) && undecided.empty(); }

    [[nodiscard]] stats::Spread spread() const
    {
        return {standard_error, freedom, population, middle, repeated};
    }
};

/// On fewer training items another training set of the size changes more than another seed: 22 % of equally good
/// encoders on 300 items were told apart by seeds alone.
inline constexpr std::size_t fewest_trained_on = 2000;

/// Items that the cell's classifier was trained on; 0: not known.
std::size_t trained_on(const run::Cell& cell);

/// "these classifiers on new items", ...: what a comparison in the population speaks of.
std::string words_for(stats::Population population, bool trained);

/// Of two values of the metric.
double largest_difference(const task::Metric& metric);

/// The rows of one task that have been tested on the same items, and their joint spread.
class Inference {
public:
    /// `widest`: population to stop at; nothing: the widest that the results allow. `learning`: whether
    /// rows of few seeds learn from others here how much seeds matter.
    Inference(const Results& results,
              std::size_t task,
              const task::Metric& metric,
              const stats::Resampling& resampling,
              std::optional<stats::Population> widest,
              bool learning);

    [[nodiscard]] const task::Metric& metric() const noexcept { return metric_; }
    [[nodiscard]] bool trained() const noexcept { return trained_; }

    /// With interval, where the row's items are known.
    [[nodiscard]] const Score& score(std::size_t row) const { return scores_[row]; }

    /// Where the variance by seed comes from that results of fewer than enough_seeds lack; empty where none does.
    [[nodiscard]] const std::string& seed_source() const noexcept { return seed_source_; }

    /// Whether a row has halves of the training part, and too few to be of use.
    [[nodiscard]] bool has_few_halves() const noexcept;

    /// The p-value, and all but what depends on other comparisons: interval, detectable.
    [[nodiscard]] Difference difference(std::size_t first, std::size_t second) const;

    /// The differences that a test at the level `single` does not refuse, of rows that have a p-value.
    [[nodiscard]] stats::Interval
    interval(std::size_t first, std::size_t second, double single) const;

    /// The rows whose results are one but for rounding: pairs, the earlier first.
    [[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>> same_scores() const;

    /// P-value of Williams' test of two correlations, where the metric is Pearson's of one set under one
    /// seed: for information, as it rejects too often on bounded scores of sentences that recur.
    [[nodiscard]] double williams(std::size_t first, std::size_t second) const;

    /// The rows that can be tested against the row, itself included; empty where it cannot be tested.
    [[nodiscard]] std::vector<std::size_t> comparable_with(std::size_t row) const;

    /// Whether covariance() says how the comparisons of these rows hang together: not of few items, which are tested
    /// by their signs (of twenty equal rows over 15 pairs some one was called worse in 12 %, and over 30 with t(3)
    /// noise in 14 %), and not of few seeds (stats::Crossed::goes_by_few_seeds()).
    [[nodiscard]] bool knows_covariance(std::size_t row) const;

    /// Of the values of the rows that are comparable with the row, in their order.
    [[nodiscard]] std::vector<double> covariance(std::size_t row) const;

private:
    /// Rows with the same items, in the order of `crossed`.
    struct Group {
        std::vector<std::size_t> rows;
        std::vector<stats::Scored> scored;
        stats::Crossed crossed{{}, {}, false};
        /// Contributions to first - second by places in `rows`, the first before the second.
        std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> swaps;
        /// The same where the metric is not smooth.
        std::map<std::pair<std::size_t, std::size_t>, stats::SwapNull> nulls;
        std::set<std::pair<std::size_t, std::size_t>> same; ///< one but for rounding
    };
    /// What is known of a row's training part.
    struct Training {
        std::size_t items = 0;    ///< 0: not known
        bool few_halves = false;  ///< fewer than count
        bool idle_halves = false; ///< many of them taught nothing
    };
    struct Place {
        std::size_t group = 0;
        std::size_t at = 0;
    };

    void add(const Results& results, std::size_t row, const stats::Resampling& resampling);
    void add_seed_variance(const Results& results);
    [[nodiscard]] const SeedMeasurement*
    known_of(const run::Cell& cell, const std::string& settings, const stats::Scored& scored) const;
    void note_source(const std::string& source);
    void cross(Group& group, stats::Population widest);
    void compare_rows(Group& group, std::uint64_t seed);
    [[nodiscard]] bool are_same(Place a, Place b) const;
    [[nodiscard]] const stats::SwapNull* null_of(Place a, Place b) const;
    [[nodiscard]] double p_value(Place a, Place b, const stats::Spread& spread) const;
    [[nodiscard]] double least_p_of(const Group& group) const;
    [[nodiscard]] std::vector<double> signs(Place a, Place b) const;
    [[nodiscard]] std::string
    undecided(std::size_t first, std::size_t second, const stats::Spread& spread) const;

    task::Metric metric_;
    std::size_t task_ = 0;
    const Results* results_ = nullptr;
    bool trained_ = false;
    std::vector<Training> training_; ///< of the rows
    std::optional<stats::Population> widest_;
    bool learning_ = true;
    std::string seed_source_;
    std::vector<Score> scores_;
    std::vector<std::optional<Place>> places_;
    std::vector<std::string> untested_; ///< why a row has no place
    std::vector<Group> groups_;
};

} // namespace senteval::compare
