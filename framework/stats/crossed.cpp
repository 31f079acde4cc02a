#include "stats/crossed.hpp"

#include "core/error.hpp"
#include "stats/moderation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace senteval::stats {
namespace {

using Column = std::vector<double>;

/// In eight partial sums, so that the order of the sum is fixed and processors can add several at once.
double dot(const Column& a, const Column& b)
{
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> sums{};
    const std::size_t whole = a.size() - a.size() % lanes;
    for (std::size_t i = 0; i < whole; i += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            sums[lane] += a[i + lane] * b[i + lane];
    double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
    for (std::size_t i = whole; i < a.size(); ++i)
        sum += a[i] * b[i];
    return sum;
}

/// Inner products of influences, items that share a source counted together.
class Products {
public:
    Products(std::size_t items, const Sources& sources) : items_(items)
    {
        if (sources.first.empty())
            return;
        std::uint32_t most = 0;
        for (const auto* ids : {&sources.first, &sources.second})
            most = std::max(most, *std::max_element(ids->begin(), ids->end()));
        sizes_.resize(most + std::size_t{1});
        for (std::size_t item = 0; item < items; ++item)
            for_each(sources, item, [&](std::uint32_t source) { sizes_[source] += 1; });
        if (std::all_of(sizes_.begin(), sizes_.end(), [](double size) { return size <= 1; }))
            sizes_.clear(); // nothing is shared
        else
            sources_ = &sources;
    }

    /// Items as good as as many independent ones.
    [[nodiscard]] double effective() const
    {
        const auto n = static_cast<double>(items_);
        if (sources_ == nullptr)
            return n;
        double pairs = -overcount();
        for (const double size : sizes_)
            pairs += size * size;
        return n * n / std::max(pairs, n);
    }

    /// The sums of a column over the items of each shared source; empty where none is shared.
    [[nodiscard]] Column sums(const Column& influence) const
    {
        Column sums;
        if (sources_ == nullptr)
            return sums;
        sums.resize(sizes_.size());
        for (std::size_t item = 0; item < influence.size(); ++item)
            for_each(*sources_, item,
                     [&](std::uint32_t source) { sums[source] += influence[item]; });
        return sums;
    }

    /// Of two columns, given their sums(). An item of two sources is in two sums: once too often.
    [[nodiscard]] double
    operator()(const Column& a, const Column& b, const Column& sums_a, const Column& sums_b) const
    {
        if (sources_ == nullptr)
            return dot(a, b);
        double twice = 0;
        for (std::size_t item = 0; item < a.size(); ++item)
            if (sources_->first[item] != sources_->second[item])
                twice += a[item] * b[item];
        return dot(sums_a, sums_b) - twice;
    }

private:
    template <typename Visit>
    static void for_each(const Sources& sources, std::size_t item, Visit visit)
    {
        visit(sources.first[item]);
        if (sources.second[item] != sources.first[item])
            visit(sources.second[item]);
    }

    [[nodiscard]] double overcount() const
    {
        double count = 0;
        for (std::size_t item = 0; item < items_; ++item)
            count += sources_->first[item] != sources_->second[item] ? 1 : 0;
        return count;
    }

    std::size_t items_;
    const Sources* sources_ = nullptr;
    Column sizes_; ///< items of each source
};

/// Columns of rows, each under a number; those of one number belong together.
struct Keyed {
    std::uint64_t key = 0;
    Column column;
    Column sums;
};

/// Adds to the table of inner products those of the columns with a number in common.
void add_products(const std::vector<std::vector<Keyed>>& rows,
                  const Products& product,
                  Column& gram)
{
    const std::size_t count = rows.size();
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a; b < count; ++b) {
            double sum = 0;
            for (const Keyed& one : rows[a])
                for (const Keyed& other : rows[b])
                    if (one.key == other.key)
                        sum += product(one.column, other.column, one.sums, other.sums);
            gram[a * count + b] += sum;
            if (b != a)
                gram[b * count + a] += sum;
        }
}

double mean_of(const std::vector<Fit>& fits)
{
    double sum = 0;
    for (const Fit& fit : fits)
        sum += fit.value;
    return sum / static_cast<double>(fits.size());
}

Column mean_influence(const std::vector<Fit>& fits)
{
    Column mean(fits.front().influence.size());
    for (const Fit& fit : fits)
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += fit.influence[i];
    for (double& value : mean)
        value /= static_cast<double>(fits.size());
    return mean;
}

std::vector<std::uint64_t> keys_of(const std::vector<Fit>& fits)
{
    std::vector<std::uint64_t> keys;
    for (const Fit& fit : fits)
        keys.push_back(fit.seed);
    return keys;
}

/// Deviations of the fits from their mean, times `scale`: of the scores, or of the influences.
std::vector<Keyed> score_deviations(const std::vector<Fit>& fits, double scale)
{
    std::vector<Keyed> all;
    const double mean = mean_of(fits);
    for (const Fit& fit : fits)
        all.push_back({fit.seed, {(fit.value - mean) * scale}, {}});
    return all;
}

std::vector<Keyed>
influence_deviations(const std::vector<Fit>& fits, double scale, const Products& product)
{
    std::vector<Keyed> all;
    const Column mean = mean_influence(fits);
    for (const Fit& fit : fits) {
        Keyed one{fit.seed, fit.influence, {}};
        for (std::size_t i = 0; i < mean.size(); ++i)
            one.column[i] = (one.column[i] - mean[i]) * scale;
        one.sums = product.sums(one.column);
        all.push_back(std::move(one));
    }
    return all;
}

/// Half the difference of each half and its complement, of those that are both there.
std::vector<Fit> complements_of(const std::vector<Fit>& halves)
{
    std::vector<Fit> all;
    for (const Fit& first : halves)
        for (const Fit& second : halves)
            if (first.seed % 2 == 1 && second.seed == first.seed + 1) {
                all.push_back({second.seed / 2, (first.value - second.value) / 2, first.influence});
                for (std::size_t i = 0; i < first.influence.size(); ++i)
                    all.back().influence[i] = (first.influence[i] - second.influence[i]) / 2;
            }
    return all;
}

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

double between(const std::vector<Fit>& fits)
{
    const double mean = mean_of(fits);
    double squares = 0;
    for (const Fit& fit : fits)
        squares += (fit.value - mean) * (fit.value - mean);
    return squares / static_cast<double>(fits.size() - 1);
}

/// Variance by seed of one fit of each row with several seeds, what the rows have in common taken in;
/// freedom 0 for the others.
std::vector<SeedVariance> moderated(std::span<const Scored> rows)
{
    std::vector<double> variances;
    std::vector<double> freedom;
    double all = 0;
    for (const Scored& row : rows) {
        const bool several = row.fits.size() > 1;
        variances.push_back(several ? between(row.fits) : 0.0);
        freedom.push_back(several ? static_cast<double>(row.fits.size()) - 1 : 0.0);
        all += freedom.back();
    }
    const CommonVariance common = common_variance(variances, freedom);
    std::vector<SeedVariance> result;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const double prior = std::isinf(common.freedom) ? all : common.freedom;
        const double sum = freedom[row] + prior;
        if (freedom[row] == 0 || prior == 0 || variances[row] == 0)
            result.push_back({variances[row], 0, freedom[row]});
        else if (std::isinf(common.freedom))
            result.push_back({common.variance, 0, all});
        else
            result.push_back({(freedom[row] * variances[row] + prior * common.variance) / sum, 0,
                              std::min(sum, all)});
    }
    return result;
}

} // namespace

