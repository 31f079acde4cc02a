#include "run/plan.hpp"

#include "base/distinct_names.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/parallel.hpp"
#include "core/spilled_block.hpp"
#include "data/inspect.hpp"
#include "data/manifest.hpp"
#include "isolation/isolated_encoder.hpp"
#include "isolation/loader.hpp"
#include "run/heard_warnings.hpp"
#include "run/options.hpp"
#include "run/record.hpp"
#include "task/selection.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace senteval::run {
namespace {

/// Encoders of one label are called by the parameters in which they differ.
void make_labels_distinct(std::vector<PlannedEncoder>& planned)
{
    std::vector<base::Named> named;
    for (const PlannedEncoder& one : planned) {
        named.push_back({one.label});
        for (const encoder::Parameter& parameter : one.parameters)
            named.back().parameters[parameter.key].push_back(parameter.value);
    }
    const auto names = base::distinct_names(named);
    for (std::size_t at = 0; at < planned.size(); ++at)
        planned[at].label = names[at];
}

bool is_warning(senteval_log_level level)
{
    return level == SENTEVAL_LOG_WARNING || level == SENTEVAL_LOG_ERROR;
}

bool has_limits(const isolation::Limits& limits)
{
    return limits.call.count() > 0 || limits.memory > 0 || limits.open_files > 0;
}

/// A foreign encoder has a process of its own, unless it is wanted in this one: then only what is named is loaded,
/// not whatever was looked at on the way to it.
void find(const EncoderRequest& request, const Config& config, PlannedEncoder& planned)
{
    const bool everybody = isolates_all(config);
    // Loading a library is a call of it as well.
    const auto look = config.limits.call.count() > 0
                          ? isolation::careful_loader({}, config.limits.call)
                          : isolation::careful_loader({});
    planned.found = encoder::find_encoder(request.name, request.base, look);
    auto& plugin = planned.found.plugin;
    const senteval_encoder*& table = planned.found.encoder;
    const bool is_foreign = !plugin->is_loaded() || encoder::runs_user_code(*table);
    if (everybody || (!config.isolate && is_foreign)) {
        planned.service.emplace();
        planned.service->limits = config.limits;
    } else if (!plugin->is_loaded()) {
        const std::string id = table->id;
        plugin = encoder::Plugin::load(plugin->path());
        table = &plugin->encoder(id);
    }
}

void check_isolation(const Config& config)
{
    if (config.isolate == false && has_limits(config.limits))
        throw base::UsageError("limits of an encoder need a process of its own: leave out "
                               "--no-isolate (isolate = false), or the limits");
}

/// An encoder that crashes or hangs as soon as it is loaded costs its own cells, as if it did so later.
void find_or_lose(const EncoderRequest& request, const Config& config, PlannedEncoder& planned)
{
    try {
        find(request, config, planned);
    } catch (const isolation::UnloadableLibrary& e) {
        planned.unloadable = e.what();
    }
}

std::string label_of(const EncoderRequest& request, const PlannedEncoder& planned)
{
    if (!request.label.empty())
        return request.label;
    if (!planned.found.label.empty())
        return planned.found.label;
    return planned.unloadable.empty() ? std::string(encoder::short_name(*planned.found.encoder))
                                      : std::filesystem::path(request.name).filename().string();
}

/// Whether their vectors, and so their results, are the same.
bool is_same_encoder(const PlannedEncoder& a, const PlannedEncoder& b)
{
    const auto relevant = [](const PlannedEncoder& one) {
        std::map<std::string, std::vector<base::Json>> values; // a list is a key several times
        for (const encoder::Parameter& parameter : one.parameters)
            if (parameter.changes_vectors)
                values[parameter.key].push_back(parameter.value);
        return values;
    };
    if (!a.unloadable.empty() || !b.unloadable.empty())
        return a.unloadable == b.unloadable && a.label == b.label;
    return a.found.plugin->path() == b.found.plugin->path() &&
           std::string_view(a.found.encoder->id) == b.found.encoder->id &&
           relevant(a) == relevant(b);
}

/// Whether two encoders are one under one label: a store keeps an encoder's results once.
bool is_repeated(const PlannedEncoder& one,
                 const EncoderRequest& request,
                 const std::vector<PlannedEncoder>& earlier)
{
    const auto same = std::ranges::find_if(
        earlier, [&](const PlannedEncoder& other) { return is_same_encoder(one, other); });
    if (same != earlier.end() && same->label != one.label)
        throw base::UsageError("{}: '{}' is the encoder '{}' again: no parameter that changes its "
                               "vectors differs, and a store holds an encoder once. Leave one out.",
                               request.where, one.label, same->label);
    return same != earlier.end();
}

void check_kind(const EncoderRequest& request, const PlannedEncoder& planned, bool as_reranker)
{
    if (!planned.unloadable.empty())
        return;
    const encoder::Kind kind = encoder::kind_of(*planned.found.encoder);
    if (!as_reranker && kind == encoder::Kind::reranker)
        throw base::UsageError("{}: '{}' judges pairs of a query and a document: give it to "
                               "--rerank, behind an --encoder that finds the documents",
                               request.where, request.name);
    if (as_reranker && kind == encoder::Kind::ranker)
        throw base::UsageError("{}: '{}' ranks whole corpora: it is an --encoder", request.where,
                               request.name);
}

std::vector<PlannedEncoder> plan_encoders(const Config& config, bool rerankers)
{
    check_isolation(config);
    std::vector<PlannedEncoder> planned;
    for (const EncoderRequest& request : rerankers ? config.rerankers : config.encoders) {
        PlannedEncoder one = plan_encoder(request, config, rerankers);
        if (!is_repeated(one, request, planned))
            planned.push_back(std::move(one));
    }
    make_labels_distinct(planned);
    return planned;
}

/// The names that distinguish the results of a task. Seeds that a deterministic classifier does not draw from count: to
/// give them is no mistake.
std::set<std::string> results_of(const task::Task& task, const Config& config)
{
    std::set<std::string> all;
    for (const task::Settings& settings : variants(config))
        all.insert(protocol_of(task, settings).fingerprint +
                   base::to_text(task.protocol_settings(settings)));
    return all;
}

/// Whether the value is another one than a setting has anyway.
bool changes_settings(const Given& given)
{
    Config config;
    given.option->apply(config, given.value);
    try {
        std::vector<task::Settings> settings = variants(config);
        for (task::Settings& one : settings)
            one.names_classifier = false; // to name the default one is to give the default
        return settings != variants({});
    } catch (const base::UsageError&) {
        return true; // alone it says too little
    }
}

/// Whether some other value of the option would change a result of one of the tasks.
bool has_effect(const Option& option,
                const Config& config,
                std::span<const task::Task* const> tasks)
{
    std::vector<std::string> values = option.choices;
    values.insert(values.end(), {"0.25", "3", "9999"});
    return std::ranges::any_of(values, [&](const std::string& value) {
        Config other = config;
        try {
            option.apply(other, core::Value::of_text(value, option.key, ""));
            return std::ranges::any_of(tasks, [&](const task::Task* task) {
                return results_of(*task, other) != results_of(*task, config);
            });
        } catch (const base::UsageError&) {
            return false; // it is no value of this option, or not beside the others
        }
    });
}

/// An option without an effect is a mistake. One of the command line is meant for the chosen tasks, a key for any.
void require_effects(const Config& config,
                     std::span<const task::Task* const> chosen,
                     const task::Tasks& catalog)
{
    std::vector<const task::Task*> any;
    for (const auto& task : catalog)
        any.push_back(task.get());
    for (auto given = config.given.begin(); given != config.given.end(); ++given)
        if (std::none_of(given + 1, config.given.end(),
                         [&](const Given& later) { return later.option == given->option; }) &&
            changes_settings(*given) &&
            !has_effect(*given->option, config, given->is_key ? any : chosen))
            throw base::UsageError("{}: '{}' changes no result: leave it out, or name a task or a "
                                   "classifier that uses it",
                                   given->value.where(), given->value.key());
}

} // namespace

