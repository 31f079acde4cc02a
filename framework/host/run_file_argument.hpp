// run_file_argument.hpp -- the run file that a command line names.
#pragma once

#include "run/config.hpp"

#include <string>

namespace senteval::host {

/// run::read_run_file(). A word that is the name of no file may have been meant as a task: the
/// core::UsageError says how tasks are named.
void read_run_file(const std::string& word, run::Config& config);

} // namespace senteval::host
