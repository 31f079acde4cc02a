#include "stats/crossed.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace senteval::stats {
namespace {

void require_same_items(std::span<const Scored> rows, std::size_t items)
{
    for (const Scored& row : rows) {
        if (row.fits.empty())
            throw core::Error("a score needs at least one fit");
        for (const auto* fits : {&row.fits, &row.resampled})
            for (const Fit& fit : *fits)
                if (fit.influence.size() != items)
                    throw core::Error("scores of {} and {} items cannot be compared", items,
                                      fit.influence.size());
    }
}

std::optional<SeedVariance> of_mean(const Scored& row)
{
    std::optional<SeedVariance> variance = row.by_seed;
    if (variance) {
        const auto seeds = static_cast<double>(row.fits.size());
        variance->total /= seeds;
        variance->beside_items /= seeds;
    }
    return variance;
}

BesideSeeds beside_seeds_of(RowDeviations deviations, const Products& product)
{
    std::vector<SeedDeviations> rows(deviations.means.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        rows[row].mean = std::move(deviations.means[row].front());
        rows[row].influences = std::move(deviations.seeds.influences[row]);
        for (const Keyed& score : deviations.seeds.scores[row])
            rows[row].scores.push_back(score.column.front());
    }
    return {rows, product};
}

} // namespace

Crossed::Crossed(std::span<const Scored> rows,
                 const Sources& sources,
                 bool is_share,
                 Population widest)
{
    if (rows.empty())
        return;
    const std::size_t items = rows.front().fits.front().influence.size();
    require_same_items(rows, items);
    const Products product(items, sources);
    const double effective = product.effective();
    items_ = static_cast<double>(items);
    items_freedom_ = std::max(1.0, effective - 1);
    is_share_ = is_share;

    // Wilson's interval and Bonett & Price's know what a proportion is; others need n - 1.
    RowDeviations deviations(product, is_share_ ? 1.0 : effective / items_freedom_);
    for (const Scored& row : rows) {
        deviations.add(row);
        rows_.push_back(described(row, widest));
    }
    const Products scores(1, {});
    const auto both = [&](const DeviationsBy& source) {
        return BySource{{source.scores, scores}, {source.influences, product}};
    };
    by_item_ = {deviations.means, product};
    seeds_ = both(deviations.seeds);
    training_ = both(deviations.training);
    complements_ = both(deviations.complements);
    if (widest >= Population::seeds)
        beside_seeds_ = beside_seeds_of(std::move(deviations), product);
}

Crossed::Row Crossed::described(const Scored& scored, Population widest) const
{
    Row row;
    row.mean = mean_of(scored.fits);
    for (const Fit& fit : scored.fits)
        row.squared_answer += fit.answer * fit.answer / static_cast<double>(scored.fits.size());
    row.seeds = scored.fits.size();
    row.training = keys_of(scored.resampled);
    const bool resampled = scored.resampled.size() >= fewest_halves;
    if (resampled)
        row.complements = keys_of(complements_of(scored.resampled));
    const bool several = tells_of_seeds(scored);
    row.between_seeds = several ? between(scored.fits) : 0.0;
    row.seeds_freedom = static_cast<double>(scored.fits.size()) - 1;
    row.by_seed = of_mean(scored);
    // Halves hold what seeds do on half of the items, on all of them it may be more than they show.
    row.population = !several && !scored.by_seed ? Population::items
                     : resampled                 ? Population::training
                                                 : Population::seeds;
    row.population = std::min(row.population, widest);
    return row;
}

Spread Crossed::Estimate::spread() const
{
    const Told told = variance.nearest();
    const auto& [standard_error, freedom] = told.student;
    const bool is_one = told.middle.freedom == freedom;
    return {standard_error, freedom, population, is_one ? std::nullopt : std::optional(told.middle),
            own ? own->repeated() : std::nullopt};
}

std::vector<Crossed::Estimate> Crossed::estimates(std::size_t a, std::optional<std::size_t> b) const
{
    std::vector<Estimate> all = {estimate_in(a, b, Population::training)};
    if (all.front().population == Population::training)
        all.push_back(estimate_in(a, b, Population::seeds));
    return all;
}

