#include "compare/across.hpp"

#include "compare/comparison.hpp"
#include "stats/multiple.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace senteval::compare {
namespace {

/// Of the kept rows and tasks.
std::size_t holes_of_row(const std::vector<std::vector<bool>>& present,
                         const std::vector<std::size_t>& tasks,
                         std::size_t row)
{
    return static_cast<std::size_t>(std::count_if(
        tasks.begin(), tasks.end(), [&](std::size_t task) { return !present[row][task]; }));
}

std::size_t holes_of_task(const std::vector<std::vector<bool>>& present,
                          const std::vector<std::size_t>& rows,
                          std::size_t task)
{
    return static_cast<std::size_t>(std::count_if(
        rows.begin(), rows.end(), [&](std::size_t row) { return !present[row][task]; }));
}

/// More is better, in points.
double score_in_points(const TaskComparison& task, std::size_t row)
{
    const double value = task.entries[row].score.value / points(task.metric);
    return task.metric.higher_is_better ? value : -value;
}

/// P-value of "the first is better" by the task's own test, adjusted as there: which pair is asked for
/// was chosen by the same data, and so was the side.
double p_better(const TaskComparison& task, const Judged* judged, const AcrossPair& pair)
{
    if (judged == nullptr)
        return 1;
    const Difference difference = judged->difference(pair.first, pair.second);
    return difference.is_decided() && task.metric.is_better(difference.value, 0)
               ? judged->adjusted(difference.p_value)
               : 1.0;
}

/// Longest runs of rows in the order of their ranks of which no pair is told apart.
std::vector<std::pair<std::size_t, std::size_t>>
groups_of_rows(const std::vector<std::vector<bool>>& different)
{
    std::vector<std::pair<std::size_t, std::size_t>> groups;
    const std::size_t count = different.size();
    for (std::size_t first = 0; first < count; ++first) {
        std::size_t last = first;
        const auto fits = [&](std::size_t next) {
            for (std::size_t member = first; member < next; ++member)
                if (different[member][next])
                    return false;
            return true;
        };
        while (last + 1 < count && fits(last + 1))
            ++last;
        if (last > first && (groups.empty() || groups.back().second < last))
            groups.emplace_back(first, last);
    }
    return groups;
}

} // namespace

Block complete_block(const std::vector<std::vector<bool>>& present)
{
    Block block;
    block.rows.resize(present.size());
    std::iota(block.rows.begin(), block.rows.end(), std::size_t{0});
    block.tasks.resize(present.empty() ? 0 : present.front().size());
    std::iota(block.tasks.begin(), block.tasks.end(), std::size_t{0});
    const auto most = [](const auto& list, auto holes) {
        return std::max_element(list.begin(), list.end(),
                                [&](std::size_t a, std::size_t b) { return holes(a) < holes(b); });
    };
    while (!block.rows.empty() && !block.tasks.empty()) {
        const auto of_row = [&](std::size_t row) {
            return holes_of_row(present, block.tasks, row);
        };
        const auto of_task = [&](std::size_t task) {
            return holes_of_task(present, block.rows, task);
        };
        const auto row = most(block.rows, of_row);
        const auto task = most(block.tasks, of_task);
        if (of_row(*row) == 0)
            break;
        // By the share that is missing: a row among few tasks weighs more.
        const double row_share =
            static_cast<double>(of_row(*row)) / static_cast<double>(block.tasks.size());
        const double task_share =
            static_cast<double>(of_task(*task)) / static_cast<double>(block.rows.size());
        if (row_share >= task_share)
            block.rows.erase(row);
        else
            block.tasks.erase(task);
    }
    return block;
}

AcrossTasks across_tasks(std::span<const TaskComparison> tasks,
                         std::span<const Judged* const> judged,
                         std::span<const std::string> labels,
                         double rope,
                         const stats::Resampling& resampling)
{
    std::vector<std::vector<bool>> present(labels.size(), std::vector<bool>(tasks.size()));
    for (std::size_t row = 0; row < labels.size(); ++row)
        for (std::size_t task = 0; task < tasks.size(); ++task)
            present[row][task] = !std::isnan(tasks[task].entries[row].score.value);
    const Block block = complete_block(present);
    AcrossTasks result;
    result.rope = rope;
    for (std::size_t row = 0; row < labels.size(); ++row)
        if (std::find(block.rows.begin(), block.rows.end(), row) == block.rows.end())
            result.left_out.push_back(labels[row]);
    for (std::size_t task = 0; task < tasks.size(); ++task)
        if (std::find(block.tasks.begin(), block.tasks.end(), task) == block.tasks.end())
            result.left_out.push_back(tasks[task].task);
    if (block.rows.size() < 2 || block.tasks.size() < 2)
        return result;

    std::vector<std::vector<double>> scores;
    for (const std::size_t task : block.tasks) {
        result.tasks.push_back(tasks[task].task);
        scores.emplace_back();
        for (const std::size_t row : block.rows)
            scores.back().push_back(score_in_points(tasks[task], row));
    }
    result.friedman = stats::friedman(scores, resampling);
    std::vector<std::size_t> order(block.rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return result.friedman.mean_ranks[a] < result.friedman.mean_ranks[b];
    });
    for (const std::size_t at : order) {
        result.rows.push_back(block.rows[at]);
        result.mean_ranks.push_back(result.friedman.mean_ranks[at]);
    }

    stats::Resampling draws = resampling; // of which each costs tasks squared
    draws.resamples = std::min<std::size_t>(draws.resamples, 2000);
    std::vector<double> p_values;
    for (std::size_t a = 0; a < order.size(); ++a)
        for (std::size_t b = a + 1; b < order.size(); ++b) {
            AcrossPair pair{result.rows[a], result.rows[b]};
            std::vector<double> differences;
            std::vector<double> one_sided;
            for (std::size_t task = 0; task < block.tasks.size(); ++task) {
                differences.push_back(scores[task][order[a]] - scores[task][order[b]]);
                pair.better_on += differences.back() > 0 ? 1U : 0U;
                if (a == 0)
                    one_sided.push_back(
                        p_better(tasks[block.tasks[task]], judged[block.tasks[task]], pair));
            }
            if (a == 0) {
                pair.replicated_on = stats::replicability(one_sided, level);
                pair.bayesian = stats::bayesian_signed_rank(differences, rope, draws);
            }
            p_values.push_back(stats::wilcoxon(differences));
            result.pairs.push_back(pair);
        }
    const auto adjusted = stats::holm(p_values);
    std::vector<std::vector<bool>> different(order.size(), std::vector<bool>(order.size()));
    std::size_t at = 0;
    for (std::size_t a = 0; a < order.size(); ++a)
        for (std::size_t b = a + 1; b < order.size(); ++b, ++at) {
            // Friedman's test opens the door to those of the pairs; of two encoders there is but one.
            result.pairs[at].p_wilcoxon =
                order.size() > 2 ? std::max(adjusted[at], result.friedman.p_value) : adjusted[at];
            different[a][b] = result.pairs[at].p_wilcoxon <= level;
        }
    result.groups = groups_of_rows(different);
    return result;
}

} // namespace senteval::compare
