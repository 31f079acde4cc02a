// sayings.hpp -- what is said of several tasks, said once.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace senteval::compare {

/// Tasks by what is said of them, in the order in which it is said first.
class Sayings {
public:
    void add(const std::string& saying, const std::string& task)
    {
        auto at = std::ranges::find(tasks_, saying, &Tasks::first);
        if (at == tasks_.end())
            at = tasks_.insert(at, {saying, {}});
        at->second.push_back(task);
    }

    /// `put` makes a text of a saying and the names of its tasks.
    template <typename Put>
    [[nodiscard]] std::vector<std::string> texts(const Put& put) const
    {
        std::vector<std::string> texts;
        texts.reserve(tasks_.size());
        for (const auto& [saying, names] : tasks_)
            texts.push_back(put(saying, fmt::format("{}", fmt::join(names, ", "))));
        return texts;
    }

private:
    using Tasks = std::pair<std::string, std::vector<std::string>>;
    std::vector<Tasks> tasks_;
};

} // namespace senteval::compare