PlannedEncoder plan_encoder(const EncoderRequest& request, const Config& config, bool as_reranker)
{
    PlannedEncoder one;
    find_or_lose(request, config, one);
    check_kind(request, one, as_reranker);
    auto settings = request.settings;
    if (const auto& folder = one.found.folder) {
        const auto other = std::ranges::find(settings, folder->first, &core::Value::key);
        if (other != settings.end())
            throw base::UsageError("{}: '{}' is given, and the encoder is a folder already; "
                                   "leave out one of them",
                                   other->where(), other->key());
        settings.insert(settings.begin(),
                        core::Value::of_text(folder->second, folder->first, request.where));
    }
    if (one.unloadable.empty()) {
        const senteval_encoder& encoder = *one.found.encoder;
        constexpr std::string_view own = "prompt_name"; // of the model's folder
        if (!config.prompts &&
            std::ranges::any_of(std::span(encoder.params, encoder.param_count),
                                [&](const auto* spec) { return spec->key == own; }))
            settings.insert(settings.begin(),
                            core::Value::of_text("none", std::string(own), "--no-prompts"));
        one.parameters = encoder::check_settings(encoder, settings);
    }
    one.label = label_of(request, one);
    return one;
}

void require_cache_folder(const std::filesystem::path& folder)
{
    if (folder.empty() || std::filesystem::is_directory(folder))
        return; // one that may only be read is of use, too
    try {
        base::check_folder(folder);
    } catch (const base::Error& e) {
        throw base::UsageError("--cache: {}", e.what());
    }
}

bool isolates_all(const Config& config)
{
    return config.isolate.value_or(has_limits(config.limits));
}

std::vector<Unit> units(const Config& config, const Plan& plan)
{
    auto all = all_units(plan.encoders.size(), plan.tasks, plan.settings);
    return units_of(cut(std::move(all), config.shard.count), config.shard);
}

std::vector<std::string> tasks_of_one_seed(const Plan& plan)
{
    std::vector<std::string> tasks;
    for (const task::Task* task : plan.tasks)
        if (std::ranges::any_of(plan.settings, [&](const task::Settings& one) {
                return one.resample == 0 && one.seed != plan.settings.front().seed &&
                       protocol_of(*task, one).deterministic;
            }))
            tasks.push_back(task->info().name);
    return tasks;
}

