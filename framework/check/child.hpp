// child.hpp -- the process in which one trial runs, and what its supervisor hears of it.
#pragma once

#include "check/findings.hpp"
#include "check/measure.hpp"
#include "core/json.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::check {

/// What a child does: the parts of one trial of one encoder, or, without an encoder, of the library's table.
struct TrialRequest {
    std::filesystem::path library; ///< absolute
    std::vector<std::string> settings;
    Seconds limit{60};     ///< of own time, for all trials of an encoder together
    Seconds spent{0};      ///< of it, by the trials before
    std::string sentences; ///< a file of those that the encoder has vectors of; empty: of any
    std::string trial;     ///< "table", or the name of one of all_trials()
    std::size_t encoder = 0;
    std::size_t part = 0; ///< of the trial, to begin with
    /// SENTEVAL_CAP_* that the encoder claims, and that do not hold, as another trial has shown.
    std::uint32_t untrue = 0;
    /// SENTEVAL_CAP_* that an instance says it keeps; nothing where none has been asked.
    std::optional<std::uint32_t> claims;
    bool is_slow = false; ///< to make: parts share an instance where they can
    bool again = false;   ///< in a second process, to compare results with those of the first
};

/// The descriptors that a child finds open: for its report, and the memory of an isolation::CrashRecord.
inline constexpr int report_number = 3;
inline constexpr int crash_number = 4;

/// As one word of a command line, and back.
std::string to_word(const TrialRequest& request);
TrialRequest request_of(const std::string& word);

/// Runs the trial in this process and reports to the descriptor. Call it in a process that was started with
/// the descriptors above and has nothing else to do; it may end within.
void run_trial(const TrialRequest& request, int descriptor);

/// What a supervisor heard.
struct TrialOutcome {
    std::vector<Finding> broken;
    std::vector<std::string> tried;
    std::vector<NotTried> not_tried;
    std::string stopped; ///< why no further trial makes sense; may be empty
    std::optional<core::Json> result;
    Seconds spent{0};                    ///< own time of the process
    std::optional<std::uint32_t> claims; ///< as in TrialRequest, where it was found out
    bool is_slow = false;                ///< so
    std::size_t part = 0;                ///< the last that was begun
    bool crashed = false;                ///< the process ended within it
    std::optional<Finding>
        stray; ///< it crashed on a thread that the encoder had started: perhaps long before
};

/// Hears now and then what is tried, and in which part of the trial.
using TrialListener = std::function<void(std::size_t part, std::string_view shown)>;

/// Runs the trial in a child of this program (`senteval check --trial ...`). Throws core::UsageError where
/// the settings are not the encoder's, and core::Cancelled.
TrialOutcome supervise(const TrialRequest& request,
                       const std::stop_token& stop,
                       const TrialListener& listener = {});

} // namespace senteval::check
