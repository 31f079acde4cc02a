#include "few_seeds.hpp"

#include "draws.hpp"
#include "nulls.hpp"

#include "compare/seed_table.hpp"
#include "stats/max_t.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace senteval::test {
namespace {

void add(const Rows& kind, stats::CounterStream& random, std::vector<stats::Scored>& rows)
{
    for (std::size_t row = 0; row < kind.count; ++row) {
        std::vector<double> items(200);
        for (double& value : items)
            value = 0.05 * random.normal() / std::sqrt(200.0);
        stats::Scored& scored = rows.emplace_back();
        for (std::size_t fit = 0; fit < kind.seeds; ++fit)
            scored.fits.push_back({fit, std::sqrt(kind.variance) * random.normal(), items});
    }
}

/// Of one seed, by the rows that have several: all that a comparison knows.
void learn(std::vector<stats::Scored>& rows)
{
    std::vector<compare::MeasuredEncoder> others;
    for (const stats::Scored& row : rows)
        if (row.fits.size() > 1)
            others.push_back({{}, 0, *stats::Crossed({&row, 1}, {}, false).by_seed(0)});
    for (stats::Scored& row : rows)
        if (row.fits.size() == 1)
            row.by_seed = compare::seed_table().expected(nullptr, others, 0);
}

} // namespace

double few_seeds_rejections(const Rows& some, const Rows& others, std::size_t draws)
{
    std::size_t told = 0;
    for (std::size_t draw = 0; draw < draws; ++draw) {
        stats::CounterStream random(seed, draw);
        std::vector<stats::Scored> rows;
        add(some, random, rows);
        add(others, random, rows);
        learn(rows);
        const stats::Crossed crossed(rows, {}, false);
        stats::Resampling options;
        options.resamples = 2000;
        options.seed = draw;
        double least = 1;
        for (const stats::Pair& pair : stats::all_pairs(rows.size()))
            least = std::min(least, p_of(crossed, pair.first, pair.second));
        told += smallest_p(crossed, options).adjusted(least) <= level ? 1U : 0U;
    }
    return static_cast<double>(told) / static_cast<double>(draws);
}

} // namespace senteval::test