Crossed::Crossed(std::span<const Scored> rows,
                 const Sources& sources,
                 double share,
                 Population widest)
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

    std::vector<std::vector<Keyed>> means;
    std::vector<std::vector<Keyed>> by_seed;
    std::vector<std::vector<Keyed>> by_seed_and_item;
    std::vector<std::vector<Keyed>> by_training;
    std::vector<std::vector<Keyed>> by_training_and_item;
    std::vector<std::vector<Keyed>> by_complement;
    std::vector<std::vector<Keyed>> by_complement_and_item;
    const double root = std::sqrt(correction);
    const std::vector<SeedVariance> variances = moderated(rows);
    for (const Scored& row : rows) {
        const SeedVariance& common = variances[rows_.size()];
        Column mean = mean_influence(row.fits);
        for (double& value : mean)
            value *= root;
        Column sums = product.sums(mean);
        means.push_back({{0, std::move(mean), std::move(sums)}});

        const auto seeds = static_cast<double>(row.fits.size());
        const bool several = seeds > 1;
        const double scale = several ? 1.0 / std::sqrt(seeds * (seeds - 1)) : 0.0;
        using None = std::vector<Keyed>;
        const double own = several ? between(row.fits) : 0.0;
        const double stretch = own > 0 ? std::sqrt(common.total / own) : 0.0;
        by_seed.push_back(several ? score_deviations(row.fits, scale * stretch) : None());
        by_seed_and_item.push_back(several ? influence_deviations(row.fits, scale * root, product)
                                           : None());
        const auto sets = static_cast<double>(row.resampled.size());
        const bool resampled = sets > 1;
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

        const Population population = resampled                ? Population::training
                                      : several || row.by_seed ? Population::seeds
                                                               : Population::items;
        rows_.push_back({mean_of(row.fits), keys_of(row.fits), keys_of(row.resampled),
                         keys_of(complements), own, common.freedom,
                         several ? std::nullopt : row.by_seed, std::min(population, widest)});
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
}

