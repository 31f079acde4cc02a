#include "run/inspection.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

namespace senteval::run {

const std::vector<std::string>& Inspection::warnings_of(const task::Task& task,
                                                        const task::DataFolder& data)
{
    const std::string& name = task.info().name;
    const auto [at, is_new] = found_.try_emplace(name);
    Found& found = at->second;
    if (is_new) {
        inspect(task, data, found);
        if (!found.broken && !found.warnings.empty())
            observer_.warned_of_data(name, found.warnings);
    }
    if (found.broken)
        std::rethrow_exception(found.broken);
    return found.warnings;
}

void Inspection::inspect(const task::Task& task, const task::DataFolder& data, Found& found) const
{
    try {
        if (inspect_)
            found.warnings = inspect_(task, data);
    } catch (const base::Error&) {
        found.broken = std::current_exception();
    }
    const auto& read = data.data_warnings();
    found.warnings.insert(found.warnings.end(), read.begin(), read.end());
    if (data.limit() > 0)
        found.warnings.push_back(fmt::format(
            "at most {} items of each part were taken (--limit): a smoke run", data.limit()));
}

} // namespace senteval::run
