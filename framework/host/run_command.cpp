#include "core/error.hpp"
#include "core/parallel.hpp"
#include "data/inspect.hpp"
#include "data/manifest.hpp"
#include "encoder/find.hpp"
#include "encoder/parameters.hpp"
#include "encoder/plugin_encoder.hpp"
#include "encoder/projected_encoder.hpp"
#include "host/all_tasks.hpp"
#include "host/commands.hpp"
#include "host/ending.hpp"
#include "host/interrupt.hpp"
#include "host/output.hpp"
#include "host/output_file.hpp"
#include "host/progress.hpp"
#include "host/run_arguments.hpp"
#include "host/run_output.hpp"
#include "run/config.hpp"
#include "run/evaluate.hpp"
#include "task/selection.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;
using core::Json;

/// A requested encoder, found and its parameters checked.
struct PlannedEncoder {
    encoder::FoundEncoder found;
    std::vector<encoder::Parameter> parameters;
    std::string label;
};

/// Every way to every dimension that encoders are to be compared at.
std::vector<encoder::ProjectionSettings> projections(const run::Config& config)
{
    std::vector<encoder::ProjectionSettings> all;
    for (const std::size_t dimension : config.equal_dimensions)
        for (const encoder::ProjectionKind kind : config.projections)
            all.push_back({kind, dimension});
    return all;
}

/// Whether a finished cell of the encoder has vectors with more dimensions.
bool has_more(const RunProgress& progress, const std::string& label, std::size_t dimension)
{
    const auto& documents = progress.documents();
    return std::any_of(documents.begin(), documents.end(), [&](const Json& document) {
        const Json& encoder = document.at("encoder");
        return encoder.at("label") == label &&
               encoder.at("dimension").get<std::size_t>() > dimension;
    });
}

