#include "core/counted.hpp"
#include "core/error.hpp"
#include "host/commands.hpp"
#include "host/data_needed.hpp"
#include "host/dry_run.hpp"
#include "host/exit_codes.hpp"
#include "host/interrupt.hpp"
#include "host/output.hpp"
#include "host/output_file.hpp"
#include "host/progress.hpp"
#include "host/run_arguments.hpp"
#include "host/run_job.hpp"
#include "host/run_output.hpp"
#include "host/team_run.hpp"
#include "run/evaluate.hpp"

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

/// One run: everything is checked before anything is computed.
class RunCommand {
public:
    RunCommand(const RunArguments& arguments, std::stop_token stop, team::Transport* team)
        : arguments_(arguments),
          team_(team),
          json_("--json", arguments.json),
          job_(arguments, std::move(stop)),
          store_(job_.config().output)
    {
        store_.check_writable();
        json_.check_writable();
    }

    int run()
    {
        RunProgress progress(sizes_of(job_.units(), job_.plan().tasks, job_.config()),
                             varying(job_.plan().settings), verbosity(),
                             team_ == nullptr ? 1 : team_->size());
        const run::Shard& shard = job_.config().shard;
        if (job_.units().empty() && !arguments_.quiet)
            progress.line(fmt::format("shard {}/{}: no cells", shard.index, shard.count));
        if (const std::string cost = cost_of(); !cost.empty() && !arguments_.quiet)
            progress.line(cost);
        if (const std::string warning = warning_of_halves(job_.config());
            !warning.empty() && !arguments_.quiet)
            progress.line(warning);
        if (const std::string missing = missing_data(job_.plan().tasks, job_.config().data);
            !missing.empty())
            progress.line(missing);
        const bool is_interrupted = [&] {
            const std::stop_callback acknowledge(job_.stop(), [&] { progress.stopping(); });
            return evaluate_all(progress);
        }();
        progress.end();
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
        const std::size_t all = run::cells_of(job_.units());
        std::size_t least = 0;
        for (const run::Unit& unit : job_.units())
            least += static_cast<std::size_t>(std::count_if(
                unit.settings.begin(), unit.settings.end(), [&](const task::Settings& settings) {
                    return settings.resample == 0 && settings.seed == job_.config().seeds.front();
                }));
        const std::size_t seeds = std::max(job_.config().seeds.size(), job_.config().seed_count);
        if (all == least)
            return seeds > 1 || job_.config().resamples > 0
                       ? "nothing is trained on these tasks: further seeds and halves change "
                         "nothing"
                       : "";
        std::string text = fmt::format("{} fits and tests in place of {}: {}", all, least,
                                       core::counted(seeds, "seed"));
        if (job_.config().resamples > 0)
            text += fmt::format(" and {} {} of each training part, a half at some 0.5 of the cost",
                                job_.config().resamples,
                                job_.config().resamples == 1 ? "half" : "halves");
        if (arguments_.resume)
            text += "; those that the store has are kept";
        return text + "; sentences are encoded once (--dry-run estimates the time)";
    }

    /// A table that cannot be printed takes nothing from the JSON document.
    void write_results(const RunProgress& progress) const
    {
        std::exception_ptr problem;
        try {
            if (!json_.is_standard_output())
                print_table(progress, job_.plan().tasks, arguments_.format);
        } catch (const OutputError&) {
            problem = std::current_exception();
        }
        if (!arguments_.json.empty())
            json_.write(json_text(run_json(progress)));
        if (problem)
            std::rethrow_exception(problem);
    }

    void say_how_to_resume() const
    {
        say_stopped(fmt::format("; what is finished is in '{}': go on with --resume",
                                job_.config().output.string()));
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
        if (team_ != nullptr) {
            const TeamOutcome outcome = compute_with_others(job_, *team_, store_, progress);
            for (const std::string& problem : outcome.problems)
                progress.line(problem);
            return outcome.is_stopped;
        }
        return job_.compute({run::in_order(job_.units()), store_, job_.config().cache, progress,
                             [&progress](std::string_view text) { progress.line(text); }});
    }

    const RunArguments& arguments_;
    team::Transport* team_;
    OutputFile json_; ///< before libraries are loaded, which may change the working directory
    RunJob job_;
    run::Store store_;
};

} // namespace

void add_run_command(CLI::App& app,
                     const std::stop_token& stop,
                     team::Transport* team,
                     int& exit_code)
{
    const auto arguments = std::make_shared<RunArguments>();
    CLI::App* command = app.add_subcommand("run", "Evaluate encoders on tasks");
    add_run_arguments(*command, *arguments);
    command->callback([arguments, stop, team, &exit_code] {
        if (arguments->format == "json" && arguments->json.empty())
            arguments->json = "-";
        if (arguments->json == "-" &&
            (arguments->format == "csv" || arguments->format == "markdown"))
            throw core::UsageError("--json - and --format {} both ask for standard output: give "
                                   "--json a file",
                                   arguments->format);
        if (arguments->dry_run && (team == nullptr || team->rank() == 0))
            exit_code = dry_run(*arguments, team, stop);
        else if (arguments->dry_run)
            exit_code = 0; // the first tells it for all
        else if (team != nullptr && team->rank() > 0)
            compute_for_first(*arguments, stop, *team);
        else
            exit_code = RunCommand(*arguments, stop, team).run();
    });
}

} // namespace senteval::host
