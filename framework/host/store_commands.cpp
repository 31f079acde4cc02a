#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/names.hpp"
#include "exchange/import.hpp"
#include "exchange/items_csv.hpp"
#include "exchange/mteb.hpp"
#include "host/commands.hpp"
#include "host/data_needed.hpp"
#include "host/help.hpp"
#include "host/output.hpp"
#include "host/progress.hpp"
#include "host/results_folder.hpp"
#include "report/table.hpp"
#include "results/merge.hpp"
#include "results/rankings.hpp"
#include "results/store.hpp"
#include "run/record.hpp"
#include "run/run_file.hpp"
#include "task/selection.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/mteb_catalogue.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

struct ListOptions {
    ResultsOptions which;
    bool remove = false;
};

bool is_named(const std::string& name, const std::vector<std::string>& patterns)
{
    return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& pattern) {
               return base::matches(name, pattern);
           });
}

std::string score_of(const results::Result& result)
{
    const results::Metric& headline = result.task.headline_metric();
    const auto value = result.headline();
    return fmt::format("{} {}{}", headline.name(), result.cautions.empty() ? "" : "?",
                       value ? headline.text(*value) : "undefined");
}

/// "1111, mlp": what tells a cell from the others of its encoder and task.
std::string settings_of(const results::Result& result)
{
    constexpr Varying all{.seeds = true,
                          .halves = true,
                          .classifiers = true,
                          .normalisations = true,
                          .projections = true};
    const std::string text = all.text(result.protocol);
    return text.empty() ? text : text.substr(2);
}

/// Lists the results of a store that are named, or removes them; returns how many there were.
std::size_t list(const results::Store& store, const ListOptions& options)
{
    const auto tasks = tasks_named(options.which.tasks);
    report::TextTable table = {{{"encoder"}, {"task"}, {"settings"}, {"date"}, {"score"}}};
    const std::vector<results::Result> records = store.records();
    std::vector<std::string> labels;
    std::ranges::transform(records, std::back_inserter(labels),
                           [](const results::Result& result) { return result.encoder.label; });
    const auto encoders = base::names_in(options.which.encoders, labels);
    for (const results::Result& result : records) {
        const auto names = result.task.part_of().names(result.task.name);
        if (!is_named(result.encoder.label, encoders) ||
            std::ranges::none_of(names, [&](const auto& name) { return is_named(name, tasks); }))
            continue;
        if (options.remove)
            store.remove(result);
        table.push_back({{result.encoder.label},
                         {result.task.name},
                         {settings_of(result)},
                         {result.run.date.empty() ? "-" : result.run.date},
                         {score_of(result)}});
    }
    std::ranges::sort(table.begin() + 1, table.end(), {}, [](const auto& row) {
        return std::tie(row[0].text, row[1].text, row[2].text);
    });
    if (table.size() > 1)
        emit("{}", report::to_terminal(table, table_style()));
    return table.size() - 1;
}

int list_results(const ListOptions& options)
{
    if (options.remove && options.which.encoders.empty() && options.which.tasks.empty())
        throw base::UsageError("--remove needs to know which results: name them by --encoders, "
                               "--tasks or both ('*' is all)");
    int exit_code = 0;
    for (const std::string& folder : options.which.stores) {
        const results::Store store = existing_store(folder);
        const std::size_t count = list(store, options);
        if (options.remove)
            emit("{} removed from '{}'\n", base::counted(count, "result"), folder);
        if (count == 0) {
            note("senteval: '{}' has no such result\n", folder);
            exit_code = exit_failed;
        }
    }
    return exit_code;
}

struct MergeOptions {
    std::vector<std::string> stores;
    std::string output;
};

