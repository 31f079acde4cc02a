#include "stats/variance.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <limits>

namespace senteval::stats {
namespace {

double variance_of(std::span<const double> values)
{
    const auto n = static_cast<double>(values.size());
    double mean = 0;
    for (const double value : values)
        mean += value / n;
    double squares = 0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return squares / (n - 1);
}

std::uint32_t largest(const Sources& sources)
{
    std::uint32_t most = 0;
    for (const auto* ids : {&sources.first, &sources.second})
        for (const std::uint32_t id : *ids)
            most = std::max(most, id);
    return most;
}

/// Degrees of freedom of the sum of two independent terms; a term that is 0 may have any.
double satterthwaite(double a, double freedom_a, double b, double freedom_b)
{
    const double squares = a * a / freedom_a + b * b / freedom_b;
    return squares > 0 ? (a + b) * (a + b) / squares : freedom_a;
}

} // namespace

Variances::Variances(std::span<const Fits> rows, const Sources& sources)
{
    if (rows.empty())
        return;
    if (rows.front().seeds.empty())
        throw base::Error("a score needs at least one fit");
    items_ = rows.front().seeds.front().influence.size();
    if (!sources.first.empty()) {
        std::vector<std::uint32_t> uses(std::size_t{largest(sources)} + 1);
        bool is_shared = false;
        for (std::size_t item = 0; item < items_; ++item) {
            is_shared = ++uses[sources.first[item]] > 1 || is_shared;
            if (sources.second[item] != sources.first[item])
                is_shared = ++uses[sources.second[item]] > 1 || is_shared;
        }
        sources_ = is_shared ? &sources : nullptr;
        sources_count_ = uses.size();
    }
    for (const Fits& fits : rows) {
        Row& row = rows_.emplace_back();
        row.seeds = fits.seeds.size();
        row.halves = fits.halves;
        row.mean.resize(items_);
        const auto count = static_cast<double>(row.seeds);
        std::vector<double> values;
        double single = 0;
        for (const Fit& fit : fits.seeds) {
            if (fit.influence.size() != items_)
                throw base::Error("scores of {} and {} items cannot be compared", items_,
                                  fit.influence.size());
            values.push_back(fit.value);
            row.score += fit.value / count;
            for (std::size_t item = 0; item < items_; ++item)
                row.mean[item] += fit.influence[item] / count;
            if (row.seeds > 1)
                single += square(fit.influence) / count;
        }
        if (row.seeds < 2)
            continue;
        row.by_seed = variance_of(values) / count;
        row.interaction = (single - square(row.mean)) / (count - 1);
    }
}

double Variances::square(const Column& influence) const
{
    const auto n = static_cast<double>(items_);
    double sum = 0;
    if (sources_ == nullptr) {
        for (const double value : influence)
            sum += value * value;
        return sum * n / (n - 1);
    }
    // Sums over all pairs of items that share a sentence (Aronow, Samii & Assenova 2015, eq. 5).
    Column sums(sources_count_);
    for (std::size_t item = 0; item < items_; ++item) {
        sums[sources_->first[item]] += influence[item];
        if (sources_->second[item] == sources_->first[item])
            continue;
        sums[sources_->second[item]] += influence[item];
        sum -= influence[item] * influence[item]; // which two sums have
    }
    for (const double value : sums)
        sum += value * value;
    return sum * n / (n - 1);
}

Variance Variances::of_score(std::size_t row, bool is_share, bool items_only) const
{
    const Row& own = rows_[row];
    const auto n = static_cast<double>(items_);
    Variance variance;
    variance.items = square(own.mean) * (is_share ? (n - 1) / n : 1);
    const double of_items = is_share ? std::numeric_limits<double>::infinity() : n - 1;
    variance.freedom = of_items;
    if (items_only || own.seeds < 2)
        return variance;
    variance.items = std::max(variance.items - own.interaction, 0.0);
    variance.seeds = own.by_seed;
    const double of_seeds = static_cast<double>(own.seeds) - 1;
    variance.freedom = satterthwaite(variance.items, of_items, variance.seeds, of_seeds);
    return variance;
}

Variance Variances::of_difference(std::size_t first, std::size_t second, bool items_only) const
{
    const Row& a = rows_[first];
    const Row& b = rows_[second];
    Column influence(items_);
    for (std::size_t item = 0; item < items_; ++item)
        influence[item] = a.mean[item] - b.mean[item];
    const double of_items = static_cast<double>(items_) - 1;
    Variance variance{square(influence), 0, 0, of_items};
    if (items_only)
        return variance;
    variance.items = std::max(variance.items - a.interaction - b.interaction, 0.0);
    variance.seeds = a.by_seed + b.by_seed;
    if (variance.seeds > 0) {
        // No more freedom than with equal variances: the variance of few seeds may be small by chance, and that of
        // many beside them would seem to know it.
        double own = 0;
        double equal = 0;
        double weights = 0;
        for (const Row* row : {&a, &b}) {
            if (row->seeds < 2)
                continue;
            const auto seeds = static_cast<double>(row->seeds);
            own += row->by_seed * row->by_seed / (seeds - 1);
            equal += 1 / (seeds * seeds * (seeds - 1));
            weights += 1 / seeds;
        }
        const double of_seeds =
            std::min(variance.seeds * variance.seeds / own, weights * weights / equal);
        variance.freedom = satterthwaite(variance.items, of_items, variance.seeds, of_seeds);
    }
    if (a.halves.size() >= fewest_halves && b.halves.size() >= fewest_halves) {
        variance.training = by_training(a, b);
        const double rest = variance.items + variance.seeds;
        const auto halves = static_cast<double>(std::min(a.halves.size(), b.halves.size()));
        variance.freedom = satterthwaite(rest, variance.freedom, variance.training, halves / 2 - 1);
    }
    return variance;
}

/// The variance between halves of one set is V = A/N + 3B/N² + J, that of half the difference of a half and its
/// complement P = A/N + 2B/N² + J/2, if that of the score between sets of N items is A/N + B/N² (Hoeffding 1948) and
/// a seed adds J: so 2P - V is what is asked for.
double Variances::by_training(const Row& a, const Row& b) const
{
    std::vector<double> differences; // of the halves that both have
    double squares = 0;
    double pairs = 0;
    std::uint64_t last = 0;
    for (const Fit& one : a.halves)
        for (const Fit& other : b.halves) {
            if (one.half != other.half)
                continue;
            differences.push_back(one.value - other.value);
            if (one.half % 2 == 0 && last + 1 == one.half) {
                const double apart = (differences.end()[-2] - differences.back()) / 2;
                squares += apart * apart;
                ++pairs;
            }
            last = one.half;
        }
    if (differences.size() < fewest_halves || pairs == 0)
        return 0;
    return std::max(2 * squares / pairs - variance_of(differences) - a.by_seed - b.by_seed, 0.0);
}

} // namespace senteval::stats
