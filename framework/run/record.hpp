// record.hpp -- the record of one cell of a run: what it starts with, and what computing it adds.
#pragma once

#include "encoder/encoder.hpp"
#include "encoder/session.hpp"
#include "results/result.hpp"
#include "task/task.hpp"

#include <string>
#include <string_view>

namespace senteval::run {

results::Computer this_computer();

/// "2024-05-01T12:00:00Z"
std::string utc_now();

/// Protocol of a task: its own settings, and those of every task. `limit`: of the items of each part; 0: none.
results::Protocol
protocol_of(const task::Task& task, const task::Settings& settings, std::size_t limit = 0);

/// The settings, with the similarity that the encoder states, and `prompts` of the task for it (prompts_for()). Throws
/// base::UsageError where it is no similarity.
task::Settings settings_for(const encoder::Identity& encoder,
                            const task::Task& task,
                            task::Settings settings,
                            bool prompts = true);

/// A result of what is known before anything is computed: encoder, task, protocol and data, with fingerprints.
/// `batch_size`: given where vectors depend on it.
results::Result new_record(const encoder::Identity& encoder,
                           const encoder::Capabilities& can,
                           std::size_t batch_size,
                           const task::Task& task,
                           const task::Settings& settings,
                           const task::DataFolder& data);

/// Adds metrics, details, coverage and, apart from all that must be the same in every run, the
/// date, the seconds by phase and the machine.
void complete(results::Result& record,
              const task::Result& result,
              encoder::Session& session,
              unsigned threads,
              std::string_view kernels,
              const task::PhaseClock& clock);

} // namespace senteval::run
