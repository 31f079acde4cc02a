#include "stats/beside_seeds.hpp"

#include "stats/variance_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace senteval::stats {
namespace {

constexpr std::size_t fewest_seeds = 3;

/// A direction over the items.
struct Direction {
    Direction(Column direction, const Products& product)
        : column(std::move(direction)), spread(product.spread_out(column, product.sums(column)))
    {
        square = dot(column, spread);
        if (!(square > 0))
            return;
        Column shares = column;
        for (std::size_t item = 0; item < shares.size(); ++item)
            shares[item] *= spread[item] / square;
        by_others = product.spread_out(shares, product.sums(shares));
        constexpr double most = 0.99; // one item is the direction: the others make no line
        for (std::size_t item = 0; item < shares.size(); ++item)
            by_others[item] = spread[item] / (1 - std::clamp(by_others[item], 0.0, most));
    }

    /// Product of a column with it.
    [[nodiscard]] double along(const Column& of) const { return dot(of, spread); }

    /// Of the square of what goes along the true direction, the share that goes along this one, which few seeds show.
    [[nodiscard]] double shown() const
    {
        constexpr double least = 0.5; // the noise is a guess itself
        return std::max(least, 1 - noise / square);
    }

    Column column;
    Column spread; ///< see Products::spread_out()
    double square = 0;
    double noise = 0; ///< of the square
    Column
        by_others; ///< the same, larger where an item makes much of the direction, with those that it hangs together with
};

double square_of(const Keyed& influence, const Products& product)
{
    return product(influence.column, influence.column, influence.sums, influence.sums);
}

double sum_of_squares(const SeedDeviations& row, const Products& product)
{
    double sum = 0;
    for (const Keyed& luck : row.influences)
        sum += square_of(luck, product);
    return sum;
}

/// In which the row's items go along with its score from seed to seed.
std::optional<Direction> direction_of(const SeedDeviations& row, const Products& product)
{
    if (row.seeds() < fewest_seeds)
        return std::nullopt;
    Column direction(row.mean.column.size());
    for (std::size_t seed = 0; seed < row.seeds(); ++seed)
        for (std::size_t item = 0; item < direction.size(); ++item)
            direction[item] += row.scores[seed] * row.influences[seed].column[item];
    Direction made(std::move(direction), product);
    if (!(made.square > 0))
        return std::nullopt;
    // By what the influences have beside the line that goes through them.
    const double scores =
        std::inner_product(row.scores.begin(), row.scores.end(), row.scores.begin(), 0.0);
    const double beside_line = sum_of_squares(row, product) - made.square / scores;
    made.noise = scores * std::max(0.0, beside_line) / (static_cast<double>(row.seeds()) - 2);
    return made;
}

/// What the second has beside the first; nothing where that is none.
std::optional<Direction> beside(const std::optional<Direction>& first,
                                const std::optional<Direction>& second,
                                const Products& product)
{
    if (!first || !second)
        return second;
    const double share = first->along(second->column) / first->square;
    Column rest = second->column;
    for (std::size_t item = 0; item < rest.size(); ++item)
        rest[item] -= share * first->column[item];
    Direction direction(std::move(rest), product);
    direction.noise = second->noise;
    return direction.square > 1e-9 * second->square ? std::optional(std::move(direction))
                                                    : std::nullopt;
}

/// Sum of the squares of what each item, with those that hang together with it, has along the direction, by its distance
/// from the line that the other items make: what all of them share along it is one number, and says nothing of each.
double by_item(const Column& column, const Direction& direction, const Products& product)
{
    const double slope = direction.along(column) / direction.square;
    Column along = column;
    for (std::size_t item = 0; item < along.size(); ++item)
        along[item] = (column[item] - slope * direction.column[item]) * direction.by_others[item];
    const Column sums = product.sums(along);
    return product(along, along, sums, sums);
}

/// What is known of a sum of luck and chance along a direction: variances, and the degrees of freedom of that of luck.
struct LuckAndChance {
    double luck = 0;
    double freedom = 0;
    double chance = 0;

    /// Square of the luck where that of the sum was observed, on average. Where far more was observed than both make,
    /// encoders differ along the direction, and it is what luck always is: from 16 times as much on, of however few seeds
    /// (by the odds of a sum of any size against a normal one, which alone would ask for 50 times of three seeds each).
    /// What is not taken off widens an interval, what is wrongly taken off is a false verdict.
    [[nodiscard]] double luck_in(double observed) const
    {
        if (!(luck > 0))
            return 0;
        constexpr double even_at = 16;
        constexpr double steepness = 2; // below, what luck and chance can be is left to them
        const double share = luck / (luck + chance);
        const double odds = std::pow(likelihood_of_any_size(observed / (luck + chance)) /
                                         likelihood_of_any_size(even_at),
                                     steepness);
        const double expected = share * chance + share * share * observed;
        return (expected + odds * luck) / (1 + odds);
    }

