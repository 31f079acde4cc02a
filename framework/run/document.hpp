// document.hpp -- the result file of one cell; its schema is result.schema.json.
#pragma once

#include "base/json.hpp"
#include "encoder/encoder.hpp"
#include "encoder/session.hpp"
#include "task/task.hpp"

#include <string>
#include <string_view>

namespace senteval::run {

/// "compiler", "abi" (of encoders), "blas" (library, version, kernels) and "processor", each a text.
base::Json computer();

/// "2024-05-01T12:00:00Z"
std::string utc_now();

/// What is said of a task in a document: name, protocol, headline and metrics.
base::Json describe(const task::Info& task);

/// Version, settings and fingerprint of what is done on a task: the task's own settings, and those that
/// hold for every task. `limit`: of the items of each part; 0: none.
base::Json
protocol_of(const task::Task& task, const task::Settings& settings, std::size_t limit = 0);

/// The settings, with the similarity that the encoder states. Throws base::UsageError where it is none.
task::Settings settings_for(const encoder::Identity& encoder, task::Settings settings);

/// What is known before anything is computed: encoder, task, protocol and data, with fingerprints.
base::Json new_document(const encoder::Identity& encoder,
                        const task::Task& task,
                        const task::Settings& settings,
                        const task::DataFolder& data);

/// Adds metrics, details, coverage and, apart from all that must be the same in every run, the
/// date, the seconds by phase and the machine.
void complete(base::Json& document,
              const task::Result& result,
              encoder::Session& session,
              unsigned threads,
              std::string_view kernels,
              const task::PhaseClock& clock);

} // namespace senteval::run
