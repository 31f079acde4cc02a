// document.hpp -- the result file of one cell; its schema is result.schema.json.
#pragma once

#include "core/json.hpp"
#include "encoder/encoder.hpp"
#include "encoder/session.hpp"
#include "task/task.hpp"

#include <string>
#include <string_view>

namespace senteval::run {

/// "compiler", "abi" (of encoders), "blas" (library, version, kernels) and "processor", each a text.
core::Json computer();

/// "2024-05-01T12:00:00Z"
std::string utc_now();

/// "senteval-result/2": version 1 did not describe its metrics.
inline constexpr std::string_view result_schema = "senteval-result/2";
inline constexpr std::string_view imported_schema = "senteval-imported-result/2";

/// What is said of a task in a document: name, protocol, headline and metrics.
core::Json describe(const task::Info& task);

/// The description of the metric that tables show. Throws where the document has none.
task::Metric headline_of(const core::Json& document);

/// Version, settings and fingerprint of what is done on a task: the task's own settings, and those that
/// hold for every task. `limit`: of the items of each part; 0: none.
core::Json
protocol_of(const task::Task& task, const task::Settings& settings, std::size_t limit = 0);

/// The settings, with the similarity that the encoder states. Throws core::UsageError where it is none.
task::Settings settings_for(const encoder::Identity& encoder, task::Settings settings);

/// What is known before anything is computed: encoder, task, protocol and data, with fingerprints.
core::Json new_document(const encoder::Identity& encoder,
                        const task::Task& task,
                        const task::Settings& settings,
                        const task::DataFolder& data);

/// Whether two documents were made from the same encoder, protocol and data, show the same metric, and in the same batches
/// where these matter.
bool same_input(const core::Json& a, const core::Json& b);

/// What is lost where the document takes the place of the stored one, which has the same path; empty where that is but an
/// earlier run on the same data.
std::string lost_with(const core::Json& stored, const core::Json& document);

/// Adds metrics, details, coverage and, apart from all that must be the same in every run, the
/// date, the seconds by phase and the machine.
void complete(core::Json& document,
              const task::Result& result,
              encoder::Session& session,
              unsigned threads,
              std::string_view kernels,
              const task::PhaseClock& clock);

} // namespace senteval::run
