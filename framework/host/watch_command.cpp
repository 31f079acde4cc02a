// `senteval watch`: the checkpoints of a training, each as it appears.
#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/home.hpp"
#include "base/json.hpp"
#include "compare/checkpoints.hpp"
#include "compare/judge.hpp"
#include "encoder/parameters.hpp"
#include "host/caller.hpp"
#include "host/commands.hpp"
#include "host/help.hpp"
#include "host/interrupt.hpp"
#include "host/output.hpp"
#include "host/progress.hpp"
#include "host/results_folder.hpp"
#include "host/run_arguments.hpp"
#include "host/run_job.hpp"
#include "host/training_curve.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;
using Clock = fs::file_time_type::clock;

struct WatchOptions {
    RunArguments run;
    std::string folder;
    std::string task; ///< by which checkpoints are judged; empty: the first
    std::string csv;
    std::string tensorboard; ///< a folder
    bool once = false;
    bool choose = false;
};

/// When something in a folder was changed last; nothing in one without a model.
std::optional<fs::file_time_type> changed(const fs::path& folder)
{
    const std::string name = folder.filename().string();
    const bool is_module = name.size() > 1 && name[0] >= '0' && name[0] <= '9' && name[1] == '_';
    if (is_module || // of a model that lies beside its checkpoints: "1_Pooling"
        (!fs::exists(folder / "modules.json") && !fs::exists(folder / "config.json")))
        return std::nullopt;
    auto latest = fs::file_time_type::min();
    std::error_code error; // files come and go
    for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error))
        if (const auto time = at->last_write_time(error); !error)
            latest = std::max(latest, time);
    return latest;
}

class Watch {
public:
    Watch(const WatchOptions& options, std::stop_token stop)
        : options_(options),
          folder_(fs::absolute(base::expand_home(options.folder)).lexically_normal()),
          stop_(std::move(stop))
    {
        if (!folder_.has_filename())
            folder_ = folder_.parent_path();
        if (!options.once && !options.choose)
            fs::create_directories(folder_); // the training may not have begun
        if (!fs::is_directory(folder_))
            throw base::UsageError("watch: '{}' is not a folder", folder_.string());
        if (options_.run.encoders.size() > 1)
            throw base::UsageError("watch: each checkpoint is an encoder; at most one --encoder "
                                   "says how it is loaded");
        if (options_.run.dry_run)
            throw base::UsageError("watch: it has no --dry-run");
        OutputFile("--csv", options_.csv).check_writable();
        check_options();
    }

    int run()
    {
        for (;;) {
            const auto found = pending();
            for (const auto& [time, folder] : found)
                waiting_.insert(label_of(folder));
            for (const auto& [time, folder] : found) {
                waiting_.erase(label_of(folder));
                evaluate(folder);
                seen_[folder] = time;
                if (stop_.stop_requested())
                    return stopped();
            }
            if (options_.once || options_.choose)
                break;
            wait();
            if (stop_.stop_requested())
                return stopped();
        }
        if (seen_.empty() && !options_.choose)
            throw base::Error("no folder in '{}' is a model that is complete", folder_.string());
        if (options_.choose)
            choose();
        return exit_code_;
    }

private:
    /// What is wrong for every checkpoint is wrong for any encoder.
    void check_options()
    {
        RunArguments arguments = options_.run;
        arguments.encoders = {{"onehot", fs::current_path(), "", {}, "watch", false}};
        arguments.common_settings.clear();
        const RunJob job(arguments, stop_);
        std::set<std::string> names;
        for (const task::Task* task : job.plan().tasks) {
            tasks_.push_back(task->info().name);
            names.insert({task->info().name, task->info().part_of().whole});
        }
        if (!options_.task.empty() && !names.contains(options_.task))
            throw base::UsageError("--by {}: the tasks are {}", options_.task,
                                   fmt::join(tasks_, ", "));
        store_ = job.config().output;
    }

