#include "stats/beside_seeds.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace senteval::stats {
namespace {

constexpr std::size_t fewest_seeds = 3;

} // namespace

BesideSeeds::BesideSeeds(std::vector<SeedDeviations> rows, const Products& product)
    : rows_(std::move(rows))
{
    std::vector<const Keyed*> columns;
    for (const SeedDeviations& row : rows_) {
        first_.push_back(columns.size());
        columns.push_back(&row.mean);
        for (const Keyed& influence : row.influences)
            columns.push_back(&influence);
    }
    columns_ = columns.size();
    gram_.resize(columns_ * columns_);
    for (std::size_t a = 0; a < columns_; ++a)
        for (std::size_t b = a; b < columns_; ++b) {
            const double sum =
                product(columns[a]->column, columns[b]->column, columns[a]->sums, columns[b]->sums);
            gram_[a * columns_ + b] = sum;
            gram_[b * columns_ + a] = sum;
        }
    for (SeedDeviations& row : rows_) { // they are in the products now
        row.mean = {};
        for (Keyed& influence : row.influences)
            influence = {};
    }
}

double BesideSeeds::inner(const Vector& a, const Vector& b) const
{
    double sum = 0;
    for (const auto& [i, of_a] : a)
        for (const auto& [j, of_b] : b)
            sum += of_a * of_b * gram_[i * columns_ + j];
    return sum;
}

std::optional<ItemsAndSeeds> BesideSeeds::of_difference(std::size_t a, std::size_t b) const
{
    for (const std::size_t row : {a, b})
        if (rows_[row].seeds.size() < fewest_seeds)
            return std::nullopt;
    std::vector<std::vector<Vector>> lucks; // what each seed does to its row
    std::vector<Vector> directions;
    for (const std::size_t row : {a, b}) {
        auto& luck = lucks.emplace_back();
        auto& direction = directions.emplace_back();
        for (std::size_t seed = 0; seed < rows_[row].seeds.size(); ++seed) {
            luck.emplace_back(Vector{{first_[row] + 1 + seed, 1.0}});
            direction.emplace_back(first_[row] + 1 + seed, rows_[row].scores[seed]);
        }
    }
    make_orthogonal(directions[0], directions[1]);
    const auto beside = [&](const Vector& of) {
        double rest = inner(of, of);
        for (const Vector& direction : directions)
            if (const double square = inner(direction, direction); square > 0) {
                const double along = inner(of, direction);
                rest -= along * along / square;
            }
        return std::max(0.0, rest);
    };
    ItemsAndSeeds result;
    result.items = beside({{first_[a], 1.0}, {first_[b], -1.0}});
    for (const auto& luck : lucks) {
        // The direction was made of these deviations: one degree of freedom less.
        const auto seeds = static_cast<double>(luck.size());
        for (const Vector& one : luck)
            result.shared += beside(one) * (seeds - 1) / (seeds - 2);
    }
    return result;
}

double BesideSeeds::along_score(std::size_t row) const
{
    const SeedDeviations& own = rows_[row];
    if (own.seeds.size() < fewest_seeds)
        return 0;
    std::vector<double> scores;
    std::vector<double> influences;
    for (std::size_t a = 0; a < own.seeds.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
            const double apart = own.scores[a] - own.scores[b];
            const Vector difference{{first_[row] + 1 + a, 1.0}, {first_[row] + 1 + b, -1.0}};
            scores.push_back(apart * apart);
            influences.push_back(inner(difference, difference));
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

/// Takes off the second what it has of the first.
void BesideSeeds::make_orthogonal(const Vector& first, Vector& second) const
{
    const double square = inner(first, first);
    const double whole = inner(second, second);
    if (!(square > 0) || !(whole > 0))
        return;
    const double share = inner(first, second) / square;
    for (const auto& [at, value] : first)
        second.emplace_back(at, -share * value);
    if (inner(second, second) <= 1e-9 * whole)
        second.clear(); // the same
}

} // namespace senteval::stats
