// The tasks and rows of the results that are shown, and their order.
#include "base/error.hpp"
#include "base/names.hpp"
#include "compare/results.hpp"
#include "compare/row_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace senteval::compare {
namespace {

/// Throws where a pattern matches none of the names, of whatever is said to have none.
void check_patterns(std::string_view option,
                    std::string_view owner,
                    std::span<const std::string> patterns,
                    const std::vector<std::string>& names)
{
    for (const std::string& pattern : patterns)
        if (std::none_of(names.begin(), names.end(),
                         [&](const auto& name) { return base::matches(name, pattern); }))
            throw base::UsageError("{}: {} have no '{}'.{} There are: {}", option, owner, pattern,
                                   base::did_you_mean(pattern, names), fmt::join(names, ", "));
}

bool matches_any(const std::string& name, std::span<const std::string> patterns)
{
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return base::matches(name, pattern); });
}

} // namespace

void Results::order_tasks(std::span<const std::string> names)
{
    std::vector<std::size_t> order(tasks_.size());
    for (std::size_t task = 0; task < order.size(); ++task)
        order[task] = task;
    const auto rank = [&](std::size_t task) {
        return std::find(names.begin(), names.end(), tasks_[task]) - names.begin();
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    arrange(order);
}

void Results::order_rows(std::span<const std::string> patterns)
{
    order_.assign(patterns.begin(), patterns.end());
    show();
}

std::vector<std::string> Results::names_of(std::size_t task) const
{
    return parts_[task].names(tasks_[task]);
}

void Results::keep_tasks(std::span<const std::string> patterns)
{
    if (patterns.empty())
        return;
    const bool are_of_all = std::ranges::all_of(cells_, [&](const results::Cell& cell) {
        return std::ranges::find(tasks_, cell.result.task.name) != tasks_.end();
    });
    std::vector<std::string> names;
    std::vector<std::size_t> kept;
    for (std::size_t task = 0; task < tasks_.size(); ++task) {
        const auto its = names_of(task);
        add_distinct(its, names);
        if (std::ranges::any_of(its, [&](const auto& name) { return matches_any(name, patterns); }))
            kept.push_back(task);
    }
    check_patterns("--tasks", are_of_all ? "the results" : "the results of these encoders",
                   patterns, names);
    arrange(kept);
    std::vector<std::string> left_out;
    for (const Row& row : kept_)
        if (std::ranges::all_of(row.tasks, [](const Runs& runs) { return runs.empty(); }))
            left_out.push_back(row.label);
    if (!left_out.empty())
        notes_.push_back({fmt::format("Left out: {}, without a result of {}.",
                                      fmt::join(left_out, ", "), fmt::join(tasks_, ", "))});
}

void Results::keep_encoders(std::span<const std::string> lists)
{
    if (lists.empty())
        return;
    std::vector<std::string> names;
    for (const Row& row : kept_)
        for (const std::string& name : {row.label, row.encoder})
            if (std::find(names.begin(), names.end(), name) == names.end())
                names.push_back(name);
    const auto patterns = base::names_in(lists, names);
    check_patterns("--encoders", "the results", patterns, names);
    std::erase_if(kept_, [&](const Row& row) {
        return !matches_any(row.label, patterns) && !matches_any(row.encoder, patterns);
    });
    order_ = patterns;
    std::vector<std::size_t> kept; // tasks of which a row has results
    for (std::size_t task = 0; task < tasks_.size(); ++task)
        if (std::any_of(kept_.begin(), kept_.end(),
                        [&](const Row& row) { return !row.tasks[task].empty(); }))
            kept.push_back(task);
    arrange(kept);
}

void Results::arrange(const std::vector<std::size_t>& tasks)
{
    const auto rearrange = [&](auto& list) {
        std::remove_reference_t<decltype(list)> chosen;
        for (const std::size_t task : tasks)
            chosen.push_back(list[task]);
        list = std::move(chosen);
    };
    for (Row& row : kept_) {
        rearrange(row.tasks);
        rearrange(row.resampled);
    }
    rearrange(tasks_);
    rearrange(parts_);
    rearrange(metrics_);
    show();
}

} // namespace senteval::compare
