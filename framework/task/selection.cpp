#include "task/selection.hpp"

#include "core/error.hpp"
#include "core/names.hpp"
#include "text/unicode.hpp"

#include <algorithm>

namespace senteval::task {
namespace {

bool contains(std::span<const std::string> names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_called(const Info& info, std::string_view name)
{
    return name == "all" || name == info.name || contains(info.groups, name);
}

[[noreturn]] void fail_unknown(const Tasks& tasks, const std::string& name)
{
    const std::vector<std::string> groups = groups_of(tasks);
    std::vector<std::string> known = groups;
    for (const auto& task : tasks)
        known.push_back(task->info().name);
    throw core::UsageError("there is no task or group '{}'.{} The groups are {}; 'senteval tasks' "
                           "lists the tasks.",
                           name, core::did_you_mean(name, known), fmt::join(groups, ", "));
}

} // namespace

std::vector<std::string> groups_of(const Tasks& tasks)
{
    std::vector<std::string> groups;
    for (const auto& task : tasks)
        for (const std::string& group : task->info().groups)
            if (!contains(groups, group))
                groups.push_back(group);
    groups.emplace_back("all");
    return groups;
}

std::vector<const Task*> select(const Tasks& tasks, std::span<const std::string> names)
{
    if (names.empty())
        throw core::UsageError("no task is named; 'senteval tasks' lists them");
    for (const std::string& name : names)
        if (std::none_of(tasks.begin(), tasks.end(),
                         [&](const auto& task) { return is_called(task->info(), name); }))
            fail_unknown(tasks, name);
    std::vector<const Task*> selected;
    for (const auto& task : tasks)
        if (std::any_of(names.begin(), names.end(),
                        [&](const auto& name) { return is_called(task->info(), name); }))
            selected.push_back(task.get());
    return selected;
}

std::vector<const Task*> select(const Tasks& tasks, std::string_view comma_separated)
{
    std::vector<std::string> names;
    while (!comma_separated.empty()) {
        const std::size_t comma = comma_separated.find(',');
        if (const auto name = text::strip(comma_separated.substr(0, comma)); !name.empty())
            names.emplace_back(name);
        comma_separated.remove_prefix(comma == std::string_view::npos ? comma_separated.size()
                                                                      : comma + 1);
    }
    return select(tasks, names);
}

} // namespace senteval::task
