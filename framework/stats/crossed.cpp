#include "stats/crossed.hpp"

#include "core/error.hpp"
#include "stats/deviations.hpp"
#include "stats/power.hpp"
#include "stats/signs.hpp"
#include "stats/variance_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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

/// Whether its fits are all that is known of its seeds.
bool tells_of_seeds(const Scored& row)
{
    return row.fits.size() > 1 && !row.by_seed;
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

BesideSeeds beside_seeds_of(std::vector<std::vector<Keyed>> means,
                            const std::vector<std::vector<Keyed>>& scores,
                            std::vector<std::vector<Keyed>> influences,
                            const Products& product)
{
    std::vector<SeedDeviations> rows(means.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        rows[row].mean = std::move(means[row].front());
        rows[row].influences = std::move(influences[row]);
        for (const Keyed& score : scores[row]) {
            rows[row].seeds.push_back(score.key);
            rows[row].scores.push_back(score.column.front());
        }
    }
    return {std::move(rows), product};
}

} // namespace

double Spread::p_value(double difference) const
{
    constexpr double limit = 0.05; // where both have the same
    const double p = t_p_value(difference / standard_error, freedom);
    return p > limit && middle
               ? std::max(t_p_value(difference / middle->standard_error, middle->freedom),
                          std::nextafter(limit, 1.0))
               : p;
}

Spread wider(const Spread& a, const Spread& b)
{
    const double freedom = std::min(a.freedom, b.freedom);
    const auto limit = [](const Student& student, double level) {
        return student.standard_error * t_quantile(level, student.freedom);
    };
    const auto usual_of = [&](const Spread& of) {
        return limit({of.standard_error, of.freedom}, 0.05);
    };
    const auto middle_of = [&](const Spread& of) {
        return limit(of.middle.value_or(Student{of.standard_error, of.freedom}), 0.5);
    };
    const double usual = std::max(usual_of(a), usual_of(b));
    Spread both = a;
    both.freedom = freedom;
    both.standard_error = usual / t_quantile(0.05, freedom);
    both.middle = through(usual, std::max(middle_of(a), middle_of(b)));
    return both;
}