    /// Of so many times what luck and chance make, against its likelihood as a sum of them; but for a factor.
    [[nodiscard]] double likelihood_of_any_size(double times) const
    {
        return std::pow(1 + times / freedom, (freedom + 1) / 2) / std::sqrt(std::max(1.0, times));
    }
};

/// A row, and the direction of its seeds.
struct Side {
    const SeedDeviations* row;
    std::optional<Direction> direction;
};

/// Both rows' lucks along a direction, and beside it.
class TwoRows {
public:
    TwoRows(const Side& a, const Side& b, const Products& product)
        : rows_{a.row, b.row},
          product_(product),
          difference_(a.row->mean.column),
          directions_{a.direction, beside(a.direction, b.direction, product)}
    {
        for (std::size_t item = 0; item < difference_.size(); ++item)
            difference_[item] -= b.row->mean.column[item];
    }

    [[nodiscard]] ItemsAndSeeds variances() const
    {
        const Column sums = product_.sums(difference_);
        ItemsAndSeeds result{product_(difference_, difference_, sums, sums), 0};
        std::array<std::array<double, 2>, 2> along{}; // of the lucks of a row, by direction
        std::array<double, 2> rest_of_one{};          // of each row's lucks, by degree of freedom
        for (std::size_t row = 0; row < 2; ++row) {
            double rest = sum_of_squares(*rows_[row], product_);
            for (std::size_t at = 0; at < 2; ++at)
                rest -= along[row][at] = along_direction(row, at);
            // The direction was made of these deviations: one degree of freedom less.
            rest_of_one[row] = std::max(0.0, rest) / (freedom(row) - 1);
            result.shared += rest_of_one[row] * freedom(row);
        }
        for (std::size_t at = 0; at < 2; ++at)
            if (const auto& direction = directions_[at]) {
                VarianceSum luck;
                luck.add(std::max(0.0, along[at][at] - rest_of_one[at]), freedom(at));
                luck.add(along[1 - at][at], freedom(1 - at));
                const double observed = direction->along(difference_);
                result.items -= LuckAndChance{luck.total(), luck.freedom_of(luck.total()),
                                              chance_along(*direction)}
                                    .luck_in(observed * observed / direction->square) /
                                direction->shown();
            }
        result.items = std::max(0.0, result.items);
        return result;
    }

private:
    [[nodiscard]] double freedom(std::size_t row) const
    {
        return static_cast<double>(rows_[row]->seeds()) - 1;
    }

    [[nodiscard]] double along_direction(std::size_t row, std::size_t at) const
    {
        double sum = 0;
        if (const auto& direction = directions_[at])
            for (const Keyed& luck : rows_[row]->influences)
                sum += std::pow(direction->along(luck.column), 2) / direction->square;
        return sum;
    }

    /// Of the items alone.
    [[nodiscard]] double chance_along(const Direction& direction) const
    {
        double sum = by_item(difference_, direction, product_);
        for (const SeedDeviations* row : rows_)
            for (const Keyed& luck : row->influences)
                sum -= by_item(luck.column, direction, product_);
        return std::max(0.0, sum / direction.square);
    }

    std::array<const SeedDeviations*, 2> rows_;
    const Products& product_;
    Column difference_;
    std::array<std::optional<Direction>, 2>
        directions_; ///< of each row; of the second what it has beside the first
};

double along_score_of(const SeedDeviations& row, const Products& product)
{
    if (row.seeds() < fewest_seeds)
        return 0;
    std::vector<double> scores;
    std::vector<double> influences;
    const auto inner = [&](std::size_t a, std::size_t b) {
        const Keyed& first = row.influences[a];
        const Keyed& second = row.influences[b];
        return product(first.column, second.column, first.sums, second.sums);
    };
    std::vector<double> squares;
    for (std::size_t seed = 0; seed < row.seeds(); ++seed)
        squares.push_back(square_of(row.influences[seed], product));
    for (std::size_t a = 0; a < row.seeds(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            scores.push_back(std::pow(row.scores[a] - row.scores[b], 2));
            influences.push_back(squares[a] + squares[b] - 2 * inner(a, b));
        }
    const auto pairs = static_cast<double>(scores.size());
    const double mean_score = std::accumulate(scores.begin(), scores.end(), 0.0) / pairs;
    double both = 0;
    double square = 0;
    for (std::size_t pair = 0; pair < scores.size(); ++pair) {
        both += (scores[pair] - mean_score) * influences[pair];
        square += (scores[pair] - mean_score) * (scores[pair] - mean_score);
    }
    return square > 0 ? std::clamp(both / square, 0.0, 1.0) : 0.0;
}

} // namespace

BesideSeeds::BesideSeeds(const std::vector<SeedDeviations>& rows, const Products& product)
    : rows_(rows.size()), pairs_(rows.size() * rows.size())
{
    std::vector<Side> sides;
    for (const SeedDeviations& row : rows) {
        along_.push_back(along_score_of(row, product));
        sides.push_back({&row, direction_of(row, product)});
    }
    for (std::size_t a = 0; a < rows_; ++a)
        for (std::size_t b = 0; b < a; ++b)
            if (std::min(rows[a].seeds(), rows[b].seeds()) >= fewest_seeds)
                pairs_[a * rows_ + b] = pairs_[b * rows_ + a] =
                    TwoRows(sides[b], sides[a], product).variances();
}

} // namespace senteval::stats
