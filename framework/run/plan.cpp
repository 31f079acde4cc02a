#include "run/plan.hpp"

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "data/inspect.hpp"
#include "data/manifest.hpp"
#include "task/selection.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace senteval::run {
namespace {

std::vector<PlannedEncoder> plan_encoders(const Config& config)
{
    std::vector<PlannedEncoder> planned;
    for (const EncoderRequest& request : config.encoders) {
        PlannedEncoder one;
        one.found = encoder::find_encoder(request.name, request.base);
        one.parameters = encoder::check_settings(*one.found.encoder, request.settings);
        one.label = request.label.empty() ? std::string(encoder::short_name(*one.found.encoder))
                                          : request.label;
        const std::string wanted = one.label;
        const auto same = [&](const PlannedEncoder& other) { return other.label == one.label; };
        for (int number = 2; std::any_of(planned.begin(), planned.end(), same); ++number)
            one.label = fmt::format("{}-{}", wanted, number);
        planned.push_back(std::move(one));
    }
    return planned;
}

} // namespace

std::size_t Plan::cells() const
{
    std::size_t all = 0;
    for (const task::Task* task : tasks)
        all += distinct_settings(*task, settings).size();
    return all;
}

Plan make_plan(const Config& config, const task::Tasks& catalog)
{
    return {task::select(catalog, config.tasks), plan_encoders(config), variants(config)};
}

EvaluateOptions evaluate_options(const Config& config, const Plan& plan)
{
    EvaluateOptions options;
    options.data = config.data;
    options.variants = plan.settings;
    options.threads = config.threads == 0 ? core::available_threads() : config.threads;
    options.kernels = config.kernels;
    options.batch_size = config.batch_size;
    options.limit = config.limit;
    options.overwrite = config.overwrite;
    return options;
}

EncoderSource source_of(const PlannedEncoder& planned,
                        const encoder::Logger& logger,
                        const encoder::CallContext& context)
{
    const auto& [plugin, table] = planned.found;
    EncoderSource source;
    source.identity = encoder::identify(*plugin, *table, planned.parameters, planned.label);
    source.capabilities = encoder::capabilities_of(*table);
    source.create = [&planned, logger, context, identity = source.identity] {
        return std::make_unique<encoder::PluginEncoder>(planned.found.plugin,
                                                        *planned.found.encoder, planned.parameters,
                                                        identity, logger, context);
    };
    return source;
}

DataInspector doctor(const std::filesystem::path& data, bool broken_allowed)
{
    return [data, broken_allowed, manifest = data::manifest_for(data)](
               const task::Task& task, const task::DataFolder& read) {
        std::vector<data::Finding> findings;
        if (const data::Dataset* dataset = manifest.for_task(task.info().name))
            findings = data::inspect_dataset(data, *dataset, read.contents());
        std::vector<std::string> doubts;
        for (const data::Finding& finding : findings)
            if (finding.severity != data::Severity::warning)
                doubts.push_back(finding.text());
        if (data::is_broken(findings) && !broken_allowed)
            throw core::Error(
                "its data is broken:\n    {}\n  (--allow-unverified computes all the same)",
                fmt::join(doubts, "\n    "));
        return doubts;
    };
}

} // namespace senteval::run
