#include "task/selection.hpp"

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/unicode.hpp"

#include <algorithm>
#include <iterator>

namespace senteval::task {
namespace {

bool contains(std::span<const std::string> names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a name or pattern, as somebody wrote it, stands for the task.
bool is_called(const Info& info, const std::string& name)
{
    const std::string wanted = base::folded(name);
    const auto is_wanted = [&](const std::string& known) { return base::folded(known) == wanted; };
    return wanted == "all" || base::matches(base::folded(info.name), wanted) ||
           std::ranges::any_of(info.groups, is_wanted) ||
           std::ranges::any_of(info.aliases, is_wanted);
}

bool is_after_mteb(const Info& info)
{
    return contains(info.groups, "mteb");
}

/// A pattern such as 'STS*' means SentEval's tasks; those after MTEB where it fits no others.
bool is_pattern_of_others(const Tasks& tasks, const std::string& name)
{
    return name.find_first_of("*?") != std::string::npos &&
           std::ranges::any_of(tasks, [&](const auto& task) {
               return is_called(task->info(), name) && !is_after_mteb(task->info());
           });
}

bool is_known(const Tasks& tasks, const std::string& name)
{
    return std::ranges::any_of(tasks,
                               [&](const auto& task) { return is_called(task->info(), name); });
}

std::vector<std::string> split(std::string_view text, std::string_view separators)
{
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        if (const auto part = base::strip(text.substr(0, end)); !part.empty())
            parts.emplace_back(part);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

[[noreturn]] void fail_unknown(const Tasks& tasks, const std::string& name)
{
    const std::vector<std::string> groups = groups_of(tasks);
    std::vector<std::string> known = groups;
    for (const auto& task : tasks) {
        known.push_back(task->info().name);
        std::ranges::copy(task->info().aliases, std::back_inserter(known));
    }
    throw base::UsageError("there is no task or group '{}'.{} The groups are {}; 'senteval tasks' "
                           "lists the tasks; before a name of MTEB's stands 'mteb:'.",
                           name, base::did_you_mean(name, known), fmt::join(groups, ", "));
}

/// The names that a user wrote, separated by commas or, where that gives no name, by blanks.
std::vector<std::string> single_names(const Tasks& tasks, std::span<const std::string> written)
{
    std::vector<std::string> names;
    for (const std::string& text : written)
        for (const std::string& name : is_known(tasks, text) ? std::vector{text} : split(text, ","))
            for (const std::string& one :
                 is_known(tasks, name) ? std::vector{name} : split(name, " \t\r\n"))
                if (is_known(tasks, one))
                    names.push_back(one);
                else
                    fail_unknown(tasks, name);
    return names;
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

std::vector<const Task*> select(const Tasks& tasks, std::span<const std::string> written)
{
    const auto names = single_names(tasks, written);
    if (names.empty())
        throw base::UsageError("no task is named; 'senteval tasks' lists them");
    std::vector<const Task*> selected;
    for (const auto& task : tasks)
        if (std::ranges::any_of(names, [&](const std::string& name) {
                return is_called(task->info(), name) &&
                       (!is_after_mteb(task->info()) || !is_pattern_of_others(tasks, name));
            }))
            selected.push_back(task.get());
    return selected;
}

std::vector<const Task*> select(const Tasks& tasks, std::string_view written)
{
    const std::string all(written);
    return select(tasks, {&all, 1});
}

} // namespace senteval::task
