// mteb_set.hpp -- a set that lies in a folder as MTEB and BEIR lay it down.
#pragma once

#include "base/json.hpp"
#include "tasks/custom/hub_files.hpp"
#include "tasks/custom/mteb_catalogue.hpp"

#include <optional>
#include <string>

namespace senteval::tasks {

/// The split that is tested, what stands before the names of a language's folders, and what is known of the task.
struct Set {
    const HubFiles* files = nullptr; ///< not null
    std::string split = "test";
    std::string prefix = {};
    std::string subset = "default"; ///< its name
    std::string config = "default"; ///< of README.md, that has its rows
    const MtebTask* task = nullptr;

    /// The file with the rows of a split; empty where there is none.
    [[nodiscard]] std::string rows(const std::string& of_split) const
    {
        return files->has(config) ? files->in(config, of_split) : files->called(of_split);
    }
};

/// The keys of the set's [[task]], as its files and their fields say; nothing where there is no set. Throws base::Error, or
/// base::UsageError where what it is cannot be told.
std::optional<base::Json> describe_set(const Set& set);

} // namespace senteval::tasks
