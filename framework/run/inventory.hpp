// inventory.hpp -- what a run would compute, what the store has of it, and the memory that it needs.
#pragma once

#include "base/nan.hpp"
#include "encoder/plugin_encoder.hpp"
#include "run/config.hpp"
#include "run/plan.hpp"
#include "run/work.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace senteval::run {

struct CellCounts {
    std::size_t cells = 0;
    std::size_t stored = 0;  ///< of these, stay as they are
    std::size_t skipped = 0; ///< of these, have nothing to project

    [[nodiscard]] std::size_t missing() const { return cells - stored - skipped; }
};

/// Why cells would fail; without a problem nothing is known against them.
struct Fault {
    std::string problem;
    bool usage = false; ///< the configuration is at fault
};

/// An encoder on a task.
struct Listed : CellCounts, Fault {
    std::string encoder;
    std::string task;
    std::optional<std::size_t> dimension =
        {};                    ///< nothing: not asked for, or known after prepare() only
    std::size_t sentences = 0; ///< to encode
    double seconds = base::
        nan; ///< of encoding, at the speed of the encoder's results in the store; NaN: not known
    std::uint64_t bytes = 0; ///< of the vectors of all different sentences, with their projection
    bool fits = true;        ///< else the run refuses them

    [[nodiscard]] bool is_measured() const
    {
        return problem.empty() && missing() > 0 && dimension.has_value();
    }
};

struct Inventory {
    std::vector<Listed> rows; ///< in the order of the units
    CellCounts all;
    std::optional<Listed> largest; ///< the row that needs most memory
    std::uint64_t available = 0;   ///< bytes of memory that are free, or of the folder to spill to
    std::vector<std::string> data_warnings; ///< a line each
};

/// Reads the data of tasks and looks for these units in the store. An encoder is made, in a process of its own, only
/// where no stored result tells its dimension, or where its identity is not whole without; it encodes nothing.
/// Throws base::Cancelled.
[[nodiscard]] Inventory take_inventory(const Config& config,
                                       const Plan& plan,
                                       std::span<const Unit> units,
                                       const DataInspector& inspect,
                                       const encoder::Logger& logger,
                                       const std::stop_token& stop);

} // namespace senteval::run
