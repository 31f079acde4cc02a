#include "measures/pairs.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <vector>

namespace senteval::measures {
namespace {

void require_pairs(std::span<const double> gold, std::span<const double> scores)
{
    if (gold.size() != scores.size() || gold.empty())
        throw base::Error("pairs need a gold value and a score each, not {} and {}", gold.size(),
                          scores.size());
    if (std::ranges::any_of(gold, [](double value) { return value != 0 && value != 1; }))
        throw base::Error("a gold value of a pair is 0 or 1");
    if (std::ranges::any_of(scores, [](double score) { return std::isnan(score); }))
        throw base::Error("a pair's score is not a number");
}

} // namespace

PairMeasures pair_measures(std::span<const double> gold, std::span<const double> scores, Cuts cuts)
{
    require_pairs(gold, scores);
    const std::size_t n = gold.size();
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    const double positives = std::accumulate(gold.begin(), gold.end(), 0.0);
    const double negatives = static_cast<double>(n) - positives;

    PairMeasures best;
    double hits = 0;
    double recall_before = 0;
    for (std::size_t cut = 0; cut <= n; ++cut) { // so many pairs are taken as positive
        if (cut > 0)
            hits += gold[order[cut - 1]];
        const bool inside = cut > 0 && cut < n;
        const bool splits_tie = inside && scores[order[cut - 1]] == scores[order[cut]];
        const double threshold =
            cut > 0 ? scores[order[cut - 1]] : std::numeric_limits<double>::infinity();
        const auto taken = static_cast<double>(cut);
        const double precision = cut > 0 ? hits / taken : 0;
        const double recall = positives > 0 ? hits / positives : 0;
        if (!splits_tie) {
            best.average_precision += (recall - recall_before) * precision;
            recall_before = recall;
        }
        if (splits_tie || (cuts == Cuts::mteb && !inside))
            continue;
        const double right = (hits + negatives - (taken - hits)) / static_cast<double>(n);
        if (cut == 0 || right > best.accuracy) {
            best.accuracy = right;
            best.accuracy_threshold = threshold;
        }
        // F1 from precision and recall, as MTEB has it: cuts of equal F1 can differ in the last bit.
        const double f1 = hits > 0 ? 2 * precision * recall / (precision + recall) : 0;
        if (cut == 0 || f1 > best.f1) {
            best.f1 = f1;
            best.f1_threshold = threshold;
            best.precision = precision;
            best.recall = recall;
        }
    }
    return best;
}

// Average precision with weights w: precision(s) = sum of w y over scores of s or more, over sum of w there; the
// statistic is the mean of precision(s) over the positives. A pair counts as a positive, and in the precision of each
// lower score.
stats::Statistic average_precision_statistic(std::span<const double> gold,
                                             std::span<const double> scores)
{
    require_pairs(gold, scores);
    const std::size_t n = gold.size();
    const double positives = std::accumulate(gold.begin(), gold.end(), 0.0);
    if (positives == 0)
        return {0, stats::Column(n)};
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });

    struct Tie { // pairs of one score
        std::size_t end = 0;
        double positives = 0;
        double precision = 0;
        double taken = 0;
    };
    std::vector<Tie> ties;
    double hits = 0;
    double sum = 0;
    for (std::size_t at = 0; at < n;) {
        Tie tie;
        const double score = scores[order[at]];
        for (; at < n && scores[order[at]] == score; ++at)
            tie.positives += gold[order[at]];
        hits += tie.positives;
        tie.end = at;
        tie.taken = static_cast<double>(at);
        tie.precision = hits / tie.taken;
        sum += tie.positives * tie.precision;
        ties.push_back(tie);
    }
    stats::Statistic result{sum / positives, stats::Column(n)};
    double shares = 0;     // sum of positives / taken over this score and those below
    double precisions = 0; // the same, times the precision
    for (std::size_t t = ties.size(); t-- > 0;) {
        const Tie& tie = ties[t];
        shares += tie.positives / tie.taken;
        precisions += tie.positives / tie.taken * tie.precision;
        for (std::size_t at = t == 0 ? 0 : ties[t - 1].end; at < tie.end; ++at) {
            const double y = gold[order[at]];
            result.influence[order[at]] =
                (y * (tie.precision - result.value) + y * shares - precisions) / positives;
        }
    }
    return result;
}

} // namespace senteval::measures
