// inspection.hpp -- what is wrong with the data of each task of a run.
#pragma once

#include "run/evaluate.hpp"

#include <exception>
#include <map>
#include <string>
#include <vector>

namespace senteval::run {

/// The data warnings of each task, inspected and reported once. Not thread-safe.
class Inspection {
public:
    /// Both must outlive it; `inspect` may be empty.
    Inspection(const DataInspector& inspect, Observer& observer)
        : inspect_(inspect), observer_(observer)
    {
    }

    /// Warnings of data that was just loaded; valid as long as the object. Throws what the inspector threw, each
    /// time.
    const std::vector<std::string>& warnings_of(const task::Task& task,
                                                const task::DataFolder& data);

private:
    struct Found {
        std::vector<std::string> warnings;
        std::exception_ptr broken;
    };

    void inspect(const task::Task& task, const task::DataFolder& data, Found& found) const;

    const DataInspector& inspect_;
    Observer& observer_;
    std::map<std::string, Found> found_; ///< by task
};

} // namespace senteval::run
