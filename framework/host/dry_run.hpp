// dry_run.hpp -- `senteval run --dry-run`: which cells there are, what is stored of them, and what is missing.
#pragma once

#include "host/run_arguments.hpp"

#include <stop_token>

namespace senteval::host {

/// Prints it. Computes nothing, and writes nothing but the document of --json. Returns the exit code: that of the
/// run, as far as it can be told. Throws core::UsageError.
int dry_run(const RunArguments& arguments, std::stop_token stop);

} // namespace senteval::host
