#include "run/inspection.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

namespace senteval::run {

Inspection::Inspection(const DataInspector& inspect, Observer& observer)
    : inspect_(inspect), observer_(observer)
{
}

const std::vector<std::string>& Inspection::warnings_of(const task::Task& task,
                                                        const task::DataFolder& data)
{
    const std::string& name = task.info().name;
    auto at = found_.find(name);
    if (at == found_.end()) {
        at = found_.emplace(name, inspect(task, data)).first;
        if (!at->second.broken && !at->second.data_warnings.empty())
            observer_.warned_of_data(name, at->second.data_warnings);
    }
    if (at->second.broken)
        std::rethrow_exception(at->second.broken);
    return at->second.data_warnings;
}

Inspection::Found Inspection::inspect(const task::Task& task, const task::DataFolder& data) const
{
    Found found;
    try {
        if (inspect_)
            found.data_warnings = inspect_(task, data);
    } catch (const core::Error&) {
        found.broken = std::current_exception();
    }
    found.data_warnings.insert(found.data_warnings.end(), data.data_warnings().begin(),
                               data.data_warnings().end());
    if (data.limit() > 0)
        found.data_warnings.push_back(fmt::format(
            "at most {} items of each part were taken (--limit): a smoke run", data.limit()));
    return found;
}

} // namespace senteval::run