int merge(const MergeOptions& options)
{
    const std::vector<std::filesystem::path> stores(options.stores.begin(), options.stores.end());
    const results::Merged merged = results::merge(stores, results::Store(options.output));
    for (const std::string& problem : merged.problems)
        note("senteval: {}\n", problem);
    for (const std::string& conflict : merged.conflicts)
        note("senteval: conflict: {}; the first one stays\n", conflict);
    for (const auto& store : merged.empty)
        note("senteval: '{}' has no result that can be used\n", store.string());
    emit("{} added to '{}'", base::counted(merged.added, "result"), options.output);
    if (merged.same > 0)
        emit(", {} were there already", merged.same);
    if (!merged.conflicts.empty())
        emit(", {} in conflict", merged.conflicts.size());
    if (const std::size_t unusable = merged.problems.size(); unusable > 0)
        emit(", {} {} no use", unusable, unusable == 1 ? "file is of" : "files are of");
    emit("\n");
    return merged.conflicts.empty() && merged.problems.empty() ? 0 : exit_failed;
}

struct ExportOptions {
    ResultsOptions results;
    std::string format = "mteb";
    std::string output;
};

struct ImportOptions {
    std::string file;
    std::string encoder;
    std::string output = "results";
    std::string task; ///< empty: `file` names the tasks
    std::string data;
    std::string run_file;
};

void warn(const std::vector<std::string>& problems)
{
    for (const std::string& problem : problems)
        note("senteval: {}\n", problem);
}

/// Checks the option before any work.
void check_output(const ExportOptions& options)
{
    try {
        base::check_folder(options.output);
    } catch (const base::Error& e) {
        throw base::UsageError("--output: {}. Choose another folder", e.what());
    }
}

void export_items(const ExportOptions& options, int& exit_code)
{
    const auto files = exchange::items_to_csv(load_results(options.results, exit_code));
    for (const exchange::ItemsFile& file : files) {
        base::write_file_atomically(std::filesystem::path(options.output) / file.name,
                                    file.content);
        if (std::ranges::count(file.content, '\n') > 1)
            continue;
        note("senteval: '{}' has no items: imported results come without them\n", file.name);
        exit_code = exit_failed;
    }
    emit("{} in {}\n", base::counted(files.size(), "file"), options.output);
}

void export_results(const ExportOptions& options, int& exit_code)
{
    if (options.format == "items")
        return export_items(options, exit_code);
    std::vector<std::string> problems;
    const auto files =
        exchange::to_mteb(load_results(options.results, exit_code), problems, tasks::mteb_means());
    warn(problems);
    for (const exchange::MtebFile& file : files)
        base::write_file_atomically(std::filesystem::path(options.output) / file.path,
                                    base::to_text(file.content, 2) + "\n");
    emit("{} in {}\n", base::counted(files.size(), "file"), options.output);
}

/// Imports a search that was made elsewhere, from a run file of TREC. It has items.
results::Cell import_trec(const ImportOptions& options,
                          std::string_view text,
                          const std::string& name,
                          const task::Tasks& tasks,
                          const std::filesystem::path& data)
{
    const auto chosen = task::select(tasks, options.task);
    if (chosen.size() != 1)
        throw base::UsageError("--task names one task, and '{}' are {}", options.task,
                               chosen.size());
    const task::Task& task = *chosen[0];
    task::DataFolder folder(data_folder(options.data, data));
    auto result = task.load(folder)->judge(results::read_trec(text, name));
    if (!result)
        throw base::UsageError("{} is no search: a run of TREC is of a task of the protocol search "
                               "or reranking",
                               task.info().name);
    results::Cell cell =
        exchange::imported(task.info(), result->metrics, options.encoder, name, text);
    cell.result.task = task.info();
    cell.result.protocol = run::protocol_of(task, {});
    cell.result.data.files = folder.fingerprints();
    cell.result.details = result->details;
    cell.items.traits.resize(result->outcomes.rows.size());
    cell.items.outcomes = std::move(result->outcomes);
    return cell;
}

