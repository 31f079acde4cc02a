#include "host/all_tasks.hpp"

#include "core/error.hpp"
#include "tasks/catalog.hpp"
#include "tasks/custom.hpp"

namespace senteval::host {

task::Tasks all_tasks(const run::Config& config)
{
    task::Tasks tasks = tasks::catalog();
    for (const run::TaskRequest& request : config.custom_tasks) {
        try {
            tasks::add_custom_tasks(tasks, {&request.task, 1});
        } catch (const core::UsageError& e) {
            throw core::UsageError("{}: {}", request.where, e.what());
        }
    }
    return tasks;
}

} // namespace senteval::host