    /// The folders to be evaluated, by step and then by time: those that nothing has changed for a while.
    [[nodiscard]] std::vector<std::pair<fs::file_time_type, fs::path>> pending() const
    {
        const auto settled = std::chrono::seconds(options_.once || options_.choose ? 0 : 3);
        std::vector<std::pair<fs::file_time_type, fs::path>> all;
        std::error_code error;
        for (fs::directory_iterator at(folder_, error), end; !error && at != end;
             at.increment(error))
            if (const auto time = changed(at->path()); time && Clock::now() - *time >= settled)
                if (const auto seen = seen_.find(at->path());
                    seen == seen_.end() || seen->second != *time)
                    all.emplace_back(*time, at->path());
        std::ranges::sort(all, {}, [this](const auto& one) {
            return std::pair(step_of(label_of(one.second)), one);
        });
        return all;
    }

    /// "exp7/checkpoint-500"; a folder that is written again and again has the trainer's step behind its name: "exp7/last-500".
    [[nodiscard]] std::string label_of(const fs::path& checkpoint) const
    {
        const std::string name = (folder_.filename() / checkpoint.filename()).string();
        const std::int64_t step = trainer_state_of(checkpoint).step;
        return step < 0 || step_of(name) >= 0 ? name : fmt::format("{}-{}", name, step);
    }

    /// The arguments of a run of the checkpoint; {} in a --set is its folder.
    [[nodiscard]] RunArguments arguments_for(const fs::path& checkpoint) const
    {
        RunArguments arguments = options_.run;
        arguments.quiet = true;
        if (arguments.encoders.empty())
            arguments.encoders.push_back(
                {checkpoint.string(), fs::current_path(), "", {}, "watch", false});
        run::EncoderRequest& encoder = arguments.encoders.front();
        encoder.label = label_of(checkpoint);
        for (auto* settings : {&arguments.common_settings, &encoder.settings})
            for (core::Value& setting : *settings)
                if (std::string text = setting.json().is_string() ? setting.string() : "";
                    text.find("{}") != text.npos)
                    setting = encoder::parse_setting(
                        setting.key() + "=" +
                        text.replace(text.find("{}"), 2, checkpoint.string()));
        return arguments;
    }

    /// A checkpoint that cannot be loaded costs itself only, and is tried again when it changes.
    void evaluate(const fs::path& checkpoint)
    {
        const std::string label = label_of(checkpoint);
        bool has_failed = false;
        try {
            epochs_[label] = trainer_state_of(checkpoint).epoch;
            has_failed = !is_evaluated(RunJob(arguments_for(checkpoint), stop_), label);
        } catch (const base::UsageError& e) {
            note("{}: FAILED: {}\n", label, e.what());
            has_failed = true;
        }
        if (has_failed)
            exit_code_ = exit_failed;
    }

    bool is_evaluated(const RunJob& job, const std::string& label)
    {
        const results::Store store(job.config().output);
        store.check_writable();
        RunProgress progress(run::cells_of(job.units()), varying(job.plan().settings),
                             Verbosity::quiet);
        const RunShare share{run::in_order(job.units()), store, job.config().cache, progress,
                             [&progress](std::string_view text) { progress.line(text); }};
        (void)job.compute(share);
        progress.end();
        std::set<std::string> others; // labels under which the store has this encoder
        for (const results::Result& result : progress.records()) {
            encoders_[result.encoder.label] = result.encoder.fingerprint;
            protocols_.insert(result.protocol.fingerprint);
            if (result.encoder.label != label)
                others.insert(result.encoder.label);
        }
        if (!others.empty())
            emit("{}: the same encoder as {}\n", label, fmt::join(others, ", "));
        tell();
        return progress.failures().empty();
    }

    [[nodiscard]] bool is_evaluated_here(const results::Result& result) const
    {
        const auto found = encoders_.find(result.encoder.label);
        return found != encoders_.end() && found->second == result.encoder.fingerprint;
    }

