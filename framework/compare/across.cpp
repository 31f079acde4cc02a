#include "compare/across.hpp"

#include "compare/comparison.hpp"
#include "stats/multiple.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace senteval::compare {
namespace {

/// Two values that are one but for the last places of what they are made of have one rank.
double on_a_grid(double points)
{
    constexpr double steps = 1e9;
    return std::round(points * steps) / steps;
}

/// Whether each row has a value, on the same test items.
bool is_complete(const TaskComparison& task)
{
    return std::ranges::all_of(task.entries, [](const Entry& entry) {
        return entry.has_value() && entry.difference.open != Open::other_items;
    });
}

/// Of the rows, in points; more is better.
std::vector<double> scores_of(const TaskComparison& task)
{
    std::vector<double> scores;
    for (const Entry& entry : task.entries) {
        const double value = entry.score.value / points(task.metric).value_or(1.0);
        scores.push_back(on_a_grid(task.metric.higher_is_better ? value : -value));
    }
    return scores;
}

/// The longest runs of rows of which no two are different.
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

void compare_pairs(const std::vector<std::vector<double>>& scores, AcrossTasks& result)
{
    const std::size_t count = result.rows.size();
    std::vector<double> p_values;
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b) {
            AcrossPair pair{result.rows[a], result.rows[b]};
            std::vector<double> differences;
            for (const std::vector<double>& task : scores) {
                differences.push_back(on_a_grid(task[pair.first] - task[pair.second]));
                pair.better_on += differences.back() > 0 ? 1U : 0U;
            }
            p_values.push_back(stats::wilcoxon(differences));
            result.pairs.push_back(pair);
        }
    const auto adjusted = stats::holm(p_values);
    std::vector<std::vector<bool>> different(count, std::vector<bool>(count));
    std::size_t at = 0;
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b, ++at) {
            result.pairs[at].p_value = adjusted[at];
            different[a][b] = adjusted[at] < level;
        }
    result.groups = groups_of_rows(different);
}

} // namespace

AcrossTasks across_tasks(std::span<const TaskComparison> tasks, std::size_t rows)
{
    AcrossTasks result;
    std::vector<std::vector<double>> scores; // [task][row]
    for (const TaskComparison& task : tasks) {
        const bool is_in = is_complete(task);
        (is_in ? result.tasks : result.left_out).push_back(task.task);
        if (is_in)
            scores.push_back(scores_of(task));
    }
    if (rows < 2 || scores.size() < 2)
        return result;
    result.friedman = stats::friedman(scores);
    result.rows.resize(rows);
    std::iota(result.rows.begin(), result.rows.end(), std::size_t{0});
    std::ranges::stable_sort(result.rows, {},
                             [&](std::size_t row) { return result.friedman.mean_ranks[row]; });
    for (const std::size_t row : result.rows)
        result.mean_ranks.push_back(result.friedman.mean_ranks[row]);
    for (const std::vector<double>& ranks : result.friedman.ranks) {
        auto& in_order = result.ranks.emplace_back();
        for (const std::size_t row : result.rows)
            in_order.push_back(ranks[row]);
    }
    compare_pairs(scores, result);
    return result;
}

} // namespace senteval::compare
