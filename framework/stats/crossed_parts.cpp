// crossed_parts.cpp -- what variances are made of.
#include "stats/crossed.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::stats {

Spread Crossed::beside_items(std::size_t a, std::size_t b) const
{
    const Population drawn = population(a, b);
    const bool by_training = drawn == Population::training;
    const Gram& gram = by_training ? training_.scores : seeds_.scores;
    VarianceSum sum;
    for (const std::size_t at_row : {a, b}) {
        const Row& row = rows_[at_row];
        if (by_training)
            sum.add(gram(at_row, at_row), static_cast<double>(row.training.size()) - 1);
        else if (drawn == Population::seeds && row.by_seed)
            sum.add(row.by_seed->total, row.by_seed->freedom);
        else if (drawn == Population::seeds)
            sum.add(gram(at_row, at_row), row.seeds_freedom);
    }
    const double variance = std::max(0.0, sum.total() - 2 * gram(a, b));
    return {std::sqrt(variance), sum.freedom_of(sum.total()), drawn};
}

double Crossed::item_deviation(std::size_t a, std::size_t b) const
{
    return std::sqrt(std::max(rounding_of(a, b), by_item_.square(a, b)) * items_);
}

std::optional<SeedVariance> Crossed::by_seed(std::size_t row) const
{
    const auto seeds = static_cast<double>(rows_[row].seeds);
    if (!rows_[row].tells_of_seeds())
        return std::nullopt;
    const double total = rows_[row].between_seeds;
    const double with_items = seeds * seeds_.with_items(row, row);
    return SeedVariance{total, total - with_items, seeds - 1,
                        std::min(1.0, beside_seeds_.along_score(row))};
}

std::optional<double> Crossed::by_training_set(std::size_t row) const
{
    if (rows_[row].complements.empty())
        return std::nullopt;
    const double in_a_test = 1 + 1 / static_cast<double>(rows_[row].training.size());
    return between_sets(training_.scores(row, row), complements_.scores(row, row)) / in_a_test;
}

} // namespace senteval::stats
