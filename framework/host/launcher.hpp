// launcher.hpp -- the launcher of this process: mpirun, Slurm's srun, or none.
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

/// Whether these arguments are of a run that all these processes share. Those that srun started with --shard run
/// alone; mpirun's share a shard.
[[nodiscard]] bool is_shared_run(std::span<char* const> arguments, const Variable& variable);

} // namespace senteval::host