    /// Whether one of its parameters names a folder of this training.
    [[nodiscard]] bool is_of_training(const results::Result& result) const
    {
        return std::ranges::any_of(result.encoder.parameters, [&](const base::Json& value) {
            return value.is_string() && value.get_ref<const std::string&>().find(
                                            (folder_ / "").string()) != std::string::npos;
        });
    }

    /// The results of all checkpoints that the store has, also of folders that are gone; of those of one name the latest.
    /// Nothing where there are none yet.
    [[nodiscard]] std::optional<compare::Results> results() const
    {
        std::vector<std::string> problems;
        auto cells = results::Store(store_).load_all(problems);
        std::erase_if(cells, [&](const results::Cell& cell) {
            const results::Result& result = cell.result;
            return waiting_.contains(result.encoder.label) ||
                   !protocols_.contains(result.protocol.fingerprint) ||
                   !(is_evaluated_here(result) || is_of_training(result));
        });
        if (cells.empty())
            return std::nullopt;
        std::map<std::string, std::pair<std::string, std::string>> latest; // by label
        for (const results::Cell& cell : cells) {
            auto& one = latest[cell.result.encoder.label];
            one = std::max(one, {cell.result.run.date, cell.result.encoder.fingerprint});
        }
        std::erase_if(cells, [&](const results::Cell& cell) {
            const results::EncoderRecord& encoder = cell.result.encoder;
            return encoders_.contains(encoder.label)
                       ? !is_evaluated_here(cell.result)
                       : encoder.fingerprint != latest.at(encoder.label).second;
        });
        compare::Results results(std::move(cells));
        results.order_tasks(tasks_);
        results.join_parts(tasks::mteb_means());
        std::vector<std::size_t> order(results.rows().size());
        std::iota(order.begin(), order.end(), 0);
        std::ranges::stable_sort(
            order, {}, [&](std::size_t row) { return step_of(results.rows()[row].name()); });
        results.place_rows(order);
        return results;
    }

    /// Of the task by which checkpoints are judged: its place, and its rows in order.
    [[nodiscard]] std::pair<std::size_t, std::vector<std::size_t>>
    judged(const compare::Results& results) const
    {
        const std::size_t task = options_.task.empty() ? 0 : index_of(results, options_.task);
        if (task == results.tasks().size())
            throw base::UsageError("--by {}: the tasks are {}", options_.task,
                                   fmt::join(results.tasks(), ", "));
        std::vector<std::size_t> rows;
        for (std::size_t row = 0; row < results.rows().size(); ++row)
            if (!results.rows()[row].tasks[task].empty())
                rows.push_back(row);
        std::ranges::stable_sort(rows, {}, [&](std::size_t row) { // as they came
            return results.rows()[row].tasks[task].front()->result.run.date;
        });
        return {task, rows};
    }

    /// A line for each checkpoint that has none yet, and the files anew.
    void tell()
    {
        const auto all = results();
        if (!all)
            return;
        const auto [task, rows] = judged(*all);
        const results::Metric& metric = all->metrics(task).front();
        for (const compare::Look& look : compare::looks_of(*all, task, metric, rows)) {
            const compare::Row& row = all->rows()[look.row];
            const results::Result& result = row.tasks[task].front()->result;
            if (is_evaluated_here(result) &&
                told_.insert({result.encoder.fingerprint, row.projection + row.variant}).second)
                emit("{}: {} {}{}\n", row.label, metric.name(), metric.text(look.value),
                     difference_text(*all, metric, look));
        }
        write_curve(*all, epochs_, options_.csv,
                    options_.tensorboard.empty()
                        ? fs::path()
                        : fs::path(options_.tensorboard) /
                              ("events.out.tfevents.0." + folder_.filename().string()));
    }

