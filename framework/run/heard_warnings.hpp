// heard_warnings.hpp -- what an encoder warns of, as far as its results repeat it.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::run {

/// Encoders warn of a thing once, so what they say stands in all results that follow; but what they say
/// while they prepare for a task speaks of that task, and stands in its results alone. Thread-safe.
class HeardWarnings {
public:
    /// What was said of the task before speaks of that one; what is said from here to prepared(), of the next.
    void preparing();
    void prepared();

    void add(std::string_view line);

    /// Those that hold for the task at hand, in the order in which they were heard first.
    [[nodiscard]] std::vector<std::string> lines() const;

private:
    struct Warning {
        std::string text;
        bool is_of_task;
    };

    mutable std::mutex mutex_;
    std::vector<Warning> warnings_;
    bool is_preparing_ = false;
};

} // namespace senteval::run