Crossed::Crossed(std::span<const Scored> rows,
                 const Sources& sources,
                 double share,
                 Population widest,
                 bool learning)
{
    if (rows.empty())
        return;
    const std::size_t items = rows.front().fits.front().influence.size();
    require_same_items(rows, items);
    const Products product(items, sources);
    const Products scores(1, {});
    const double effective = product.effective();
    items_freedom_ = std::max(1.0, effective - 1);
    // Wilson's interval and Bonett & Price's know what a proportion is; others need n - 1.
    const double correction = share > 0 ? 1.0 : effective / items_freedom_;
    // One discordant item more on either side (Bonett & Price 2012, eq. 3).
    items_ = static_cast<double>(items);
    least_ = 2 * share * share / (items_ * items_);

    if (items < most_signs)
        keep_signs(rows, sources);
    std::vector<std::vector<Keyed>> means;
    std::vector<std::vector<Keyed>> by_seed;
    std::vector<std::vector<Keyed>> by_seed_and_item;
    std::vector<std::vector<Keyed>> by_training;
    std::vector<std::vector<Keyed>> by_training_and_item;
    std::vector<std::vector<Keyed>> by_complement;
    std::vector<std::vector<Keyed>> by_complement_and_item;
    const double root = std::sqrt(correction);
    const std::vector<SeedVariance> variances = moderated(rows, learning);
    for (const Scored& row : rows) {
        const SeedVariance& common = variances[rows_.size()];
        Column mean = mean_influence(row.fits);
        for (double& value : mean)
            value *= root;
        Column sums = product.sums(mean);
        means.push_back({{0, std::move(mean), std::move(sums)}});

        const auto seeds = static_cast<double>(row.fits.size());
        const bool several = tells_of_seeds(row);
        all_seeds_freedom_ += seeds - 1;
        const double scale = several ? 1.0 / std::sqrt(seeds * (seeds - 1)) : 0.0;
        using None = std::vector<Keyed>;
        const double own = several ? between(row.fits) : 0.0;
        const double stretch = own > 0 ? std::sqrt(common.total / own) : 0.0;
        by_seed.push_back(several ? score_deviations(row.fits, scale * stretch) : None());
        by_seed_and_item.push_back(several ? influence_deviations(row.fits, scale * root, product)
                                           : None());
        for (auto* deviations : {&by_seed.back(), &by_seed_and_item.back()})
            for (std::size_t fit = 0; fit < deviations->size(); ++fit)
                (*deviations)[fit].key = rows_.size() << 32U | fit; // see Row::seeds
        const auto sets = static_cast<double>(row.resampled.size());
        const bool resampled = row.resampled.size() >= fewest_halves;
        const double each = resampled ? 1.0 / std::sqrt(sets - 1) : 0.0;
        by_training.push_back(
            resampled ? score_deviations(row.resampled, each * std::sqrt(1 + 1 / sets)) : None());
        by_training_and_item.push_back(
            resampled ? influence_deviations(row.resampled, each * root, product) : None());

        const std::vector<Fit> complements =
            resampled ? complements_of(row.resampled) : std::vector<Fit>();
        const auto pairs = static_cast<double>(complements.size());
        const double each_pair = pairs > 0 ? std::sqrt((1 + 1 / sets) / pairs) : 0.0;
        by_complement.emplace_back();
        by_complement_and_item.emplace_back();
        for (const Fit& half : complements) { // whose mean is known to be 0
            by_complement.back().push_back({half.seed, {half.value * each_pair}, {}});
            Keyed one{half.seed, half.influence, {}};
            for (double& value : one.column)
                value *= each_pair * root;
            one.sums = product.sums(one.column);
            by_complement_and_item.back().push_back(std::move(one));
        }

        // Halves say what both seeds and training sets change, not what seeds alone do.
        const Population population = resampled && widest >= Population::training
                                          ? Population::training
                                      : several || row.by_seed ? Population::seeds
                                                               : Population::items;
        rows_.push_back({mean_of(row.fits), keys_of(row.fits), keys_of(row.resampled),
                         keys_of(complements), own, common.freedom, of_mean(row),
                         std::min(population, widest)});
    }
    const std::size_t cells = rows.size() * rows.size();
    for (auto* gram : {&by_item_, &seeds_, &seeds_and_items_, &training_, &training_and_items_,
                       &complements_, &complements_and_items_})
        gram->resize(cells);
    add_products(means, product, by_item_);
    add_products(by_seed, scores, seeds_);
    add_products(by_seed_and_item, product, seeds_and_items_);
    add_products(by_training, scores, training_);
    add_products(by_training_and_item, product, training_and_items_);
    add_products(by_complement, scores, complements_);
    add_products(by_complement_and_item, product, complements_and_items_);
    if (widest >= Population::seeds)
        beside_seeds_ =
            beside_seeds_of(std::move(means), by_seed, std::move(by_seed_and_item), product);
}

double Crossed::at(const std::vector<double>& gram, std::size_t a, std::size_t b) const
{
    return gram[a * rows_.size() + b];
}

Spread Crossed::Estimate::spread() const
{
    const Told told = variance.nearest();
    const auto& [standard_error, freedom] = told.student;
    const bool is_one = told.middle.freedom == freedom;
    return {standard_error, freedom, population,
            is_one ? std::nullopt : std::optional(told.middle)};
}