std::vector<results::Cell> imported_cells(const ImportOptions& options,
                                          std::vector<std::string>& problems)
{
    run::Config config;
    if (!options.run_file.empty())
        run::read_run_file(options.run_file, config);
    const auto tasks = tasks::all_tasks(config.custom_tasks);
    std::vector<results::TaskRecord> known;
    for (const auto& task : tasks)
        known.push_back(task->info());
    if (std::filesystem::is_directory(options.file))
        return exchange::import_mteb(
            options.file, options.encoder, known,
            [data = data_folder(options.data, config.data)](const auto&... part) {
                return tasks::mteb_part(data, part...);
            },
            problems, tasks::mteb_means());
    if (options.encoder.empty())
        throw base::UsageError("--encoder LABEL is missing: what tables call the encoder of '{}'",
                               options.file);
    const base::MappedFile file(options.file);
    const std::string name = std::filesystem::path(options.file).filename().string();
    if (options.task.empty())
        return exchange::import_results(file.bytes(), name, options.encoder, known, problems);
    std::vector<results::Cell> cells{import_trec(options, file.bytes(), name, tasks, config.data)};
    if (const auto missing = cells[0].result.queries_not_ranked(); missing > 0)
        problems.push_back(
            fmt::format("'{}' has no line for {} of the judged queries of {}, which count as 0",
                        name, missing, options.task));
    return cells;
}

void import_results(const ImportOptions& options)
{
    std::vector<std::string> problems;
    std::vector<results::Cell> cells;
    try {
        cells = imported_cells(options, problems);
    } catch (const base::UsageError&) {
        warn(problems);
        throw;
    }
    warn(problems);
    const results::Store store(options.output);
    store.check_writable();
    for (results::Cell& cell : cells)
        store.save(cell);
    std::set<std::string> labels;
    for (const results::Cell& cell : cells)
        labels.insert(cell.result.encoder.label);
    emit("{} of {} {} now in {}\n", base::counted(cells.size(), "result"),
         labels.size() == 1 ? "'" + *labels.begin() + "'" : base::counted(labels.size(), "encoder"),
         cells.size() == 1 ? "is" : "are", options.output);
}

} // namespace

void add_results_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<ListOptions>();
    CLI::App* command = app.add_subcommand("results", "List what a result store has, or remove it");
    add_results_options(*command, options->which);
    command->add_flag("--remove", options->remove,
                      "Remove the results that --encoders and --tasks name, without asking");
    command->callback([options, &exit_code] { exit_code = list_results(*options); });
}

void add_merge_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<MergeOptions>();
    CLI::App* command =
        app.add_subcommand("merge", "Join result stores, such as those of the shards of a run");
    add_option(*command, "stores", options->stores, "Result stores", "STORE")->required();
    add_option(*command, "-o,--output", options->output,
               "The store to add them to; its results stay, conflicts are reported", "DIR")
        ->required();
    command->callback([options, &exit_code] { exit_code = merge(*options); });
}

void add_export_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* command = app.add_subcommand("export", "Write a store's results as other tools do");
    add_results_options(*command, options->results);
    command
        ->add_option("--format", options->format,
                     "mteb: MODEL/REVISION/TASK.json; items: every test item, TASK.csv")
        ->check(CLI::IsMember({"mteb", "items"}))
        ->capture_default_str();
    add_option(*command, "-o,--output", options->output, "Folder for the files", "DIR")->required();
    command->callback([options, &exit_code] {
        exit_code = 0;
        check_output(*options);
        options->results.parts = true;
        export_results(*options, exit_code);
    });
}

void add_import_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<ImportOptions>();
    CLI::App* command =
        app.add_subcommand("import", "Bring results of other programs into a store");
    add_option(
        *command, "file", options->file,
        "SentEval's dictionary of results, saved as JSON; a folder of MTEB's results; or, with "
        "--task, a run file of TREC",
        "FILE")
        ->required()
        ->check(CLI::ExistingPath);
    add_option(*command, "--task", options->task, "The search task of a TREC run", "TASK");
    add_data_option(*command, options->data);
    add_option(*command, "run_file", options->run_file, "Run file with tasks of your own",
               "RUNFILE")
        ->check(CLI::ExistingFile);
    add_option(
        *command, "--encoder", options->encoder,
        "Label of their encoder in tables; of a folder of MTEB's results the models' own names "
        "are usual",
        "LABEL");
    add_option(*command, "-o,--output", options->output, "Result store", "STORE")
        ->capture_default_str();
    command->callback([options, &exit_code] {
        import_results(*options);
        exit_code = 0;
    });
}

} // namespace senteval::host
