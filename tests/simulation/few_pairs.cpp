#include "few_pairs.hpp"

#include "draws.hpp"
#include "made_cells.hpp"

#include "compare/family.hpp"
#include "stats/max_t.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace senteval::test {
namespace {

double noise(stats::CounterStream& random, std::size_t freedom)
{
    const double normal = random.normal();
    double squares = 0;
    for (std::size_t one = 0; one < freedom; ++one)
        squares += std::pow(random.normal(), 2);
    return freedom == 0 ? normal : normal / std::sqrt(squares / static_cast<double>(freedom));
}

/// One task's results.
void add_task(std::size_t rows,
              std::size_t pairs,
              std::size_t freedom,
              std::size_t draw,
              std::vector<run::Cell>& cells)
{
    stats::CounterStream random(seed, draw);
    std::vector<std::pair<double, double>> items(pairs);
    for (auto& [gold, prediction] : items)
        gold = random.normal();
    for (std::size_t row = 0; row < rows; ++row) {
        for (auto& [gold, prediction] : items)
            prediction = gold + noise(random, freedom);
        cells.push_back(
            scored(fmt::format("encoder {}", row), fmt::format("task {:04}", draw), items));
    }
}

/// Of all pairs of the task's rows, judged together.
bool is_some_one_told(const compare::Results& results, std::size_t task, const std::string& metric)
{
    const stats::Resampling resampling;
    const compare::Inference inference(
        results, task, *task::find_metric(results.metrics(task), metric), resampling, {}, true);
    auto judged = compare::Judged::all_pairs(inference, 0, resampling);
    const std::vector<std::vector<compare::Judged*>> tasks = {{&judged}};
    compare::judge(tasks, compare::Family::task, false);
    return std::ranges::any_of(stats::all_pairs(judged.rows().size()), [&](stats::Pair pair) {
        return judged.adjusted(inference.difference(pair.first, pair.second).p_value) <= level;
    });
}

} // namespace

double few_pairs_rejections(std::size_t rows,
                            std::size_t pairs,
                            const std::string& metric,
                            std::size_t freedom,
                            std::size_t draws)
{
    std::vector<run::Cell> cells;
    for (std::size_t draw = 0; draw < draws; ++draw)
        add_task(rows, pairs, freedom, draw, cells);
    const compare::Results results(std::move(cells));
    std::size_t told = 0;
    for (std::size_t task = 0; task < results.tasks().size(); ++task)
        told += is_some_one_told(results, task, metric) ? 1U : 0U;
    return static_cast<double>(told) / static_cast<double>(draws);
}

} // namespace senteval::test
