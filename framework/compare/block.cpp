#include "compare/block.hpp"

#include <algorithm>
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

/// Into a block without holes: rows, then tasks, that bring none.
void add_what_fits(const std::vector<std::vector<bool>>& present, Block& block)
{
    if (block.rows.empty() || block.tasks.empty())
        return;
    for (std::size_t row = 0; row < present.size(); ++row)
        if (!holds(block.rows, row) && holes_of_row(present, block.tasks, row) == 0)
            block.rows.push_back(row);
    for (std::size_t task = 0; task < present.front().size(); ++task)
        if (!holds(block.tasks, task) && holes_of_task(present, block.rows, task) == 0)
            block.tasks.push_back(task);
    std::sort(block.rows.begin(), block.rows.end());
    std::sort(block.tasks.begin(), block.tasks.end());
}

/// What has the most holes goes first, by the share that is missing: a row among few tasks weighs more. `rows_first`:
/// how much more a row's share counts than a task's.
Block without_holes(const std::vector<std::vector<bool>>& present, double rows_first)
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
        const double row_share =
            static_cast<double>(of_row(*row)) / static_cast<double>(block.tasks.size());
        const double task_share =
            static_cast<double>(of_task(*task)) / static_cast<double>(block.rows.size());
        if (rows_first * row_share >= task_share)
            block.rows.erase(row);
        else
            block.tasks.erase(task);
    }
    add_what_fits(present, block);
    return block;
}

} // namespace

bool holds(const std::vector<std::size_t>& list, std::size_t value)
{
    return std::find(list.begin(), list.end(), value) != list.end();
}

bool is_enough(const Block& block)
{
    return block.rows.size() > 1 && block.tasks.size() > 1;
}

Block complete_block(const std::vector<std::vector<bool>>& present)
{
    // Many rows with few of the tasks would take the tasks from the others, or these the rows.
    Block largest = without_holes(present, 1);
    const auto size = [](const Block& block) {
        return is_enough(block) ? block.rows.size() * block.tasks.size() : 0;
    };
    for (const double rows_first : {3.0, 1e9, 1.0 / 3, 1e-9})
        if (Block block = without_holes(present, rows_first); size(block) > size(largest))
            largest = std::move(block);
    return largest;
}

} // namespace senteval::compare