double Crossed::at(const std::vector<double>& gram, std::size_t a, std::size_t b) const
{
    return gram[a * rows_.size() + b];
}

namespace {

/// A sum of estimated variances, with the degrees of freedom of the sum.
class Sum {
public:
    void add(double value, double freedom, double sign = 1)
    {
        total_ += sign * value;
        if (freedom > 0)
            squares_ += value * value / (freedom + 2);
        most_ += freedom > 0 || value == 0 ? freedom : std::numeric_limits<double>::infinity();
    }
    [[nodiscard]] double total() const { return total_; }
    [[nodiscard]] double freedom_of(double total) const
    {
        return squares_ > 0 ? std::clamp(total * total / squares_ - 2, 1.0, std::max(1.0, most_))
                            : std::numeric_limits<double>::infinity();
    }

private:
    double total_ = 0;
    double squares_ = 0;
    double most_ = 0; ///< what variances that are equal would have together
};

} // namespace

Spread Crossed::spread(std::size_t a, std::optional<std::size_t> b) const
{
    const auto of = [&](const std::vector<double>& gram) {
        return b ? at(gram, a, a) + at(gram, *b, *b) - 2 * at(gram, a, *b) : at(gram, a, a);
    };
    Population population = rows_[a].population;
    std::vector<const Row*> sides{&rows_[a]};
    if (b) {
        sides.push_back(&rows_[*b]);
        population = std::min(population, rows_[*b].population);
    }
    Sum sum;
    const auto fits = static_cast<double>(rows_[a].seeds.size());
    const double items = of(by_item_) + (b ? least_ / fits : 0.0);
    // Of one share the variance by items is known to be p (1 - p) / n.
    sum.add(items, b || least_ == 0 ? items_freedom_ : 0.0);

    // The seeds of the two rows vary together where they are the same, and else on their own.
    const auto freedom = [&](auto member, double both) {
        const auto freedom_of = [&](const Row& row) {
            return member == &Row::seeds ? row.seeds_freedom
                                         : static_cast<double>((row.*member).size()) - 1;
        };
        if (b && sides[0]->*member != sides[1]->*member) {
            Sum apart;
            for (std::size_t side = 0; side < 2; ++side) {
                const std::size_t row = side == 0 ? a : *b;
                apart.add(at(member == &Row::seeds ? seeds_ : training_, row, row),
                          freedom_of(*sides[side]));
            }
            return apart.freedom_of(both);
        }
        return freedom_of(*sides[0]);
    };
    double seeds = 0;
    const double between_seeds = population >= Population::seeds ? of(seeds_) : 0.0;
    double at_least = 0; // what two fits that differ by their seeds alone differ by
    if (population >= Population::seeds) {
        seeds = between_seeds;
        const double shared = of(seeds_and_items_);
        const double by_seed = seeds > 0 ? freedom(&Row::seeds, seeds) : 0;
        if (population == Population::seeds) {
            sum.add(seeds, by_seed);
            sum.add(shared, by_seed * items_freedom_, -1);
            for (const Row* side : sides)
                if (side->by_seed) {
                    sum.add(side->by_seed->beside_items, side->by_seed->freedom);
                    at_least += side->by_seed->total;
                }
        }
        seeds -= shared; // what of it is not in the items' share
    }
    if (population == Population::training) {
        std::optional<double> luck = 0.0; // of the seeds, in the means over them
        for (const Row* side : sides)
            if (side->seeds.size() < 2)
                luck = luck && side->by_seed ? std::optional(*luck + side->by_seed->beside_items)
                                             : std::nullopt;
        if (luck)
            *luck += std::max(0.0, seeds);
        const double training = of(training_) - of(training_and_items_);
        const double complements = of(complements_) - of(complements_and_items_);
        const bool paired =
            luck && !rows_[a].complements.empty() && (!b || !rows_[*b].complements.empty());
        const double rest = paired ? std::max(2 * complements - training, training / 3) + *luck
                                   : std::max({0.0, seeds, training - (fits - 1) * seeds});
        const double by_set = freedom(&Row::training, of(training_));
        sum.add(rest, paired ? std::max(1.0, (by_set + 1) / 2) : by_set);
    }
    // Subtracting can leave next to nothing, which no estimate can mean.
    const double total = std::max({sum.total(), at_least, 0.1 * std::max(items, between_seeds)});
    return {std::sqrt(std::max(0.0, total)), sum.freedom_of(total), population};
}