    static std::string difference_text(const compare::Results& results,
                                       const results::Metric& metric,
                                       const compare::Look& look)
    {
        if (!look.best)
            return "";
        const std::string to =
            fmt::format(" to the best before, {}", results.rows()[*look.best].label);
        const std::string sign = look.difference > 0 ? "+" : "";
        if (look.open != compare::Open::no)
            return fmt::format(", {}{}{}; no verdict", sign, metric.text(look.difference), to);
        const bool is_higher = look.interval.low > 0;
        const bool is_lower = look.interval.high < 0;
        return fmt::format(", {}{} [{}, {}]{}{}", sign, metric.text(look.difference),
                           metric.text(look.interval.low), metric.text(look.interval.high), to,
                           is_higher == is_lower                  ? ""
                           : is_higher == metric.higher_is_better ? ": better"
                                                                  : ": worse");
    }

    void choose() const
    {
        const auto all = results();
        if (!all)
            throw base::Error("--choose: no checkpoint has a result");
        const auto [task, rows] = judged(*all);
        const results::Metric& metric = all->metrics(task).front();
        const auto judgement = compare::judge(*all, task, metric, std::nullopt, {});
        std::vector<std::string> tied;
        for (std::size_t row = 0; row < all->rows().size(); ++row) // by step
            if (judgement.is_among_best(row))
                tied.push_back(all->rows()[row].label);
        if (tied.empty()) {
            emit("no verdict on {}\n", all->tasks()[task]);
            return;
        }
        emit("not significantly worse than the best: {}\nthe earliest: {}\n", fmt::join(tied, ", "),
             tied.front());
        const auto found = compare::flattery_of(*all, task, metric, rows);
        if (!std::isnan(found.inside))
            emit("the best of {} on one half of the test items has {} there and {} on the other "
                 "half, on average\n",
                 rows.size(), metric.text(found.inside), metric.text(found.outside));
    }

    void wait() const
    {
        std::mutex mutex;
        std::condition_variable_any changed;
        std::unique_lock lock(mutex);
        changed.wait_for(lock, stop_, std::chrono::seconds(1), [] { return false; });
    }

    [[nodiscard]] static int stopped()
    {
        say_stopped("; the same command goes on");
        return exit_interrupted;
    }

    const WatchOptions& options_;
    fs::path folder_;
    std::stop_token stop_;
    fs::path store_;
    std::vector<std::string> tasks_;
    std::map<fs::path, fs::file_time_type> seen_; ///< when they were changed last
    std::set<std::string> waiting_; ///< labels of what is to be evaluated, whatever the store has
    std::map<std::string, double> epochs_;        ///< by label
    std::map<std::string, std::string> encoders_; ///< that were evaluated: fingerprints by label
    std::set<std::string> protocols_;             ///< and how
    std::set<std::pair<std::string, std::string>> told_; ///< encoders, and variants of them
    int exit_code_ = 0;
};

} // namespace

void add_watch_command(CLI::App& app, const std::stop_token& stop, int& exit_code)
{
    const auto options = std::make_shared<WatchOptions>();
    CLI::App* command =
        app.add_subcommand("watch", "Evaluate the checkpoints of a training as they appear");
    add_option(*command, "folder", options->folder,
               "Folder in which each folder is a checkpoint, such as a trainer's output_dir",
               "FOLDER")
        ->required();
    add_run_arguments(*command, options->run);
    add_option(*command, "--by", options->task,
               "Task by which they are judged (default: the first)", "TASK");
    command->add_flag("--once", options->once, "Evaluate what is there, and end");
    command->add_flag("--choose", options->choose,
                      "Evaluate what is there, and say which checkpoint to take");
    add_option(*command, "--csv", options->csv,
               "Write the metrics of each checkpoint, with its epoch and step", "FILE");
    add_option(*command, "--tensorboard", options->tensorboard,
               "Write the same as a TensorBoard event file", "DIR");
    command->callback([options, stop, &exit_code] {
        end_with_caller();
        exit_code = Watch(*options, stop).run();
    });
}

} // namespace senteval::host
