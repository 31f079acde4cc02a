#include "host/run_job.hpp"
#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "base/printed_text.hpp"
#include "compare/comparison.hpp"
#include "encoder/parameters.hpp"
#include "encoder/plugin_encoder.hpp"
#include "host/caller.hpp"
#include "host/data_needed.hpp"
#include "host/output.hpp"
#include "host/passing_folder.hpp"
#include "host/results_folder.hpp"
#include "isolation/isolated_encoder.hpp"
#include "paragram_model/training_record.hpp"
#include "report/formats.hpp"
#include "results/metric.hpp"
#include "run/cost.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/mteb_catalogue.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

/// A file that cannot be read is the encoder's to complain of.
bool is_readable_file(const encoder::Parameter& parameter)
{
    if (parameter.type != SENTEVAL_TYPE_PATH || !parameter.value.is_string())
        return false;
    const auto file = parameter.value.get<std::string>();
    std::error_code error;
    return std::filesystem::is_regular_file(file, error) && access(file.c_str(), R_OK) == 0;
}

std::function<bool(std::string_view sentence)>
trained_on(const std::vector<encoder::Parameter>& parameters)
{
    auto records = std::make_shared<std::vector<paragram::TrainingRecord>>();
    for (const encoder::Parameter& parameter : parameters) {
        if (!is_readable_file(parameter))
            continue;
        try {
            if (auto record = paragram::training_record_of(parameter.value.get<std::string>()))
                records->push_back(std::move(*record));
        } catch (const base::Error& error) {
            throw base::Error("the training data of '{}' is unknown: {}", parameter.key,
                              error.what());
        }
    }
    if (records->empty())
        return {};
    return [records](std::string_view sentence) {
        for (const paragram::TrainingRecord& record : *records)
            if (record.has(sentence))
                return true;
        return false;
    };
}

/// A logger with a limit, as there is one on what the encoder prints.
encoder::Logger logger_for(const std::function<void(std::string_view)>& show,
                           const RunArguments& arguments)
{
    const senteval_log_level least = arguments.quiet     ? SENTEVAL_LOG_ERROR
                                     : arguments.verbose ? SENTEVAL_LOG_DEBUG
                                                         : SENTEVAL_LOG_INFO;
    struct Bounded {
        explicit Bounded(const std::function<void(std::string_view)>& show) : text(show) {}
        std::mutex mutex;
        base::PrintedText text;
    };
    return [show, least, log = std::make_shared<Bounded>(show)](
               senteval_log_level level, std::string_view encoder, std::string_view line) {
        if (level == isolation::printed)
            return show(fmt::format("{}: {}", encoder, line));
        if (level < least)
            return;
        const std::lock_guard lock(log->mutex);
        log->text.add(fmt::format("{}{}: {}\n", encoder,
                                  level >= SENTEVAL_LOG_WARNING ? ": warning" : "", line));
    };
}

/// Refuses an encoder whose record of training data cannot be read: its results would pass for those of one that
/// never saw the test items.
void look_at_training(const run::PlannedEncoder& planned, run::EncoderSource& source)
{
    try {
        source.was_trained_on = trained_on(planned.parameters);
    } catch (const base::Error& error) {
        source.create = [why = std::string(error.what())]() -> std::unique_ptr<encoder::Encoder> {
            throw base::Error("{}", why);
        };
    }
}

using base::Json;

Json result_entry(const results::Result& result, const results::Store& store)
{
    return {{"encoder", result.encoder.label},
            {"task", result.task.name},
            {"metrics", result.metrics},
            {"seconds", result.run.seconds},
            {"file", store.path_of(result).string()},
            {"document", results::to_json(result)}};
}

/// Published figures to read the table by, where its data is the published set.
void print_references(const compare::Comparison& table, const std::vector<const task::Task*>& tasks)
{
    for (const compare::TaskComparison& shown : table.tasks) {
        const auto task = std::find_if(tasks.begin(), tasks.end(), [&](const task::Task* one) {
            return one->info().name == shown.task;
        });
        const bool is_published = std::any_of(
            shown.entries.begin(), shown.entries.end(), [](const compare::Entry& entry) {
                return entry.score.seeds > 0 && entry.data_warnings.empty() &&
                       entry.trained_on.empty();
            });
        if (task != tasks.end() && is_published && !(*task)->info().reference.empty())
            emit("\n{}: {}\n", shown.task, (*task)->info().reference);
    }
}

