// work.hpp -- units of a run, each done by one process, and their division among processes.
#pragma once

#include "task/settings.hpp"
#include "task/task.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace senteval::run {

/// An encoder on a task under some of the settings: cells that share the task's vectors.
struct Unit {
    std::size_t encoder = 0; ///< of the run's encoders
    std::size_t task = 0;    ///< of the run's tasks
    std::vector<task::Settings> settings;
};

/// Gives the next piece of work; nothing where there is no more.
using NextUnit = std::function<std::optional<Unit>()>;

/// One of `count` parts of a run that are computed apart from each other.
struct Shard {
    std::size_t index = 0; ///< below `count`
    std::size_t count = 1;
};

/// The settings that differ for a task, in order: one cell each.
std::vector<task::Settings> distinct_settings(const task::Task& task,
                                              std::span<const task::Settings> settings);

/// A whole run: encoder by encoder, each on task by task.
std::vector<Unit> all_units(std::size_t encoders,
                            std::span<const task::Task* const> tasks,
                            std::span<const task::Settings> settings);

/// The same cells in at least `least` units, where there are so many cells: the largest are cut first.
std::vector<Unit> cut(std::vector<Unit> units, std::size_t least);

/// The units of a shard, in order. Units are dealt out one by one, those of each encoder from another
/// task on, so that shards get as many and none gets one costly task of every encoder. Each unit
/// belongs to one shard; which one follows from the lists of encoders, tasks and settings alone, not
/// from data or machine.
std::vector<Unit> units_of(const std::vector<Unit>& all, Shard shard);

/// Hands out `units` in order.
NextUnit in_order(std::vector<Unit> units);

[[nodiscard]] std::size_t cells_of(std::span<const Unit> units);

} // namespace senteval::run
