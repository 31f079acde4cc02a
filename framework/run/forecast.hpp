// forecast.hpp -- what a run would do, and what it would cost; nothing is computed for it.
#pragma once

#include "encoder/plugin_encoder.hpp"
#include "run/config.hpp"
#include "run/past.hpp"
#include "run/plan.hpp"
#include "run/work.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace senteval::run {

/// Seconds, with bounds between which they probably lie.
struct Expected {
    double seconds = 0;
    double low = 0;
    double high = 0;

    void add(double more, double factor);
};

/// An encoder on a task.
struct Prospect {
    std::size_t unit = 0; ///< of those that were asked for
    std::string encoder;
    std::string task;
    std::size_t cells = 0;
    std::size_t stored = 0;   ///< of these, are kept
    std::size_t replaced = 0; ///< of these, are in the store, and are computed again
    std::size_t skipped = 0;  ///< of these, have nothing to project
    /// Of the stored ones, how many another build computed: "senteval 1.0, g++ 12.2.0".
    std::map<std::string, std::size_t> other_builds;
    std::size_t sentences = 0;
    std::size_t to_encode = 0;            ///< different ones, where batches do not matter
    std::size_t cached = 0;               ///< have their vector in the cache already, beside those
    std::optional<std::size_t> dimension; ///< nothing: it is known after prepare() only
    Expected fit;                         ///< on the threads of the run
    std::optional<double> encode;         ///< seconds, likewise; nothing: its pace is not known
    std::optional<std::uint64_t> vectors; ///< bytes
    std::uint64_t features = 0;           ///< bytes beside them, in memory
    bool is_spilled = false;              ///< the vectors are in a file
    std::optional<bool> fits; ///< vectors that do not are refused; nothing: it is not known
    bool is_tight = false;    ///< all that is in memory is more than is free; nothing is refused
    std::string problem;      ///< why it would fail; empty: nothing is known against it
    bool usage = false;       ///< the configuration is at fault

    [[nodiscard]] std::uint64_t bytes_in_memory() const
    {
        return features + (is_spilled ? 0 : vectors.value_or(0));
    }

    [[nodiscard]] std::uint64_t bytes_in_file() const
    {
        return is_spilled ? vectors.value_or(0) : 0;
    }

    [[nodiscard]] std::size_t to_do() const
    {
        return problem.empty() ? cells - stored - skipped : 0;
    }
};

struct Forecast {
    std::vector<Prospect> prospects;
    std::vector<double> load;     ///< seconds, of each encoder of the plan, where it was made
    std::size_t fits_known = 0;   ///< earlier ones that the times come from
    std::size_t fits_limited = 0; ///< earlier ones of --limit, which tell nothing of whole tasks
    std::uint64_t available_memory = 0;
    std::uint64_t available_disk = 0; ///< of the folder to spill to; 0 where there is none
    std::vector<std::string> doubts;  ///< about data, a line each
};

/// Reads the data of tasks and what the store has of these units. An encoder is made, in a process of
/// its own, only where no earlier result tells its dimension, or where its identity is not whole
/// without; it encodes nothing. Throws core::Cancelled.
[[nodiscard]] Forecast forecast(const Config& config,
                                const Plan& plan,
                                std::span<const Unit> units,
                                const DataInspector& inspect,
                                const encoder::Logger& logger,
                                const std::stop_token& stop);

} // namespace senteval::run
