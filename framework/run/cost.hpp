// cost.hpp -- what the vectors of an encoder cost on this computer: sentences per second, and memory.
#pragma once

#include "encoder/plugin_encoder.hpp"
#include "results/result.hpp"
#include "run/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::run {

struct CostOptions {
    unsigned threads = 1;
    std::size_t batch_size = 128;
    std::stop_token stop;
    /// Whether the cost of an encoder is known here; `cost` is as save_cost() takes it, but without numbers. May be empty.
    std::function<bool(const results::Cost& cost)> is_known = {};
};

/// The sentences of every measurement, all different: 1000, each of 5 to 29 of some 100 usual English words, drawn by
/// a fixed rule.
const std::vector<std::string>& cost_sentences();

/// "AMD EPYC 9R14, 2 processors": costs of different ones are not compared.
std::string computer_name();

/// Usage of processes, and those that they started: seconds of processor, and the most resident memory (the sum of
/// the peaks).
struct Usage {
    double seconds = 0;
    std::uint64_t peak_bytes = 0;
};
Usage usage_of(const std::vector<int>& processes);

/// The processes that this one has started, and not waited for.
std::vector<int> children();

/// Starts the encoder in a process of its own, gives it one batch (the first call), then all sentences until half a second
/// is over, in the batches and by the threads of a run. Throws what the encoder does. Nothing where the cost is known.
std::optional<results::Cost> measure_cost(const PlannedEncoder& planned,
                                          const encoder::Logger& logger,
                                          const CostOptions& options);

} // namespace senteval::run
