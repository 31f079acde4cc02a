// host.hpp -- the services of a host, which watch what a plugin makes of them.
#pragma once

#include "check/report.hpp"

#include <senteval/encoder.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace senteval::check {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// When the trial has to end: from then on every call is cancelled.
void set_deadline(Clock::time_point deadline) noexcept;
/// Whether that is so, or will be in this time.
[[nodiscard]] bool is_past_deadline(Seconds soon = Seconds(0)) noexcept;

/// The offence of a text against rule 3.1, if there is one.
std::optional<std::string> wrong_text(std::string_view text, bool lines_allowed);

/// "a short text" or its beginning, with bytes that cannot be shown as escapes.
std::string shown(std::string_view text);

/// A reason with all its lines, as far as a person would read them.
std::string told(std::string_view reason);

/// The log of a senteval_host whose ctx is a Report: looks at every line.
void log_line(const senteval_host* host, senteval_log_level level, senteval_string line);

struct CallOptions {
    std::optional<Seconds> cancelled_after = {}; ///< after its beginning
    bool yields = false; ///< its services let other threads run, to make overlaps likely
    std::uint32_t thread_budget = 1;
};

/// One call. It has to outlive the call, and better a while longer: a plugin may use it too late.
class TrialCall {
public:
    TrialCall(Report& report, std::string_view function, const CallOptions& options);
    TrialCall(const TrialCall&) = delete;
    TrialCall& operator=(const TrialCall&) = delete;
    ~TrialCall() = default;

    [[nodiscard]] const senteval_call* get() const noexcept { return &call_; }

    /// The function has returned.
    void end() noexcept { ended_ = true; }

    [[nodiscard]] bool was_cancelled() const noexcept { return told_cancelled_; }
    [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

private:
    static TrialCall& used(const senteval_call* call, const char* service);
    [[nodiscard]] bool is_in_call() const
    {
        return !ended_ && thread_ == std::this_thread::get_id();
    }

    Report& report_;
    std::string function_;
    std::optional<Clock::time_point> cancelled_at_;
    bool yields_;
    std::thread::id thread_ = std::this_thread::get_id();
    std::atomic<bool> ended_{false};
    std::atomic<bool> told_cancelled_{false};
    std::string reason_;
    std::uint64_t done_ = 0;
    senteval_call call_{};
};

} // namespace senteval::check
