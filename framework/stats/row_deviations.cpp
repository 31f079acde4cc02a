#include "stats/row_deviations.hpp"

#include <cmath>
#include <utility>

namespace senteval::stats {

bool tells_of_seeds(const Scored& row)
{
    return row.fits.size() > 1 && !row.by_seed;
}

RowDeviations::RowDeviations(const Products& product, double correction)
    : product_(&product), root_(std::sqrt(correction))
{
}

void RowDeviations::add(const Scored& row)
{
    add_mean(row);
    add_seeds(row);
    add_training(row);
    add_complements(row);
}

void RowDeviations::add_mean(const Scored& row)
{
    Column mean = mean_influence(row.fits);
    for (double& value : mean)
        value *= root_;
    Column sums = product_->sums(mean);
    means.push_back({{0, std::move(mean), std::move(sums)}});
}

void RowDeviations::add_seeds(const Scored& row)
{
    const std::size_t number = seeds.scores.size();
    auto& scores = seeds.scores.emplace_back();
    auto& influences = seeds.influences.emplace_back();
    if (!tells_of_seeds(row))
        return;
    const auto count = static_cast<double>(row.fits.size());
    const double scale = 1.0 / std::sqrt(count * (count - 1));
    scores = score_deviations(row.fits, scale);
    influences = influence_deviations(row.fits, scale * root_, *product_);
    // The same number does not do the same to two encoders, so that each row has seeds of its own.
    for (auto* deviations : {&scores, &influences})
        for (std::size_t fit = 0; fit < deviations->size(); ++fit)
            (*deviations)[fit].key = number << 32U | fit;
}

void RowDeviations::add_training(const Scored& row)
{
    auto& scores = training.scores.emplace_back();
    auto& influences = training.influences.emplace_back();
    if (row.resampled.size() < fewest_halves)
        return;
    const auto sets = static_cast<double>(row.resampled.size());
    const double each = 1.0 / std::sqrt(sets - 1);
    scores = score_deviations(row.resampled, each * std::sqrt(1 + 1 / sets));
    influences = influence_deviations(row.resampled, each * root_, *product_);
}

void RowDeviations::add_complements(const Scored& row)
{
    auto& scores = complements.scores.emplace_back();
    auto& influences = complements.influences.emplace_back();
    if (row.resampled.size() < fewest_halves)
        return;
    const std::vector<Fit> halves = complements_of(row.resampled);
    const auto sets = static_cast<double>(row.resampled.size());
    const auto pairs = static_cast<double>(halves.size());
    const double each = std::sqrt((1 + 1 / sets) / pairs);
    for (const Fit& half : halves) { // whose mean is known to be 0
        scores.push_back({half.seed, {half.value * each}, {}});
        Keyed one{half.seed, half.influence, {}};
        for (double& value : one.column)
            value *= each * root_;
        one.sums = product_->sums(one.column);
        influences.push_back(std::move(one));
    }
}

} // namespace senteval::stats
