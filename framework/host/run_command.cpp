#include "core/error.hpp"
#include "encoder/plugin_encoder.hpp"
#include "host/commands.hpp"
#include "host/data_needed.hpp"
#include "host/ending.hpp"
#include "host/exit_codes.hpp"
#include "host/interrupt.hpp"
#include "host/output.hpp"
#include "host/output_file.hpp"
#include "host/progress.hpp"
#include "host/run_arguments.hpp"
#include "host/run_output.hpp"
#include "host/trained_on.hpp"
#include "run/evaluate.hpp"
#include "run/plan.hpp"
#include "tasks/custom/custom.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {
namespace {

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
          json_("--json", arguments.json),
          catalog_(tasks::all_tasks(config_.custom_tasks)),
          plan_(run::make_plan(config_, catalog_)),
          units_(run::units(config_, plan_)),
          stop_(std::move(stop)),
          store_(config_.output)
    {
        require_data(plan_.tasks, config_.data);
        store_.check_writable();
        json_.check_writable();
    }

    int run()
    {
        RunProgress progress(sizes_of(units_, plan_.tasks, config_.data), varying(plan_.settings),
                             verbosity());
        if (const std::string cost = cost_of(); !cost.empty())
            progress.line(cost);
        if (const std::string missing = missing_data(plan_.tasks, config_.data); !missing.empty())
            progress.line(missing);
        LastWords last_words([&](Ending ending) {
            if (ending == Ending::exit_called)
                progress.failed_at_work("exit() was called, which an encoder must not do: the "
                                        "program ends here");
            write_results(progress);
            say_how_to_resume();
        });
        const std::stop_callback acknowledge(
            stop_, [&] { progress.line("stopping (once more: at once)"); });
        const bool is_interrupted = evaluate_all(progress);
        last_words.waive();
        write_results(progress);
        if (is_interrupted) {
            say_how_to_resume();
            return exit_interrupted;
        }
        return exit_code_of(progress.failures());
    }

private:
    /// Where seeds or training sets multiply the work: by how much, before it begins.
    [[nodiscard]] std::string cost_of() const
    {
        const std::size_t all = run::cells_of(units_);
        std::size_t least = 0;
        for (const run::Unit& unit : units_)
            least += static_cast<std::size_t>(std::count_if(
                unit.settings.begin(), unit.settings.end(), [&](const task::Settings& settings) {
                    return settings.resample == 0 && settings.seed == config_.seeds.front();
                }));
        if (all == least)
            return "";
        const std::size_t seeds = std::max(config_.seeds.size(), config_.seed_count);
        std::string text =
            fmt::format("{} fits and tests in place of {}: {} seeds", all, least, seeds);
        if (config_.resamples > 0)
            text +=
                fmt::format(" and {} halves of each training part, a half at some 0.5 of the cost",
                            config_.resamples);
        return text + "; sentences are encoded once";
    }

    /// A table that cannot be printed takes nothing from the JSON document.
    void write_results(const RunProgress& progress) const
    {
        std::exception_ptr problem;
        try {
            if (!json_.is_standard_output())
                print_table(progress, plan_.tasks, arguments_.format);
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

    static int exit_code_of(const std::vector<run::Failure>& failures)
    {
        const bool wrong_usage =
            std::any_of(failures.begin(), failures.end(),
                        [](const run::Failure& failure) { return failure.usage; });
        return wrong_usage ? exit_usage : failures.empty() ? 0 : exit_failed;
    }

    /// Returns whether it was stopped.
    bool evaluate_all(RunProgress& progress)
    {
        const encoder::EmbeddingCache cache(config_.cache, config_.cache_bytes);
        run::EvaluateOptions options = run::evaluate_options(config_);
        options.stop = stop_;
        options.store = &store_;
        options.cache = config_.cache.empty() ? nullptr : &cache;
        options.inspect_data = run::doctor(config_.data, arguments_.allow_unverified);
        const encoder::CallContext loading{options.threads, stop_,
                                           [&progress](std::uint64_t done, std::uint64_t total) {
                                               progress.progress("load model", done, total);
                                           }};
        try {
            std::vector<run::EncoderSource> sources;
            for (const run::PlannedEncoder& planned : plan_.encoders) {
                sources.push_back(
                    run::source_of(planned, logger_for(progress, arguments_), loading));
                sources.back().was_trained_on = trained_on(planned.parameters);
            }
            run::evaluate(sources, plan_.tasks, run::in_order(units_), options, progress);
        } catch (const core::Cancelled&) {
            return true;
        }
        return false;
    }

    const RunArguments& arguments_;
    run::Config config_;
    OutputFile json_; ///< before libraries are loaded, which may change the working directory
    task::Tasks catalog_;
    run::Plan plan_;
    std::vector<run::Unit> units_;
    std::stop_token stop_;
    run::Store store_;
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
