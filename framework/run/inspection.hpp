// inspection.hpp -- data warnings of a run's tasks.
#pragma once

#include "run/evaluate.hpp"
#include "task/data_folder.hpp"
#include "task/task.hpp"

#include <exception>
#include <map>
#include <string>
#include <vector>

namespace senteval::run {

/// The data warnings of each task: inspected once, told once. Not thread-safe.
class Inspection {
public:
    /// Both must outlive it; `inspect` may be empty.
    Inspection(const DataInspector& inspect, Observer& observer);

    /// Of data that was just loaded; valid as long as the object. Throws what the inspector threw, each
    /// time.
    const std::vector<std::string>& warnings_of(const task::Task& task,
                                                const task::DataFolder& data);

private:
    struct Found {
        std::vector<std::string> data_warnings;
        std::exception_ptr broken;
    };

    [[nodiscard]] Found inspect(const task::Task& task, const task::DataFolder& data) const;

    const DataInspector& inspect_;
    Observer& observer_;
    std::map<std::string, Found> found_; ///< by task
};

} // namespace senteval::run