/// The headline of a task of the run.
results::Metric headline_of(const std::vector<const task::Task*>& tasks, const std::string& name)
{
    for (const task::Task* task : tasks)
        if (task->info().name == name)
            return *results::find_metric(task->info().metrics, task->info().headline);
    return {};
}

compare::Comparison
table_of(const RunProgress& progress, const run::Plan& plan, const std::string& metric = {})
{
    const auto& tasks = plan.tasks;
    std::vector<results::Cell> cells;
    for (results::Result& result : progress.records())
        cells.push_back({std::move(result), {}});
    std::vector<compare::Failure> failures;
    for (const auto& failure : progress.failures())
        failures.push_back({failure.encoder, failure.task, headline_of(tasks, failure.task)});
    std::vector<std::string> names;
    names.reserve(tasks.size());
    for (const task::Task* task : tasks)
        names.push_back(task->info().name);
    std::map<std::string, compare::KnownTask> known;
    for (const task::Task* task : tasks)
        known[task->info().name] = known_task(task->info());
    compare::Results results(std::move(cells));
    results.know_tasks(std::move(known));
    std::vector<std::string> rows; // an encoder, then what it is projected or normalised to
    for (const run::PlannedEncoder& encoder : plan.encoders)
        rows.insert(rows.end(), {encoder.label, encoder.label + " *"});
    results.order_rows(rows);
    results.order_tasks(names);
    results.join_parts(tasks::mteb_means());
    std::vector<std::string> order;
    for (const std::string& name : names)
        order.insert(order.end(), {results.shown_as(name), name});
    return compare::tabulate(results, failures, order, metric);
}

} // namespace

RunJob::RunJob(const RunArguments& arguments, std::stop_token stop)
    : arguments_(arguments),
      config_(configure(arguments)),
      catalog_(tasks::all_tasks(config_.custom_tasks, similarity_of_caller())),
      plan_(run::make_plan(config_, catalog_)),
      units_(run::units(config_, plan_)),
      stop_(std::move(stop))
{
    require_data(plan_.tasks, config_.data);
}

void RunJob::measure_costs(const results::Store& store,
                           const std::function<void(std::string_view)>& line) const
{
    const run::EvaluateOptions of_run = run::evaluate_options(config_);
    run::CostOptions options{of_run.threads, of_run.batch_size, stop_};
    if (config_.overwrite != run::Overwrite::always)
        options.is_known = [&](const results::Cost& cost) { return store.has_cost(cost); };
    for (const run::PlannedEncoder& planned : plan_.encoders)
        try {
            if (!planned.unloadable.empty() || stop_.stop_requested())
                continue; // its cells say why
            if (encoder::kind_of(*planned.found.encoder) == encoder::Kind::ranker)
                continue; // it has no vectors; its searches are timed
            const auto cost = run::measure_cost(planned, logger_for(line, arguments_), options);
            if (!cost)
                continue;
            store.save_cost(*cost);
            if (!arguments_.quiet)
                line(fmt::format("{}: {:.0f} sentences/s, {} at most", planned.label,
                                 cost->sentences_per_second,
                                 base::byte_text(static_cast<double>(cost->peak_bytes))));
        } catch (const base::Cancelled&) {
            return;
        } catch (const std::exception& e) {
            line(fmt::format("{}: its cost was not measured: {}", planned.label, e.what()));
        }
}

run::EvaluateOptions RunJob::options_of(const RunShare& share) const
{
    run::EvaluateOptions options = run::evaluate_options(config_);
    if (share.threads > 0)
        options.threads = share.threads;
    options.stop = stop_;
    options.store = &share.store;
    if (has_stack())
        options.depth = run::Stack{plan_.fusions, config_.depths, {}}.deepest();
    return options;
}

