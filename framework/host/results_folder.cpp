#include "host/results_folder.hpp"

#include "base/error.hpp"
#include "base/home.hpp"
#include "base/names.hpp"
#include "data/manifest.hpp"
#include "host/data_needed.hpp"
#include "host/help.hpp"
#include "host/mteb_data.hpp"
#include "host/output.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/mteb_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace senteval::host {

namespace {

namespace fs = std::filesystem;

/// A damaged store says so in a few lines.
void report_problems(const std::vector<std::string>& problems)
{
    constexpr std::size_t most = 5;
    for (std::size_t at = 0; at < problems.size() && at < most; ++at)
        note("senteval: {}\n", problems[at]);
    if (problems.size() > most)
        note("senteval: {} more files cannot be used\n", problems.size() - most);
}

/// Stores without a result, as of an encoder that failed on every task, are left out where another has some.
void load(const fs::path& given,
          std::vector<results::Cell>& cells,
          std::vector<results::Cost>& costs,
          std::vector<std::string>& empty,
          int& exit_code)
{
    const results::Store folder = existing_store(given);
    const fs::path& store = folder.folder();
    std::vector<std::string> problems;
    auto found = folder.load_all(problems);
    report_problems(problems);
    if (!problems.empty())
        exit_code = exit_failed;
    if (found.empty())
        empty.push_back(store.string());
    std::move(found.begin(), found.end(), std::back_inserter(cells));
    std::vector<std::string> damaged;
    std::ranges::move(folder.costs(damaged), std::back_inserter(costs));
    report_problems(damaged);
}

/// The tasks of tasks_named() that the results have, and words that they have nothing of, which are refused.
std::vector<std::string> expanded(std::vector<std::string> words, const compare::Results& results)
{
    const auto is_there = [&](const std::string& pattern) {
        for (std::size_t task = 0; task < results.tasks().size(); ++task)
            for (const std::string& name : results.names_of(task))
                if (base::matches(name, pattern))
                    return true;
        return false;
    };
    std::vector<std::string> names;
    const auto add = [&](const std::vector<std::string>& meant) {
        const std::size_t before = names.size();
        std::ranges::copy_if(meant, std::back_inserter(names), is_there);
        return names.size() > before;
    };
    for (const std::string& name : take_mteb_names(words))
        if (!add(tasks::mteb_task_names(name)))
            names.push_back(name);
    for (const std::string& word : words) // also a mean of MTEB's tasks
        if (!add(tasks_named({word})) && !add(tasks::mteb_task_names(word)))
            names.push_back(word);
    return names;
}

} // namespace

std::vector<std::string> tasks_named(const std::vector<std::string>& words)
{
    const task::Tasks catalog = tasks::catalog();
    std::vector<std::string> patterns = words;
    for (const std::string& word : words)
        try {
            for (const task::Task* task : task::select(catalog, word))
                patterns.push_back(task->info().name);
        } catch (const base::UsageError&) { // a task of the user's own
        }
    return patterns;
}

compare::KnownTask known_task(const task::Info& task)
{
    return {task.groups.empty() ? "" : task.groups.front(),
            data::builtin_manifest().for_task(task.name) != nullptr};
}

results::Store existing_store(const fs::path& given)
{
    const fs::path store = base::expand_home(given);
    std::error_code error;
    if (fs::exists(store, error) && !fs::is_directory(store, error))
        throw base::UsageError("'{}' is a file, but a result store is a folder: that of 'senteval "
                               "run --output DIR'",
                               store.string());
    if (!fs::is_directory(store, error))
        throw base::UsageError("there is no result store '{}': 'senteval run' makes one (--output "
                               "DIR)",
                               store.string());
    return results::Store(store);
}

void add_results_options(CLI::App& command, ResultsOptions& options)
{
    add_option(command, "store", options.stores, "Result stores of 'senteval run', one or several",
               "STORE")
        ->capture_default_str();
    add_option(command, "--tasks", options.tasks, "Only these: names, groups, patterns like 'STS*'",
               "TASKS")
        ->delimiter(',')
        ->allow_extra_args(false);
    add_option(command, "--encoders", options.encoders,
               "Only these, separated by commas: names or patterns, as in the table. Fewer rows "
               "mean fewer comparisons, and verdicts may change",
               "NAMES")
        ->allow_extra_args(false);
}

void add_parts_option(CLI::App& command, ResultsOptions& options)
{
    command.add_flag("--parts", options.parts,
                     "Each part of a task (subset, split) by itself, in place of their mean");
}

