// program.hpp -- the program, whoever started it.
#pragma once

#include "team/team.hpp"

namespace senteval::host {

/// What the command line says; returns the exit code. `team`: the processes that share it, where there
/// are several; nullptr otherwise. Call once, on the main thread.
int run_program(int argc, char** argv, team::Team* team);

} // namespace senteval::host
