// run_arguments.hpp -- the command line of `senteval run`, and the configuration it means.
#pragma once

#include "core/value.hpp"
#include "run/config.hpp"
#include "run/options.hpp"

#include <CLI/App.hpp>

#include <string>
#include <vector>

namespace senteval::host {

/// The command line of `senteval run`, as it was given.
struct RunArguments {
    std::string run_file;
    struct Given {
        const run::Option* option;
        std::string text;
    };
    std::vector<Given> options;
    std::vector<run::EncoderRequest> encoders; ///< and rerankers
    std::vector<std::string> fusions;
    std::vector<core::Value> common_settings; ///< --set before the first --encoder
    std::string json;
    std::string format = "table";
    bool dry_run = false;
    bool allow_unverified = false;
    bool quiet = false;
    bool verbose = false;
};

/// Adds what `senteval run` understands to its command; parsing fills `arguments`.
void add_run_arguments(CLI::App& command, RunArguments& arguments);

/// Profile, run file and options, in the order in which they override each other. Throws
/// base::UsageError, also where encoders, tasks or data are missing.
run::Config configure(const RunArguments& arguments);

} // namespace senteval::host
