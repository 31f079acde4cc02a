#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "compare/comparison.hpp"
#include "host/caller.hpp"
#include "host/commands.hpp"
#include "host/data_needed.hpp"
#include "host/interrupt.hpp"
#include "host/output.hpp"
#include "host/progress.hpp"
#include "host/run_arguments.hpp"
#include "host/run_job.hpp"
#include "run/cost.hpp"
#include "run/evaluate.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

/// One run: everything is checked before anything is computed.
class RunCommand {
public:
    RunCommand(const RunArguments& arguments, std::stop_token stop, team::Team* team)
        : arguments_(arguments),
          team_(team),
          json_("--json", arguments.json),
          job_(arguments, std::move(stop)),
          store_(job_.config().output)
    {
        if (team != nullptr && job_.cells_of_stack() > 0)
            throw base::UsageError("--fuse and --rerank: use them in a run of one process");
        if (job_.config().cost && (team != nullptr || job_.config().shard.count > 1))
            throw base::UsageError("--cost: processes that share a computer are not measured: use "
                                   "it in a run of one process");
        store_.check_writable();
        json_.check_writable();
    }

    int run()
    {
        RunProgress progress(team_ == nullptr ? run::cells_of(job_.units()) + job_.cells_of_stack()
                                              : 0,
                             varying(job_.plan().settings), verbosity());
        if (team_ == nullptr || team_->rank() == 0)
            say_beforehand(progress);
        if (job_.config().cost)
            job_.measure_costs(store_, [&progress](std::string_view text) { progress.line(text); });
        const bool is_interrupted = [&] {
            const std::stop_callback acknowledge(job_.stop(), [&] { progress.stopping(); });
            return evaluate_all(progress);
        }();
        progress.end();
        const int exit_code = team_ == nullptr ? 0 : gather_results(progress);
        if (team_ != nullptr && team_->rank() > 0)
            return 0; // the coordinator tells it all
        if (const std::size_t kept = progress.kept_cells(); kept > 0 && !arguments_.quiet)
            note("{} of the results were in '{}' already: --overwrite computes them again\n", kept,
                 job_.config().output.string());
        write_results(progress);
        if (is_interrupted) {
            say_how_to_resume();
            return exit_interrupted;
        }
        if (!arguments_.quiet)
            say_what_is_next(progress);
        return std::max(exit_code, exit_code_of(progress.failures()));
    }

private:
    void say_beforehand(RunProgress& progress) const
    {
        const run::Shard& shard = job_.config().shard;
        if (job_.units().empty() && !arguments_.quiet)
            progress.line(fmt::format("shard {}/{}: no cells", shard.index, shard.count));
        if (!job_.config().mteb.empty() && !arguments_.quiet)
            say_sets(progress);
        for (const std::string& why : job_.config().skipped_sets)
            progress.line("left out: " + why);
        if (const auto tasks = run::tasks_of_one_seed(job_.plan());
            !tasks.empty() && !arguments_.quiet)
            progress.line(fmt::format("{}: one seed is computed, as a classifier that is solved to "
                                      "its minimum draws nothing from others",
                                      fmt::join(tasks, ", ")));
        if (const std::string missing = missing_data(job_.plan().tasks, job_.config().data);
            !missing.empty())
            progress.line(missing);
    }

    /// What the sets of --mteb were taken for.
    void say_sets(RunProgress& progress) const
    {
        for (const core::Table& task : job_.config().custom_tasks) {
            const std::string protocol = task.text("protocol");
            const std::string target = task.text("target");
            progress.line(fmt::format("{}: {}{}{}{}", task.text("name"), protocol,
                                      task.find("folds") == nullptr
                                          ? ""
                                          : ", without a part to learn from: folds of test",
                                      target.empty() ? "" : " by '" + target + "'",
                                      protocol == "similarity"       ? ": more means more alike"
                                      : protocol == "pair-threshold" ? ": 1 means alike"
                                                                     : ""));
        }
    }

    /// A table that cannot be printed takes nothing from the JSON document.
    void write_results(const RunProgress& progress) const
    {
        std::exception_ptr problem;
        try {
            if (!json_.is_standard_output())
                print_table(progress, job_.plan(), arguments_.format);
        } catch (const OutputError&) {
            problem = std::current_exception();
        }
        if (!arguments_.json.empty())
            json_.write(json_text(run_json(progress, store_)));
        if (problem)
            std::rethrow_exception(problem);
    }

    void say_how_to_resume() const
    {
        say_stopped(fmt::format("; finished cells are in '{}': the same command computes the rest",
                                job_.config().output.string()));
    }

