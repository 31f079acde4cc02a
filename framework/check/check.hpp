// check.hpp -- does a plugin keep the promises of encoder.h?
//
// Each trial runs in a process of its own, a child of this program: the plugin is foreign code that may
// crash, hang or end its process, and what one trial leaves behind must not colour the next.
#pragma once

#include "check/findings.hpp"

#include <filesystem>
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
/// core::UsageError where there is no such file or encoder, or it has no such setting, and
/// core::Cancelled.
LibraryFindings check_library(const std::filesystem::path& library,
                              std::string_view encoder,
                              const CheckOptions& options);

} // namespace senteval::check
