// launcher.hpp -- what started this process: mpirun, Slurm's srun, or somebody who wants it alone.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>

namespace senteval::host {

/// A variable of the environment; nullptr where it is not set.
using Variable = std::function<const char*(const char* name)>;

/// How many processes were started together, by what the launcher says. Nothing where none says so: a
/// rank alone does not, since srun gives one to a single process, too.
[[nodiscard]] std::optional<std::size_t> launched_processes(const Variable& variable);

/// Whether these arguments are of a run that all these processes are to share. Those that srun started
/// with --shard are each on their own; mpirun's share a shard.
[[nodiscard]] bool is_shared_run(std::span<char* const> arguments, const Variable& variable);

} // namespace senteval::host