    void say_what_is_next(const RunProgress& progress) const
    {
        const std::vector<results::Result> records = progress.records();
        std::map<std::string, std::set<std::uint64_t>> seeds; // of tasks that draw
        for (const results::Result& result : records)
            if (const auto seed = result.protocol.seed(); seed && !result.protocol.deterministic &&
                                                          !result.protocol.is_of_mteb() &&
                                                          result.cautions.empty())
                seeds[result.task.name].insert(*seed);
        std::vector<std::string> few;
        for (const auto& [task, own] : seeds)
            if (own.size() < compare::fewest_seeds)
                few.push_back(task);
        if (!few.empty())
            note("a verdict on {} needs {} seeds: the same command with --seeds {}\n",
                 fmt::join(few, ", "), compare::fewest_seeds, compare::fewest_seeds);
        if (!records.empty())
            note("{} in '{}'; next: senteval compare {}\n", base::counted(records.size(), "result"),
                 job_.config().output.string(), shell_word(job_.config().output.string()));
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
        RunShare share{run::in_order(job_.units()), store_, job_.config().cache, progress,
                       [&progress](std::string_view text) { progress.line(text); }};
        if (team_ != nullptr) {
            share.next = units_of_team();
            share.threads = job_.config().threads > 0 ? 0 : threads_of_team();
        }
        return job_.compute(share) || job_.compute_stack(share, progress.records());
    }

    /// An encoder on a task with all of its cells, so that its sentences are encoded once; fewer cells where there
    /// would be too few pieces.
    [[nodiscard]] run::NextUnit units_of_team()
    {
        constexpr std::size_t pieces_of_each = 4;
        return [units = run::cut(job_.units(), pieces_of_each * team_->size()),
                team = team_]() -> std::optional<run::Unit> {
            const std::size_t number = team->next();
            return number < units.size() ? std::optional(units[number]) : std::nullopt;
        };
    }

    /// This process's share of the machine's processors.
    [[nodiscard]] unsigned threads_of_team() const
    {
        const unsigned all = std::max(1U, std::thread::hardware_concurrency());
        const auto share = all / static_cast<unsigned>(team_->processes_here());
        return std::clamp(share, 1U, base::available_threads());
    }

    /// The coordinator gets what the others have done. Returns its exit code.
    int gather_results(RunProgress& progress)
    {
        base::Json report = run_json(progress, store_);
        report["kept"] = progress.kept_cells();
        const auto failures = progress.failures();
        for (std::size_t at = 0; at < failures.size(); ++at)
            report["failures"][at]["usage"] = failures[at].usage;
        const auto reports = team_->gather(base::to_text(report));
        int exit_code = 0;
        for (std::size_t rank = 1; rank < reports.size(); ++rank)
            if (const std::string problem = add_report(reports[rank], progress); !problem.empty()) {
                note("senteval: process {}: {}\n", rank, problem);
                exit_code = exit_failed;
            }
        return exit_code;
    }

    /// Returns what went wrong with the process rather than with cells.
    [[nodiscard]] std::string add_report(const std::string& text, RunProgress& progress) const
    {
        const base::Json report = base::parse_json(text);
        if (report.contains("problem"))
            return report.at("problem").get<std::string>();
        for (const base::Json& failure : report.at("failures"))
            progress.add(run::Failure{failure.at("encoder"), failure.at("task"),
                                      failure.at("error"), failure.at("usage")});
        progress.add_kept(report.at("kept").get<std::size_t>());
        for (const base::Json& result : report.at("results")) {
            results::Result told = results::from_json(result.at("document"));
            if (!std::filesystem::exists(store_.path_of(told)))
                return fmt::format("its results are not in '{}' here: processes of a run need one "
                                   "folder for all, or a --shard each and 'senteval merge'",
                                   store_.folder().string());
            progress.add(std::move(told));
        }
        return "";
    }

    const RunArguments& arguments_;
    team::Team* team_;
    OutputFile json_; ///< before libraries are loaded, which may change the working directory
    RunJob job_;
    results::Store store_;
};

/// Errors go to the coordinator, which prints them.
void work_for_coordinator(const RunArguments& arguments,
                          const std::stop_token& stop,
                          team::Team& team)
{
    try {
        (void)RunCommand(arguments, stop, &team).run();
    } catch (const std::exception& e) {
        (void)team.gather(base::to_text(base::Json{{"problem", e.what()}}));
    }
}

} // namespace

void add_run_command(CLI::App& app, const std::stop_token& stop, team::Team* team, int& exit_code)
{
    const auto arguments = std::make_shared<RunArguments>();
    CLI::App* command = app.add_subcommand("run", "Evaluate encoders on tasks");
    add_run_arguments(*command, *arguments);
    command->callback([arguments, stop, team, &exit_code] {
        end_with_caller();
        if (arguments->format == "json" && arguments->json.empty())
            arguments->json = "-";
        if (arguments->json == "-" && arguments->format != "table" && arguments->format != "json")
            throw base::UsageError("--json - and --format {} both ask for standard output: give "
                                   "--json a file",
                                   arguments->format);
        if (arguments->dry_run)
            exit_code = team == nullptr || team->rank() == 0 ? dry_run(*arguments, stop) : 0;
        else if (team == nullptr || team->rank() == 0)
            exit_code = RunCommand(*arguments, stop, team).run();
        else
            work_for_coordinator(*arguments, stop, *team);
    });
}

} // namespace senteval::host
