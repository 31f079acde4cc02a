// plan.hpp -- what a run will do: everything is checked before anything is computed.
#pragma once

#include "encoder/find.hpp"
#include "encoder/parameters.hpp"
#include "encoder/plugin_encoder.hpp"
#include "isolation/limits.hpp"
#include "run/config.hpp"
#include "run/evaluate.hpp"
#include "run/stack.hpp"
#include "task/task.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace senteval::run {

/// A requested encoder, found and its parameters checked.
struct PlannedEncoder {
    encoder::FoundEncoder found; ///< nothing where it is unloadable
    std::vector<encoder::Parameter> parameters;
    std::string label; ///< unique within the run
    std::optional<isolation::Service>
        service;            ///< of the process that it gets; none: it runs in this one
    std::string unloadable; ///< why each of its cells fails: its library cannot be looked into
};

struct Plan {
    std::vector<const task::Task*> tasks;
    std::vector<PlannedEncoder> encoders;
    std::vector<task::Settings>
        settings; ///< each task under each of them, where they differ for it
    std::vector<PlannedEncoder> rerankers = {};
    std::vector<FusionRecipe> fusions = {};
};

/// Whether each encoder is to have a process of its own, the bundled ones too.
bool isolates_all(const Config& config);

/// Throws base::UsageError where the folder of the cache is not there and cannot be made; empty: no cache.
void require_cache_folder(const std::filesystem::path& folder);

/// An encoder alone. Throws base::UsageError as make_plan().
PlannedEncoder
plan_encoder(const EncoderRequest& request, const Config& config, bool as_reranker = false);

/// `catalog` must outlive the plan. Throws base::UsageError on an unknown task or encoder, or a
/// parameter that does not fit it.
Plan make_plan(const Config& config, const task::Tasks& catalog);

/// What is made of the rankings of searches. `logger` and `context` are for rerankers; the plan must outlive it.
Stack stack_of(const Config& config,
               const Plan& plan,
               const encoder::Logger& logger,
               const encoder::CallContext& context);

/// The work of this process, in order; cells with nothing to project drop out later.
std::vector<Unit> units(const Config& config, const Plan& plan);

/// Tasks of which some classifier draws nothing, where several seeds are asked for: one of them is computed.
std::vector<std::string> tasks_of_one_seed(const Plan& plan);

/// Options of an evaluation: all but store, cache, inspection and stop.
EvaluateOptions evaluate_options(const Config& config);

/// The encoder, to be loaded when it is needed; `planned` must outlive it. Reads the files its
/// parameters name, for their fingerprints, and throws as encoder::identify() does.
EncoderSource source_of(const PlannedEncoder& planned,
                        const encoder::Logger& logger,
                        const encoder::CallContext& context);

/// Inspector of a task's data. Throws base::Error where it is broken, unless `broken_allowed`.
DataInspector doctor(const std::filesystem::path& data, bool broken_allowed);

} // namespace senteval::run
