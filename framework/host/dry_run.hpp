// dry_run.hpp -- `senteval run --dry-run`: what would be computed, and what it would take.
#pragma once

#include "host/run_arguments.hpp"
#include "team/transport.hpp"

#include <stop_token>

namespace senteval::host {

/// Prints it, for a run that the processes of a team would share where there is one. Computes nothing,
/// and writes nothing but the document of --json. Returns the exit code: that of the run, as far as it
/// can be told. Throws core::UsageError.
int dry_run(const RunArguments& arguments, const team::Transport* team, std::stop_token stop);

} // namespace senteval::host
