// trial_process.hpp -- the process in which one trial runs, and what is heard of it.
#pragma once

#include "check/findings.hpp"
#include "check/host.hpp"
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

/// One trial of one encoder, or, where its name is "table", of the library's table.
struct TrialRequest {
    std::filesystem::path library; ///< absolute
    std::vector<std::string> settings;
    std::string sentences; ///< a file of those that the encoder has vectors of; empty: of any
    std::string trial;     ///< "table", or the name of one of all_trials()
    std::size_t encoder = 0;
    std::uint32_t claims = ~std::uint32_t{0}; ///< SENTEVAL_CAP_* that are believed if claimed
    Seconds limit{60};                        ///< after which calls are cancelled
    Seconds enough{3};                        ///< that it repeats things for
};

/// The descriptor that the process finds open for its report.
inline constexpr int report_number = 3;

/// As one word of a command line.
std::string to_word(const TrialRequest& request);

/// Runs the trial of such a word in this process, which was started for it, and ends the process.
[[noreturn]] void run_trial(const std::string& word);

/// What was heard.
struct TrialOutcome {
    std::vector<Finding> broken;
    std::vector<std::string> tried;
    std::vector<NotTried> not_tried;
    std::string stopped; ///< why no further trial makes sense; may be empty
    std::optional<core::Json> result;
    std::optional<Finding> fatal; ///< what ended the process before the trial was at its end
    bool hung = false;            ///< it was ended from here, then
    bool killed = false;          ///< or, nobody knows by whom: `not_tried` says so
};

/// Runs the trial in a child of this program (`senteval check --trial ...`). Throws core::UsageError where the
/// settings are not the encoder's, and core::Cancelled.
TrialOutcome run_in_child(const TrialRequest& request,
                          const std::stop_token& stop,
                          const std::function<void(std::string_view shown)>& listener);

} // namespace senteval::check