Plan make_plan(const Config& config, const task::Tasks& catalog)
{
    if (!config.spill.empty())
        core::require_spill_folder(config.spill);
    require_cache_folder(config.cache);
    if (config.cache.empty() && config.cache_bytes != Config().cache_bytes)
        throw base::UsageError("cache_gib: it needs --cache DIR");
    const auto tasks = task::select(catalog, config.tasks);
    const auto settings = variants(config);
    require_effects(config, tasks, catalog);
    Plan plan{tasks, plan_encoders(config, false), settings, plan_encoders(config, true)};
    std::vector<std::string> labels;
    for (const PlannedEncoder& one : plan.encoders)
        labels.push_back(one.label);
    for (const EncoderRequest& one : config.encoders) // one label of several is none
        if (std::ranges::count(config.encoders, one.label, &EncoderRequest::label) > 1)
            labels.push_back(one.label);
    for (const std::string& recipe : config.fusions)
        plan.fusions.push_back(parse_fusion(recipe, labels));
    const bool has_stack = !plan.fusions.empty() || !plan.rerankers.empty();
    if (has_stack && config.shard.count > 1)
        throw base::UsageError("--fuse and --rerank need the rankings of all encoders: a shard "
                               "has not all; run them on the merged store");
    if (has_stack &&
        std::ranges::none_of(tasks, [](const task::Task* one) { return is_search(*one); }))
        throw base::UsageError(
            "--fuse and --rerank are for searches, and none of the tasks is one");
    if (plan.rerankers.empty() && !config.depths.empty())
        throw base::UsageError("--depth is of rerankers, and there is no --rerank");
    return plan;
}

Stack stack_of(const Config& config,
               const Plan& plan,
               const encoder::Logger& logger,
               const encoder::CallContext& context)
{
    Stack stack{plan.fusions, config.depths, {}};
    if (stack.depths.empty())
        stack.depths = {usual_depth};
    for (const PlannedEncoder& one : plan.rerankers)
        stack.rerankers.push_back(source_of(one, logger, context));
    return stack;
}

EvaluateOptions evaluate_options(const Config& config)
{
    EvaluateOptions options;
    options.data = config.data;
    options.threads = config.threads == 0 ? base::available_threads() : config.threads;
    options.kernels = config.kernels;
    options.batch_size = config.batch_size;
    options.limit = config.limit;
    options.overwrite = config.overwrite;
    options.prompts = config.prompts;
    options.spill = config.spill;
    options.rankings = config.rankings;
    options.vectors = config.vectors;
    options.with_cost = config.cost;
    if (config.limits.call.count() > 0)
        options.search = config.limits.call;
    return options;
}

namespace {

/// Each of its cells fails for the same reason, before anything is asked of it.
EncoderSource unloadable_source(const PlannedEncoder& planned)
{
    EncoderSource source;
    source.identity.label = planned.label;
    source.states_identity = true;
    source.create = [why = planned.unloadable]() -> std::unique_ptr<encoder::Encoder> {
        throw base::Error("{}", why);
    };
    return source;
}

} // namespace

EncoderSource source_of(const PlannedEncoder& planned,
                        const encoder::Logger& logger,
                        const encoder::CallContext& context)
{
    if (!planned.unloadable.empty())
        return unloadable_source(planned);
    const auto& plugin = planned.found.plugin;
    const senteval_encoder* const table = planned.found.encoder;
    EncoderSource source;
    source.identity =
        encoder::identify(*plugin, *table, planned.parameters, planned.label, context);
    source.capabilities = encoder::capabilities_of(*table);
    source.states_identity = encoder::states_identity(*table);
    const auto heard = std::make_shared<HeardWarnings>();
    source.warnings = heard;
    const encoder::Logger listener = [heard, logger](senteval_log_level level, std::string_view who,
                                                     std::string_view line) {
        if (is_warning(level))
            heard->add(line);
        if (logger)
            logger(level, who, line);
    };
    source.create = [&planned, logger = listener, context,
                     identity = source.identity]() -> std::unique_ptr<encoder::Encoder> {
        if (planned.service) {
            isolation::Service service = *planned.service;
            service.threads = context.thread_budget;
            return std::make_unique<isolation::IsolatedEncoder>(
                std::move(service), *planned.found.plugin, *planned.found.encoder,
                planned.parameters, identity, logger, context);
        }
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
            findings =
                data::inspect_dataset(data, *dataset, read.contents(), read.empty_sentences());
        std::vector<std::string> warnings;
        if (!manifest.data_warning.empty() && task.info().base.empty())
            warnings.push_back(manifest.data_warning);
        for (const data::Finding& finding : findings)
            warnings.push_back(finding.text());
        if (data::is_broken(findings) && !broken_allowed)
            throw base::Error("its data is broken:\n    {}\n  (--allow-unverified computes anyway)",
                              fmt::join(warnings, "\n    "));
        return warnings;
    };
}

} // namespace senteval::run