Spread Crossed::spread(std::size_t a, std::optional<std::size_t> b) const
{
    const auto all = estimates(a, b);
    Spread spread = all.front().spread();
    if (all.size() > 1)
        spread = wider(spread, all.back().spread());
    spread.population = all.front().population;
    return spread;
}

double Crossed::typical(std::size_t a, std::optional<std::size_t> b) const
{
    double most = 0;
    for (const Estimate& one : estimates(a, b))
        most = std::max(most, one.variance.typical());
    return most;
}

Population Crossed::population_in(std::size_t a, std::size_t b, Population widest) const
{
    return std::min({widest, rows_[a].population, rows_[b].population});
}

Crossed::Terms
Crossed::terms_of(std::size_t a, std::optional<std::size_t> b, Population widest) const
{
    Terms terms;
    terms.sides = {a};
    if (b)
        terms.sides.push_back(*b);
    const Row& first = rows_[terms.sides.front()];
    const Row& last = rows_[terms.sides.back()];
    terms.population = population_in(a, b.value_or(a), widest);
    terms.fits = static_cast<double>(std::min(first.seeds, last.seeds));

    const auto beside = b && terms.population == Population::seeds
                            ? beside_seeds_.of_difference(a, *b)
                            : std::nullopt;
    // One discordant item more on either side (Bonett & Price 2012, eq. 3).
    terms.items = (beside ? beside->items : by_item_.square(a, b)) +
                  (b ? (first.squared_answer + last.squared_answer) / terms.fits : 0);
    terms.shared = beside ? beside->shared : seeds_.with_items.square(a, b);
    if (terms.population >= Population::seeds)
        terms.seeds = seeds_.scores.square(a, b);
    terms.seeds_freedom = freedom_by_seed(terms);

    constexpr double few = 5; // tell so little of what they share that it can exceed what there is
    if (b && terms.population == Population::seeds && terms.fits > 1 && terms.fits < few)
        terms.shared = std::min(terms.shared, terms.items);
    if (!b) // a score varies no less than with its items alone
        terms.shared = std::min(terms.shared, terms.seeds);
    terms.least = std::max(0.1 * std::max(terms.items, terms.seeds), b ? rounding_of(a, *b) : 0.0);
    return terms;
}

bool Crossed::is_any_known(const Terms& terms) const
{
    return std::ranges::any_of(terms.sides,
                               [&](std::size_t side) { return rows_[side].by_seed.has_value(); });
}

double Crossed::freedom_by_seed(const Terms& terms) const
{
    if (!(terms.seeds > 0))
        return 0;
    if (!terms.is_difference())
        return rows_[terms.sides.front()].seeds_freedom;
    VarianceSum apart;
    // As few as if the true variances were the same: that of few seeds may be small by chance, and those of many
    // beside them would seem to know it.
    double weights = 0;
    double squares = 0;
    for (const std::size_t side : terms.sides) {
        const Row& row = rows_[side];
        apart.add(seeds_.scores(side, side), row.seeds_freedom);
        if (row.tells_of_seeds()) {
            const double weight = 1 / static_cast<double>(row.seeds);
            weights += weight;
            squares += weight * weight / row.seeds_freedom;
        }
    }
    return std::min(apart.freedom_of(terms.seeds), weights * weights / squares);
}

double Crossed::freedom_by_training(const Terms& terms) const
{
    const auto own = [&](std::size_t side) {
        return static_cast<double>(rows_[side].training.size()) - 1;
    };
    const auto [a, b] = std::pair(terms.sides.front(), terms.sides.back());
    if (rows_[a].training == rows_[b].training)
        return own(a); // the rows vary together
    VarianceSum apart;
    for (const std::size_t side : terms.sides)
        apart.add(training_.scores(side, side), own(side));
    return apart.freedom_of(training_.scores.square(a, b));
}