Spread Crossed::of_score(std::size_t row) const
{
    return spread(row, std::nullopt);
}

Spread Crossed::of_difference(std::size_t a, std::size_t b) const
{
    return spread(a, b);
}

double Crossed::item_deviation(std::size_t a, std::size_t b) const
{
    const double variance = at(by_item_, a, a) + at(by_item_, b, b) - 2 * at(by_item_, a, b);
    return std::sqrt(std::max(0.0, variance) * items_);
}

std::optional<SeedVariance> Crossed::by_seed(std::size_t row) const
{
    const auto seeds = static_cast<double>(rows_[row].seeds.size());
    if (seeds < 2)
        return std::nullopt;
    const double total = rows_[row].between_seeds;
    const double with_items = seeds * at(seeds_and_items_, row, row);
    return SeedVariance{total, std::max(0.0, total - with_items), seeds - 1};
}

std::vector<double> Crossed::covariance() const
{
    // By the variances of scores and of differences: cov = (var a + var b - var (a - b)) / 2.
    const std::size_t count = rows_.size();
    std::vector<double> result(count * count);
    std::vector<double> variance;
    for (std::size_t row = 0; row < count; ++row) {
        const double error = of_score(row).standard_error;
        variance.push_back(error * error);
        result[row * count + row] = error * error;
    }
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b) {
            const double error = of_difference(a, b).standard_error;
            const double shared = (variance[a] + variance[b] - error * error) / 2;
            result[a * count + b] = shared;
            result[b * count + a] = shared;
        }
    return result;
}

} // namespace senteval::stats