std::size_t RunJob::cells_of_stack() const
{
    const auto searches = std::ranges::count_if(
        plan_.tasks, [](const task::Task* task) { return run::is_search(*task); });
    const std::size_t depths = std::max<std::size_t>(config_.depths.size(), 1);
    return static_cast<std::size_t>(searches) *
           (plan_.fusions.size() +
            plan_.rerankers.size() * depths * (plan_.encoders.size() + plan_.fusions.size()));
}

bool RunJob::compute_stack(const RunShare& share, std::span<const results::Result> records) const
{
    if (!has_stack())
        return false;
    const run::EvaluateOptions options = options_of(share);
    try {
        const run::Stack stack = run::stack_of(config_, plan_, logger_for(share.line, arguments_),
                                               {options.threads, stop_, {}});
        run::evaluate_stack(stack, plan_.tasks, records, options, share.observer);
    } catch (const base::Cancelled&) {
        return true;
    }
    return false;
}

namespace {

/// Whether parts of a task are read from one file, as the languages of parallel texts are.
bool parts_share_files(std::span<const task::Task* const> tasks)
{
    std::set<std::filesystem::path> files;
    for (const task::Task* task : tasks)
        if (const task::Info& info = task->info(); !info.part_of().whole.empty())
            for (const std::string& file : info.files)
                if (!files.insert(info.base / file).second)
                    return true;
    return false;
}

} // namespace

bool RunJob::compute(const RunShare& share) const
{
    std::optional<PassingFolder> passing; // each of the shared texts is embedded once
    if (share.cache.empty() && parts_share_files(plan_.tasks))
        passing.emplace(share.store.folder() / fmt::format(".vectors-{}", getpid()));
    const auto& folder = passing ? passing->path : share.cache;
    const encoder::EmbeddingCache cache(folder, config_.cache_bytes);
    run::EvaluateOptions options = options_of(share);
    options.cache = folder.empty() ? nullptr : &cache;
    options.inspect_data = run::doctor(config_.data, arguments_.allow_unverified);
    std::string identified; // no piece of work has begun that would name the encoder
    const encoder::CallContext loading{
        options.threads, stop_, [&](std::uint64_t done, std::uint64_t total) {
            share.observer.progress(
                identified.empty() ? "load model" : "load model of " + identified, done, total);
        }};
    try {
        std::vector<run::EncoderSource> sources;
        for (const run::PlannedEncoder& planned : plan_.encoders) {
            identified = planned.label;
            sources.push_back(run::source_of(planned, logger_for(share.line, arguments_), loading));
            look_at_training(planned, sources.back());
        }
        identified.clear();
        run::evaluate(sources, plan_.tasks, share.next, options, share.observer);
    } catch (const base::Cancelled&) {
        return true;
    }
    return false;
}

base::Json run_json(const RunProgress& progress, const results::Store& store)
{
    Json results = Json::array();
    for (const results::Result& result : progress.records())
        results.push_back(result_entry(result, store));
    Json failures = Json::array();
    for (const auto& failure : progress.failures())
        failures.push_back(
            {{"encoder", failure.encoder}, {"task", failure.task}, {"error", failure.why}});
    return {{"results", results}, {"failures", failures}};
}

void print_table(const RunProgress& progress, const run::Plan& plan, const std::string& format)
{
    const auto& tasks = plan.tasks;
    const compare::Comparison table = table_of(progress, plan);
    if (table.rows.empty())
        return;
    if (format == "csv") {
        emit_data(report::to_csv(table));
        return;
    }
    std::vector<std::string> names;
    names.reserve(tasks.size());
    for (const task::Task* task : tasks)
        names.push_back(task->info().name);
    const report::PaperTable* paper = report::paper_table_of(names);
    const compare::Comparison shown =
        paper == nullptr ? table
                         : report::as_printed(table_of(progress, plan, paper->metric), *paper);
    if (format == "markdown")
        emit("{}", report::to_markdown(shown));
    else if (format == "latex")
        emit("{}",
             report::to_latex(shown, paper == nullptr ? "results" : std::string(paper->name)));
    else if (paper == nullptr)
        emit("{}", report::values_to_terminal(shown, table_style()));
    else
        emit("{}", report::paper_to_terminal(shown, table_style(), report::Print::full));
    if (format == "latex")
        return; // it goes into a file
    print_references(table, tasks);
}

} // namespace senteval::host
