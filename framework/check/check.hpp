// check.hpp -- checks a plugin against the rules of encoder.h.
// | Each trial runs in a process of its own, a child of this program: the plugin is foreign code that may crash, hang
// or end its process, and a trial must not change the next.
#pragma once

#include "base/json.hpp"
#include "check/findings.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::check {

struct CheckOptions {
    std::vector<std::string> settings; ///< "key=value" of the user
    std::string
        sentences; ///< a file of those that encoders have vectors of; empty: that of their parameter
                   ///< `sentences`, if there is one, else of any
    double limit_seconds = 60; ///< for all trials of an encoder together
    std::stop_token stop;
};

/// Tries the encoder of a library that has this id or short name, or, without a name, all of them. Throws
/// base::UsageError where there is no such file or encoder, or it has no such setting, and
/// base::Cancelled.
LibraryFindings check_library(const std::filesystem::path& library,
                              std::string_view encoder,
                              const CheckOptions& options);

// ---- The process in which trials run ----

/// Trials of one encoder, or, with `is_table`, of the library's table.
struct TrialRequest {
    std::string library; ///< absolute path
    std::vector<std::string> settings;
    std::string sentences; ///< a file of those that the encoder has vectors of; empty: of any
    bool is_table = false;
    std::size_t encoder = 0;
    std::size_t first = 0; ///< of all_trials(), and those behind it: until one finds something
    std::size_t last = 0;
    std::uint32_t claims = 0;  ///< SENTEVAL_CAP_* of the encoder that are believed
    std::size_t hash = 0;      ///< of the vectors of the ordinary sentences, in another process
    std::size_t stated = 0;    ///< a hash of what it stated there; 0: nothing
    double limit_seconds = 60; ///< a second after which it is ended; calls are cancelled before
};

/// Runs the trials of a request, as JSON, in this process, which was started for it, and ends the process.
[[noreturn]] void run_trials(const std::string& request);

/// The messages of a process of trials.
struct TrialOutcome {
    std::vector<Finding> findings;
    std::string stopped; ///< why no further trial makes sense; may be empty
    std::optional<base::Json> result;
    std::size_t next = 0; ///< the trial after the last one that began
    bool hung = false;    ///< it was ended from here
    bool killed = false;  ///< by a signal that might come from anybody
};

/// Runs them in a child of this program. Throws base::UsageError where the settings are not the encoder's, and
/// base::Cancelled.
TrialOutcome run_in_child(const TrialRequest& request, const std::stop_token& stop);

} // namespace senteval::check
