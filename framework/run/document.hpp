// document.hpp -- the result file of one cell; its schema is result.schema.json.
#pragma once

#include "core/json.hpp"
#include "encoder/encoder.hpp"
#include "encoder/session.hpp"
#include "task/task.hpp"

#include <string_view>

namespace senteval::run {

/// Version, settings and fingerprint of what is done on a task: the task's own settings, and those that
/// hold for every task. `limit`: of the items of each part; 0: none.
core::Json
protocol_of(const task::Task& task, const task::Settings& settings, std::size_t limit = 0);

/// What is known before anything is computed: encoder, task, protocol and data, with fingerprints.
core::Json new_document(const encoder::Identity& encoder,
                        const task::Task& task,
                        const task::Settings& settings,
                        const task::DataFolder& data);

/// Whether two documents were made from the same encoder, protocol and data, and in the same batches
/// where these matter.
bool same_input(const core::Json& a, const core::Json& b);

/// Adds metrics, details, coverage and, apart from all that must be the same in every run, the
/// date, the seconds by phase and the machine.
void complete(core::Json& document,
              const task::Result& result,
              encoder::Session& session,
              unsigned threads,
              std::string_view kernels,
              const task::PhaseClock& clock);

} // namespace senteval::run
