// services.hpp -- what a host offers to a plugin, and what the plugin makes of it.
#pragma once

#include "check/measure.hpp"
#include "check/reporter.hpp"

#include <senteval/encoder.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace senteval::check {

/// How the text of a plugin offends against rule 3.1; nothing where it does not.
std::optional<std::string> wrong_text(std::string_view text, bool lines_allowed);

/// "a short text" or its beginning, with bytes that cannot be shown as escapes.
std::string shown(std::string_view text);

/// Looks at every log line.
class TrialHost {
public:
    explicit TrialHost(Reporter& reporter);
    TrialHost(const TrialHost&) = delete;
    TrialHost& operator=(const TrialHost&) = delete;
    TrialHost(TrialHost&&) = delete;
    TrialHost& operator=(TrialHost&&) = delete;
    ~TrialHost() = default;

    [[nodiscard]] const senteval_host* get() const noexcept { return &host_; }

private:
    Reporter& reporter_;
    senteval_host host_{};
};

struct CallOptions {
    unsigned thread_budget = 1;
    std::optional<Seconds> cancelled_after = {}; ///< after its beginning
    bool yields = false; ///< its services let other threads run, to make overlaps likely
};

/// One call, observed. It has to outlive the call, and better a while longer: a plugin may use it
/// too late.
class TrialCall {
public:
    TrialCall(Reporter& reporter, std::string_view function, const CallOptions& options);
    TrialCall(const TrialCall&) = delete;
    TrialCall& operator=(const TrialCall&) = delete;
    TrialCall(TrialCall&&) = delete;
    TrialCall& operator=(TrialCall&&) = delete;
    ~TrialCall() = default;

    [[nodiscard]] const senteval_call* get() const noexcept { return &call_; }

    /// The function has returned.
    void end() noexcept { ended_ = true; }

    [[nodiscard]] bool was_cancelled() const noexcept { return told_cancelled_; }
    [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

    /// From here on every call is cancelled, also those that run: the trial takes too long.
    static void cancel_all(bool cancel = true) noexcept;
    [[nodiscard]] static bool all_cancelled() noexcept;

private:
    static TrialCall& used(const senteval_call* call, const char* service);
    void use(const char* service);
    [[nodiscard]] bool is_in_call() const
    {
        return !ended_ && thread_ == std::this_thread::get_id();
    }

    Reporter& reporter_;
    std::string function_;
    std::optional<std::chrono::steady_clock::time_point> cancelled_at_;
    bool yields_;
    std::thread::id thread_ = std::this_thread::get_id();
    std::atomic<bool> ended_{false};
    std::atomic<bool> told_cancelled_{false};
    std::string reason_;
    std::uint64_t done_ = 0;
    senteval_call call_{};
};

} // namespace senteval::check