std::vector<Crossed::Estimate> Crossed::estimates(std::size_t a, std::optional<std::size_t> b) const
{
    std::vector<Estimate> all = {estimate_in(a, b, Population::training)};
    const auto tells_of_seeds = [&](const Row& row) { return row.seeds.size() > 1 || row.by_seed; };
    if (all.front().population == Population::training && tells_of_seeds(rows_[a]) &&
        (!b || tells_of_seeds(rows_[*b])))
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

Crossed::Estimate
Crossed::estimate_in(std::size_t a, std::optional<std::size_t> b, Population widest) const
{
    const auto of = [&](const std::vector<double>& gram) {
        return b ? at(gram, a, a) + at(gram, *b, *b) - 2 * at(gram, a, *b) : at(gram, a, a);
    };
    Population population = std::min(widest, rows_[a].population);
    std::vector<const Row*> sides{&rows_[a]};
    if (b) {
        sides.push_back(&rows_[*b]);
        population = std::min(population, rows_[*b].population);
    }
    VarianceSum sum;
    const auto fits =
        static_cast<double>(std::min(sides.front()->seeds.size(), sides.back()->seeds.size()));
    const bool is_known =
        std::ranges::any_of(sides, [](const Row* side) { return side->by_seed.has_value(); });
    const auto beside =
        b && population == Population::seeds ? beside_seeds_.of_difference(a, *b) : std::nullopt;
    const double items = (beside ? beside->items : of(by_item_)) + (b ? least_ / fits : 0.0);
    // Of one share the variance by items is known to be p (1 - p) / n.
    sum.add(items, b || least_ == 0 ? items_freedom_ : 0.0);

    // Training sets of the two rows vary together where they are the same; seeds, and else, on their own.
    const auto freedom = [&](auto member, double both) {
        const auto freedom_of = [&](const Row& row) {
            return member == &Row::seeds ? row.seeds_freedom
                                         : static_cast<double>((row.*member).size()) - 1;
        };
        if (b && (member == &Row::seeds || sides[0]->*member != sides[1]->*member)) {
            VarianceSum apart;
            for (std::size_t side = 0; side < 2; ++side) {
                const std::size_t row = side == 0 ? a : *b;
                apart.add(at(member == &Row::seeds ? seeds_ : training_, row, row),
                          freedom_of(*sides[side]));
            }
            const double freedom_of_both = apart.freedom_of(both);
            return member == &Row::seeds ? std::min(freedom_of_both, all_seeds_freedom_)
                                         : freedom_of_both;
        }
        return freedom_of(*sides[0]);
    };
    const double seeds = population >= Population::seeds ? of(seeds_) : 0.0;
    const double by_seed = seeds > 0 ? freedom(&Row::seeds, seeds) : 0;
    double shared = beside ? beside->shared : of(seeds_and_items_);
    constexpr double few = 5; // tell so little of what they share that it can exceed what there is
    if (b && population == Population::seeds && fits > 1 && fits < few)
        shared = std::min(shared, items);
    if (!b) // a score varies no less than with its items alone
        shared = std::min(shared, seeds);
    UncertainVariance variance;
    // What is known of rows of few seeds is from the same encoders, so that both sides are off alike.
    const auto add_known = [&] {
        variance.freedom = std::numeric_limits<double>::infinity();
        for (const Row* side : sides)
            if (side->by_seed) {
                variance.beside += side->by_seed->beside_items;
                variance.at_least += side->by_seed->total;
                variance.along += side->by_seed->total * side->by_seed->along;
                variance.freedom = std::min(variance.freedom, side->by_seed->freedom);
            }
        if (is_known)
            variance.own = seeds; // of the side that tells of its own
        const bool both = b && std::ranges::all_of(sides, [](const Row* side) {
                              return side->by_seed.has_value();
                          });
        variance.along = both && variance.at_least > 0 ? variance.along / variance.at_least : 0.0;
    };
    // Subtracting can leave next to nothing, which no estimate can mean.
    const double least = std::max(0.1 * std::max(items, seeds), b ? rounding_of(a, *b) : 0.0);
    if (population == Population::seeds) {
        sum.add(shared, by_seed * items_freedom_, -1);
        // Where two scores happen to be close, Welch's degrees of freedom are those of the items, and up to 8.5 %
        // of equal encoders are told apart: what their variance may be counts instead (UncertainVariance).
        if (b && fits == 2 && seeds > 0 && !is_known) {
            const double rest_freedom = sum.freedom_of(std::max(sum.total(), least));
            return {{sum.total(), rest_freedom, seeds, least, by_seed}, population};
        }
        sum.add(seeds, by_seed);
        add_known(); // two fits that differ by their seeds alone differ by as much at least
    }
    if (population == Population::training) {
        const double beside_items = std::max(0.0, seeds - shared);
        const double training = of(training_) - of(training_and_items_);
        const double complements = of(complements_) - of(complements_and_items_);
        const double by_set = freedom(&Row::training, of(training_));
        const bool paired = std::all_of(sides.begin(), sides.end(), [](const Row* side) {
            return !side->complements.empty() && (side->seeds.size() > 1 || side->by_seed);
        });
        if (paired) {
            sum.add(std::max(2 * complements - training, training / 3),
                    std::max(1.0, (by_set + 1) / 2));
            sum.add(beside_items, by_seed);
            add_known();
            variance.at_least = variance.own = 0;
            variance.along = 0;
            variance.beside = std::max(0.0, variance.beside);
        } else {
            sum.add(std::max(beside_items, training - (fits - 1) * (seeds - shared)), by_set);
        }
    }
    variance.rest = std::max(sum.total(), least);
    variance.rest_freedom = sum.freedom_of(variance.rest);
    return {variance, population};
}

double Crossed::rounding_of(std::size_t a, std::size_t b) const
{
    constexpr double last_places = 64 * std::numeric_limits<double>::epsilon();
    return last_places * (at(by_item_, a, a) + at(by_item_, b, b));
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

Spread Crossed::beside_items(std::size_t a, std::size_t b) const
{
    const Population population = std::min(rows_[a].population, rows_[b].population);
    const bool by_training = population == Population::training;
    const auto& gram = by_training ? training_ : seeds_;
    VarianceSum sum;
    for (const std::size_t at_row : {a, b}) {
        const Row& row = rows_[at_row];
        if (by_training)
            sum.add(at(gram, at_row, at_row), static_cast<double>(row.training.size()) - 1);
        else if (population == Population::seeds && row.by_seed)
            sum.add(row.by_seed->total, row.by_seed->freedom);
        else if (population == Population::seeds)
            sum.add(at(gram, at_row, at_row), row.seeds_freedom);
    }
    const double variance = std::max(0.0, sum.total() - 2 * at(gram, a, b));
    return {std::sqrt(variance), sum.freedom_of(sum.total()), population};
}

void Crossed::keep_signs(std::span<const Scored> rows, const Sources& sources)
{
    const auto items = static_cast<std::size_t>(items_);
    auto cluster = sources.first.empty() ? std::vector<std::uint32_t>() : clusters_of(sources);
    if (cluster.empty()) {
        cluster.resize(items);
        std::iota(cluster.begin(), cluster.end(), 0U);
    }
    const std::size_t clusters = *std::max_element(cluster.begin(), cluster.end()) + std::size_t{1};
    if (clusters < fewest_signs || 2 * clusters < items)
        return; // most of what varies hangs together
    cluster_shares_.resize(clusters);
    for (const std::uint32_t own : cluster)
        cluster_shares_[own] += 1 / items_;
    for (const Scored& row : rows) {
        const Column influence = mean_influence(row.fits);
        Column& sums = cluster_influences_.emplace_back(clusters);
        for (std::size_t item = 0; item < items; ++item)
            sums[cluster[item]] += influence[item];
    }
}

std::vector<double> Crossed::contributions(std::size_t a, std::size_t b) const
{
    std::vector<double> each;
    if (cluster_influences_.empty() || of_difference(a, b).population != Population::items)
        return each;
    const double difference = value(a) - value(b);
    for (std::size_t at = 0; at < cluster_shares_.size(); ++at)
        each.push_back(cluster_influences_[a][at] - cluster_influences_[b][at] +
                       difference * cluster_shares_[at]);
    return each;
}

double Crossed::item_deviation(std::size_t a, std::size_t b) const
{
    const double variance = at(by_item_, a, a) + at(by_item_, b, b) - 2 * at(by_item_, a, b);
    return std::sqrt(std::max(rounding_of(a, b), variance) * items_);
}

std::optional<SeedVariance> Crossed::by_seed(std::size_t row) const
{
    const auto seeds = static_cast<double>(rows_[row].seeds.size());
    if (seeds < 2 || rows_[row].by_seed)
        return std::nullopt;
    const double total = rows_[row].between_seeds;
    const double with_items = seeds * at(seeds_and_items_, row, row);
    // The scores are as far apart as the rows together have them.
    const double scale = total > 0 ? seeds * at(seeds_, row, row) / total : 1.0;
    return SeedVariance{total, total - with_items, seeds - 1,
                        std::min(1.0, scale * beside_seeds_.along_score(row))};
}

std::vector<double> Crossed::covariance() const
{
    // By the variances of scores and of differences: cov = (var a + var b - var (a - b)) / 2.
    const std::size_t count = rows_.size();
    std::vector<double> result(count * count);
    std::vector<double> variance;
    for (std::size_t row = 0; row < count; ++row) {
        variance.push_back(typical(row, std::nullopt));
        result[row * count + row] = variance.back();
    }
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b) {
            const double apart = typical(a, b);
            const double shared = (variance[a] + variance[b] - apart) / 2;
            result[a * count + b] = shared;
            result[b * count + a] = shared;
        }
    return result;
}

} // namespace senteval::stats