std::vector<PlannedEncoder> plan_encoders(const run::Config& config)
{
    std::vector<PlannedEncoder> planned;
    for (const run::EncoderRequest& request : config.encoders) {
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

encoder::Logger logger_for(RunProgress& progress, const RunArguments& arguments)
{
    const senteval_log_level least = arguments.quiet     ? SENTEVAL_LOG_ERROR
                                     : arguments.verbose ? SENTEVAL_LOG_DEBUG
                                                         : SENTEVAL_LOG_WARNING;
    return [&progress, least](senteval_log_level level, std::string_view encoder,
                              std::string_view line) {
        if (level >= least)
            progress.line(fmt::format("{}{}: {}", encoder,
                                      level >= SENTEVAL_LOG_WARNING ? ": warning" : "", line));
    };
}

/// One run: everything is checked before anything is computed.
class RunCommand {
public:
    RunCommand(const RunArguments& arguments, std::stop_token stop)
        : arguments_(arguments),
          config_(configure(arguments)),
          stop_(std::move(stop)),
          store_(config_.output),
          json_("--json", arguments.json)
    {
        catalog_ = all_tasks(config_);
        tasks_ = task::select(catalog_, config_.tasks);
        encoders_ = plan_encoders(config_);
        store_.check_writable();
        json_.check_writable();
    }

    int run()
    {
        RunProgress progress(encoders_.size() * tasks_.size() * (1 + projections(config_).size()),
                             verbosity());
        LastWords last_words([&](Ending ending) {
            if (ending == Ending::exit_called)
                progress.failed_at_work("exit() was called, which an encoder must not do: the "
                                        "program ends here");
            write_results(progress);
            say_how_to_resume();
        });
        const std::stop_callback acknowledge(
            stop_, [&] { progress.line("stopping (once more: at once)"); });
        const bool interrupted = evaluate_all(progress);
        last_words.waive();
        write_results(progress);
        if (interrupted) {
            say_how_to_resume();
            return interrupted_exit_code;
        }
        return usage_error_ ? 2 : progress.failures().empty() ? 0 : 1;
    }

private:
    /// A table that cannot be printed takes nothing from the JSON document.
    void write_results(const RunProgress& progress) const
    {
        std::exception_ptr problem;
        try {
            if (!json_.is_standard_output())
                print_table(progress, tasks_, arguments_.format);
        } catch (const OutputError&) {
            problem = std::current_exception();
        }
        if (!arguments_.json.empty())
            json_.write(core::to_text(run_json(progress), 2) + "\n");
        if (problem)
            std::rethrow_exception(problem);
    }

    void say_how_to_resume() const
    {
        note("stopped; what is finished is in '{}': go on with --resume\n",
             config_.output.string());
    }

    [[nodiscard]] Verbosity verbosity() const
    {
        return arguments_.quiet     ? Verbosity::quiet
               : arguments_.verbose ? Verbosity::verbose
                                    : Verbosity::normal;
    }

    /// What the doctor says of a task's data: doubts are told once and go into the results; on broken
    /// data nothing is computed unless the user insists.
    std::vector<std::string> inspect(const std::string& task, RunProgress& progress)
    {
        const auto [at, is_new] = doubts_.try_emplace(task);
        if (!is_new)
            return at->second;
        const auto findings = data::inspect_task(manifest_, config_.data, task);
        for (const data::Finding& finding : findings)
            if (finding.severity != data::Severity::warning)
                at->second.push_back(finding.text());
        if (data::is_broken(findings) && !arguments_.allow_unverified) {
            const std::string why = fmt::format("{}", fmt::join(at->second, "\n    "));
            doubts_.erase(at);
            throw core::Error(
                "its data is broken:\n    {}\n  (--allow-unverified computes all the same)", why);
        }
        for (const std::string& doubt : at->second)
            progress.line(fmt::format("{}: not the published data: {}", task, doubt));
        return at->second;
    }

    /// Returns whether it was stopped.
    bool evaluate_all(RunProgress& progress)
    {
        const encoder::EmbeddingCache cache(config_.cache, config_.cache_bytes);
        run::EvaluateOptions options;
        options.data = config_.data;
        options.variants = run::variants(config_);
        options.threads = config_.threads == 0 ? core::available_threads() : config_.threads;
        options.batch_size = config_.batch_size;
        options.overwrite = config_.overwrite;
        options.stop = stop_;
        options.store = &store_;
        options.cache = config_.cache.empty() ? nullptr : &cache;
        options.inspect_data = [this, &progress](const std::string& task) {
            return inspect(task, progress);
        };
        try {
            for (const PlannedEncoder& planned : encoders_)
                evaluate(planned, options, progress);
        } catch (const core::Cancelled&) {
            return true;
        }
        return false;
    }

    /// An encoder as it is, and then brought to the dimensions that it has more than.
    void evaluate(const PlannedEncoder& planned,
                  const run::EvaluateOptions& options,
                  RunProgress& progress)
    {
        const run::EncoderSource source = source_of(planned, options.threads, progress);
        run::evaluate(source, tasks_, options, progress);
        for (const encoder::ProjectionSettings& settings : projections(config_)) {
            const run::EncoderSource projected = {
                encoder::projected(source.identity, settings), [&source, settings] {
                    return std::make_unique<encoder::ProjectedEncoder>(source.create(), settings);
                }};
            if (has_more(progress, planned.label, settings.dimension))
                run::evaluate(projected, tasks_, options, progress);
            else
                progress.skipped(tasks_.size());
        }
    }

    run::EncoderSource
    source_of(const PlannedEncoder& planned, unsigned threads, RunProgress& progress)
    {
        const auto& [plugin, table] = planned.found;
        run::EncoderSource source;
        source.identity = encoder::identify(*plugin, *table, planned.parameters, planned.label);
        source.create = [this, &planned, threads, &progress, identity = source.identity] {
            return create(planned, identity, threads, progress);
        };
        return source;
    }

    std::unique_ptr<encoder::Encoder> create(const PlannedEncoder& planned,
                                             const encoder::Identity& identity,
                                             unsigned threads,
                                             RunProgress& progress)
    {
        const encoder::CallContext context{threads, stop_,
                                           [&progress](std::uint64_t done, std::uint64_t total) {
                                               progress.progress("load model", done, total);
                                           }};
        try {
            return std::make_unique<encoder::PluginEncoder>(
                planned.found.plugin, *planned.found.encoder, planned.parameters, identity,
                logger_for(progress, arguments_), context);
        } catch (const core::UsageError&) {
            usage_error_ = true;
            throw;
        }
    }

    const RunArguments& arguments_;
    run::Config config_;
    std::stop_token stop_;
    run::Store store_;
    data::Manifest manifest_ = data::manifest_for(config_.data);
    std::map<std::string, std::vector<std::string>> doubts_; ///< by task
    OutputFile json_;
    task::Tasks catalog_;
    std::vector<const task::Task*> tasks_;
    std::vector<PlannedEncoder> encoders_;
    bool usage_error_ = false; ///< an encoder refused its parameters: the configuration is wrong
};

} // namespace

void add_run_command(CLI::App& app, const std::stop_token& stop, int& exit_code)
{
    const auto arguments = std::make_shared<RunArguments>();
    CLI::App* command = app.add_subcommand("run", "Evaluate encoders on tasks");
    add_run_arguments(*command, *arguments);
    command->callback(
        [arguments, stop, &exit_code] { exit_code = RunCommand(*arguments, stop).run(); });
}

} // namespace senteval::host