void Crossed::add_known(const Terms& terms, UncertainVariance& variance) const
{
    // What is known of rows of few seeds is from the same encoders, so that both sides are off alike.
    variance.freedom = std::numeric_limits<double>::infinity();
    bool by_both = terms.is_difference();
    for (const std::size_t side : terms.sides)
        if (const auto& by_seed = rows_[side].by_seed) {
            variance.beside += by_seed->beside_items;
            variance.at_least += by_seed->total;
            variance.along += by_seed->total * by_seed->along;
            variance.freedom = std::min(variance.freedom, by_seed->freedom);
        } else {
            by_both = false;
        }
    if (is_any_known(terms))
        variance.own = terms.seeds; // of the side that tells of its own
    variance.along = by_both && variance.at_least > 0 ? variance.along / variance.at_least : 0.0;
}

/// Of a difference, where the rows' own seeds alone tell how much seeds matter.
std::optional<OwnSeeds> Crossed::own_seeds(const Terms& terms, const VarianceSum& items) const
{
    if (terms.population != Population::seeds || !terms.is_difference() || !(terms.seeds > 0) ||
        is_any_known(terms))
        return std::nullopt;
    return OwnSeeds{without_shared(terms, items), terms.seeds, terms.seeds_freedom, terms.least,
                    terms.fits == 2};
}

VarianceSum Crossed::without_shared(const Terms& terms, VarianceSum items) const
{
    items.add(terms.shared, terms.seeds_freedom * items_freedom_, -1);
    return items;
}

UncertainVariance Crossed::by_seeds(const Terms& terms, const VarianceSum& items) const
{
    VarianceSum sum = without_shared(terms, items);
    sum.add(terms.seeds, terms.seeds_freedom);
    UncertainVariance variance = rest_of(sum, terms.least);
    add_known(terms,
              variance); // two fits that differ by their seeds alone differ by as much at least
    return variance;
}

UncertainVariance Crossed::by_training(const Terms& terms, VarianceSum sum) const
{
    const auto of = [&](const BySource& source) {
        return source.scores.square(terms.sides.front(), terms.other()) -
               source.with_items.square(terms.sides.front(), terms.other());
    };
    const double beside_items = std::max(0.0, terms.seeds - terms.shared);
    const double training = of(training_);
    const double by_set = freedom_by_training(terms);
    const bool paired = std::ranges::all_of(
        terms.sides, [&](std::size_t side) { return !rows_[side].complements.empty(); });
    if (!paired) {
        sum.add(std::max(beside_items, training - (terms.fits - 1) * (terms.seeds - terms.shared)),
                by_set);
        return rest_of(sum, terms.least);
    }
    sum.add(between_sets(training, of(complements_)), std::max(1.0, (by_set + 1) / 2));
    sum.add(beside_items, terms.seeds_freedom);
    UncertainVariance variance = rest_of(sum, terms.least);
    add_known(terms, variance);
    variance.beside = std::max(0.0, variance.beside);
    variance.at_least = variance.own = variance.along = 0;
    return variance;
}

Crossed::Estimate
Crossed::estimate_in(std::size_t a, std::optional<std::size_t> b, Population widest) const
{
    const Terms terms = terms_of(a, b, widest);
    VarianceSum items;
    // Of one share the variance by items is known to be p (1 - p) / n.
    items.add(terms.items, b || !is_share_ ? items_freedom_ : 0.0);
    if (const auto own = own_seeds(terms, items))
        return {own->variance(), terms.population, own};
    const auto variance = [&] {
        switch (terms.population) {
        case Population::seeds:
            return by_seeds(terms, items);
        case Population::training:
            return by_training(terms, items);
        default:
            return rest_of(items, terms.least);
        }
    };
    return {variance(), terms.population, std::nullopt};
}

double Crossed::rounding_of(std::size_t a, std::size_t b) const
{
    constexpr double last_places = 64 * std::numeric_limits<double>::epsilon();
    return last_places * (by_item_(a, a) + by_item_(b, b));
}

Spread Crossed::of_score(std::size_t row) const
{
    return spread(row, std::nullopt);
}

Spread Crossed::of_difference(std::size_t a, std::size_t b) const
{
    return spread(a, b);
}

Spread Crossed::by_items(std::size_t a, std::size_t b) const
{
    return estimate_in(a, b, Population::items).spread();
}

} // namespace senteval::stats
