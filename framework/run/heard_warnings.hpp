// heard_warnings.hpp -- what an encoder warns of, as far as its results repeat it.
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::run {

/// Warnings of an encoder, which it gives once: they go into all results that follow; those of prepare() go into the
/// results of that task alone. Thread-safe.
class HeardWarnings {
public:
    /// Ends the warnings of the task before; those from here to prepared() belong to the next.
    void preparing();
    void prepared();

    void add(std::string_view line);

    /// Warnings of the current task, in the order in which they were heard first.
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
