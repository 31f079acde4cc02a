#include "compare/across.hpp"

#include "compare/block.hpp"
#include "compare/comparison.hpp"
#include "stats/multiple.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace senteval::compare {
namespace {

/// Two differences that are one but for the last places of what they are made of have one rank.
double on_a_grid(double points)
{
    constexpr double steps = 1e9;
    return std::round(points * steps) / steps;
}

/// More is better, in points.
double score_in_points(const TaskComparison& task, std::size_t row)
{
    const double value = task.entries[row].score.value / points(task.metric).value_or(1.0);
    return on_a_grid(task.metric.higher_is_better ? value : -value);
}

/// The first row of the block whose results on the task are this row's but for rounding, which is no rank.
std::size_t
first_of_same(const TaskComparison& task, const std::vector<std::size_t>& rows, std::size_t row)
{
    for (const std::size_t other : rows)
        for (const auto& pair : task.same_scores)
            if (pair.first == other && pair.second == row)
                return other;
    return row;
}

/// Of the task's sets of rows the one that both are in; nullptr: there is none, and no comparison of them.
const Judged* set_of(std::span<const Judged> sets, const AcrossPair& pair)
{
    const auto at = std::ranges::find_if(sets, [&](const Judged& judged) {
        return std::ranges::count(judged.rows(), pair.first) > 0 &&
               std::ranges::count(judged.rows(), pair.second) > 0;
    });
    return at == sets.end() ? nullptr : &*at;
}

bool is_decided(std::span<const Judged> sets, const AcrossPair& pair)
{
    const Judged* judged = set_of(sets, pair);
    return judged != nullptr && judged->difference(pair.first, pair.second).is_decided();
}

/// P-value of "the first is better" by the task's own test, adjusted as there: which pair is asked for
/// was chosen by the same data, and so was the side.
double p_better(const task::Metric& metric, std::span<const Judged> sets, const AcrossPair& pair)
{
    const Judged* judged = set_of(sets, pair);
    if (judged == nullptr)
        return 1;
    const Difference difference = judged->difference(pair.first, pair.second);
    return difference.is_decided() && metric.is_better(difference.value, 0)
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

/// The largest block of rows that can be compared with one of them, and so with each other, on all of
/// its tasks; empty where none is enough.
Block comparable_block(std::span<const std::span<const Judged>> judged, std::size_t rows)
{
    Block largest;
    for (std::size_t one = 0; one < rows; ++one) {
        std::vector<std::vector<bool>> present(rows, std::vector<bool>(judged.size()));
        for (std::size_t task = 0; task < judged.size(); ++task)
            if (!judged[task].empty())
                for (const std::size_t row : judged[task].front().inference().comparable_with(one))
                    present[row][task] = true;
        Block block = complete_block(present);
        if (is_enough(block) &&
            block.rows.size() * block.tasks.size() > largest.rows.size() * largest.tasks.size())
            largest = std::move(block);
    }
    return largest;
}

/// Why the row cannot be ranked on the task, whatever the others; empty where it can.
std::string own_obstacle(const TaskComparison& task, std::size_t row)
{
    const Score& score = task.entries[row].score;
    if (!std::isnan(score.value))
        return "";
    return score.seeds > 0 ? "undefined" : "no result";
}

/// Why it cannot be ranked with the other; empty where it can, or the reason is the other's own.
std::string obstacle(const TaskComparison& task,
                     std::span<const Judged> sets,
                     std::size_t row,
                     std::size_t other)
{
    auto own = own_obstacle(task, row);
    return !own.empty() || !own_obstacle(task, other).empty()
               ? own
               : sets.front().inference().difference(row, other).not_comparable;
}

/// Where something does not fit, by reason.
using Obstacles = std::map<std::string, std::vector<std::string>>;

/// "other test items: CR, MR; no result: TREC"
std::string described(const Obstacles& obstacles, const char* kind)
{
    std::vector<std::string> parts;
    for (const auto& [reason, names] : obstacles)
        parts.push_back(names.size() <= 3 ? fmt::format("{}: {}", reason, fmt::join(names, ", "))
                                          : fmt::format("{}: {} {}", reason, names.size(), kind));
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// Rows and tasks that are not in the block, and why; without one what keeps the rows from the first.
std::vector<LeftOut> left_out_of(const Block& block,
                                 std::span<const TaskComparison> tasks,
                                 std::span<const std::span<const Judged>> judged,
                                 std::span<const std::string> labels)
{
    std::vector<LeftOut> left_out;
    const bool is_any = is_enough(block);
    const std::size_t member = is_any ? block.rows.front() : 0;
    for (std::size_t row = 0; row < labels.size(); ++row) {
        if (is_any && holds(block.rows, row))
            continue;
        Obstacles obstacles;
        for (std::size_t task = 0; task < tasks.size(); ++task)
            if (!is_any || holds(block.tasks, task))
                if (auto reason = obstacle(tasks[task], judged[task], row, member); !reason.empty())
                    obstacles[reason].push_back(tasks[task].task);
        if (!obstacles.empty())
            left_out.push_back({labels[row], described(obstacles, "tasks"), true,
                                is_any || row == member ? "" : labels[member]});
    }
    for (std::size_t task = 0; is_any && task < tasks.size(); ++task) {
        if (holds(block.tasks, task))
            continue;
        Obstacles obstacles;
        for (const std::size_t row : block.rows) {
            const std::size_t other = row == member ? block.rows.back() : member;
            if (auto reason = obstacle(tasks[task], judged[task], row, other); !reason.empty())
                obstacles[reason].push_back(labels[row]);
        }
        left_out.push_back({tasks[task].task, described(obstacles, "encoders"), false});
    }
    return left_out;
}

/// More is better, in points: [task][row], by places in the block.
std::vector<std::vector<double>> scores_of(const Block& block,
                                           std::span<const TaskComparison> tasks)
{
    std::vector<std::vector<double>> scores;
    for (const std::size_t task : block.tasks) {
        scores.emplace_back();
        for (const std::size_t row : block.rows)
            scores.back().push_back(
                score_in_points(tasks[task], first_of_same(tasks[task], block.rows, row)));
    }
    return scores;
}

/// What is to be said of the block's tasks.
void note_tasks(const Block& block, std::span<const TaskComparison> tasks, AcrossTasks& result)
{
    for (const std::size_t task : block.tasks) {
        result.tasks.push_back(tasks[task].task);
        result.in_points = result.in_points && points(tasks[task].metric).has_value();
        result.doubtful.push_back(std::ranges::any_of(
            block.rows, [&](std::size_t row) { return !tasks[task].entries[row].doubts.empty(); }));
    }
}

/// On which tasks the rows have none.
void note_verdicts(const Block& block,
                   std::span<const std::span<const Judged>> judged,
                   AcrossTasks& result)
{
    result.row_without_verdict.resize(result.rows.size());
    for (std::size_t at = 0; at < block.tasks.size(); ++at) {
        std::vector<std::size_t> with; // rows
        for (const AcrossPair& pair : result.pairs)
            if (is_decided(judged[block.tasks[at]], pair))
                with.insert(with.end(), {pair.first, pair.second});
        if (with.empty())
            result.without_verdict.push_back(result.tasks[at]);
        else
            for (std::size_t row = 0; row < result.rows.size(); ++row)
                if (!holds(with, result.rows[row]))
                    result.row_without_verdict[row].push_back(result.tasks[at]);
    }
}

/// Rows and ranks by mean rank. Returns the order: places in the block.
std::vector<std::size_t> rank_rows(const Block& block, AcrossTasks& result)
{
    std::vector<std::size_t> order(block.rows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {},
                             [&](std::size_t at) { return result.friedman.mean_ranks[at]; });
    result.ranks.resize(block.tasks.size());
    for (const std::size_t at : order) {
        result.rows.push_back(block.rows[at]);
        result.mean_ranks.push_back(result.friedman.mean_ranks[at]);
        for (std::size_t task = 0; task < block.tasks.size(); ++task)
            result.ranks[task].push_back(result.friedman.ranks[task][at]);
    }
    return order;
}

/// Friedman's test opens the door to those of the pairs; of two encoders there is but one.
void judge_pairs(std::span<const double> p_values, AcrossTasks& result)
{
    const auto adjusted = stats::holm(p_values);
    const std::size_t rows = result.rows.size();
    std::vector<std::vector<bool>> different(rows, std::vector<bool>(rows));
    std::size_t at = 0;
    for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t b = a + 1; b < rows; ++b, ++at) {
            AcrossPair& pair = result.pairs[at];
            pair.p_wilcoxon = adjusted[at];
            pair.p_value =
                rows > 2 ? std::max(adjusted[at], result.friedman.p_value) : adjusted[at];
            different[a][b] = pair.p_value <= level;
        }
    result.groups = groups_of_rows(different);
    for (std::size_t a = 0; a < rows; ++a)
        for (std::size_t b = a + 1; b < rows; ++b)
            if (!different[a][b] && std::ranges::none_of(result.groups, [&](const auto& group) {
                    return group.first <= a && b <= group.second;
                }))
                result.without_bar.emplace_back(a, b);
}

} // namespace

AcrossTasks across_tasks(std::span<const TaskComparison> tasks,
                         std::span<const std::span<const Judged>> judged,
                         std::span<const std::string> labels,
                         double rope,
                         const stats::Resampling& resampling)
{
    const Block block = comparable_block(judged, labels.size());
    AcrossTasks result;
    result.rope = rope;
    result.left_out = left_out_of(block, tasks, judged, labels);
    if (!is_enough(block))
        return result;
    const auto scores = scores_of(block, tasks);
    note_tasks(block, tasks, result);
    result.friedman = stats::friedman(scores, resampling);
    const auto order = rank_rows(block, result);

    stats::Resampling draws = resampling; // of which each costs tasks squared
    draws.resamples = std::min<std::size_t>(draws.resamples, 2000);
    std::vector<double> p_values;
    for (std::size_t a = 0; a < order.size(); ++a)
        for (std::size_t b = a + 1; b < order.size(); ++b) {
            AcrossPair pair{result.rows[a], result.rows[b]};
            std::vector<double> differences;
            std::vector<double> one_sided;
            for (std::size_t at = 0; at < block.tasks.size(); ++at) {
                const std::size_t task = block.tasks[at];
                differences.push_back(on_a_grid(scores[at][order[a]] - scores[at][order[b]]));
                pair.better_on += differences.back() > 0 ? 1U : 0U;
                one_sided.push_back(p_better(tasks[task].metric, judged[task], pair));
            }
            pair.replicated_on = stats::replicability(one_sided, level);
            if (a == 0)
                pair.bayesian = stats::bayesian_signed_rank(differences, rope, draws);
            p_values.push_back(stats::wilcoxon(differences));
            result.pairs.push_back(pair);
        }
    judge_pairs(p_values, result);
    note_verdicts(block, judged, result);
    return result;
}

} // namespace senteval::compare