compare::Results load_results(ResultsOptions options, int& exit_code)
{
    if (!options.tasks.empty()) { // `--tasks CR TREC` is two tasks
        const auto words =
            std::ranges::stable_partition(options.stores, [](const std::string& one) {
                return one.find('/') != std::string::npos || fs::exists(base::expand_home(one));
            });
        options.tasks.insert(options.tasks.end(), words.begin(), words.end());
        options.stores.erase(words.begin(), words.end());
        if (options.stores.empty())
            options.stores = ResultsOptions().stores;
    }
    const task::Tasks catalog = tasks::catalog();
    std::vector<results::Cell> cells;
    std::vector<results::Cost> costs;
    std::vector<std::string> empty;
    for (const std::string& store : options.stores)
        load(store, cells, costs, empty, exit_code);
    if (cells.empty())
        throw base::UsageError("there is no result in '{}': a store is the folder that 'senteval "
                               "run --output DIR' writes",
                               fmt::join(empty, "', '"));
    for (const std::string& store : empty) {
        note("senteval: the store '{}' has no results: it is left out\n", store);
        exit_code = exit_failed;
    }
    compare::Results results(std::move(cells));
    results.know_costs(std::move(costs));
    if (results.rows().empty())
        throw base::UsageError("{}", results.notes().empty() ? std::string("there is no result")
                                                             : results.notes().front().text);
    std::vector<std::string> names;
    std::map<std::string, compare::KnownTask> known;
    for (const auto& task : catalog) {
        names.push_back(task->info().name);
        known[task->info().name] = known_task(task->info());
    }
    results.order_tasks(names);
    results.know_tasks(std::move(known));
    results.keep_encoders(options.encoders); // first: those that are not asked for are not missed
    results.keep_tasks(expanded(options.tasks, results));
    if (!options.parts)
        results.join_parts(tasks::mteb_means());
    return results;
}

void add_errors_options(CLI::App& command, ErrorsOptions& options)
{
    add_data_option(command, options.data)->check(CLI::ExistingDirectory);
    add_option(command, "--errors", options.count,
               "Show the N worst errors of each encoder and task, with their sentences", "N")
        ->expected(0, 1)
        ->default_str("20")
        ->check(CLI::Range(1, 1'000'000));
}

namespace {

/// The tasks of SentEval, and those of run files that the results have.
task::Tasks with_own_tasks(const compare::Results& results)
{
    task::Tasks tasks = tasks::catalog();
    std::set<std::string> known;
    for (const results::Cell* cell : results.cells()) {
        const results::TaskRecord& task = cell->result.task;
        const bool has_texts = !cell->items.outcomes.rows.empty(); // an imported score has no data
        if (task.is_own() && has_texts && known.insert(task.name).second)
            tasks.push_back(tasks::task_from_json(task.description));
    }
    return tasks;
}

/// Texts of the data of a task. `limit`: as of the run.
report::TaskTexts read_texts(const task::Tasks& tasks,
                             const std::string& data,
                             const std::string& name,
                             std::size_t limit)
{
    const auto at =
        std::ranges::find_if(tasks, [&](const auto& task) { return task->info().name == name; });
    if (at == tasks.end())
        throw base::Error("its texts are not known here; those of a task's parts are with --parts");
    task::DataFolder folder(data, limit);
    const std::shared_ptr<const task::LoadedTask> loaded = (*at)->load(folder);
    const auto item = [loaded](std::uint32_t number) {
        const task::ItemText text = loaded->item(number);
        return report::TaskTexts::Item{std::string(text.first.text),
                                       std::string(text.is_pair ? text.second.text : "")};
    };
    const auto document = [loaded](std::uint32_t number) {
        const auto sentence = loaded->document(number);
        return sentence ? std::optional(std::string(sentence->text)) : std::nullopt;
    };
    return {folder.fingerprints(), item, document, data};
}

} // namespace

std::vector<report::WorstErrors> worst_errors(const compare::Results& results,
                                              const compare::Comparison& comparison,
                                              const ErrorsOptions& options,
                                              int& exit_code)
{
    std::vector<std::string> problems;
    const auto tasks = with_own_tasks(results);
    const std::string data = data_folder(options.data).string();
    if (data.empty() && tasks.size() == tasks::catalog().size())
        throw base::UsageError("--errors needs the sentences: give --data DIR");
    const auto read = [&](const std::string& task, std::size_t limit) {
        return read_texts(tasks, data, task, limit);
    };
    auto errors = report::worst_errors(results, comparison, read, options.count, problems);
    report_problems(problems);
    if (!problems.empty())
        exit_code = exit_failed;
    return errors;
}

} // namespace senteval::host
