#include "host/data_command.hpp"

#include "base/byte_text.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "data/inspect.hpp"
#include "data/manifest.hpp"
#include "data/originals.hpp"
#include "host/commands.hpp"
#include "host/data_needed.hpp"
#include "host/help.hpp"
#include "host/mteb_data.hpp"
#include "host/output.hpp"
#include "host/results_folder.hpp"
#include "task/data_folder.hpp"
#include "tasks/catalog.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;
using base::Json;
using data::Dataset;

bool is_absent(const Dataset& dataset, const fs::path& root)
{
    return std::ranges::none_of(
        dataset.files, [&](const data::File& file) { return fs::exists(root / file.path); });
}

/// State of a dataset below `root`, in a word.
std::string state_of(const Dataset& dataset, const fs::path& root)
{
    if (is_absent(dataset, root))
        return "absent";
    const auto findings = data::inspect_dataset(root, dataset);
    if (data::has_errors(findings))
        return "wrong";
    return findings.empty() ? "present" : "unusual";
}

std::uint64_t size_of(const Dataset& dataset)
{
    std::uint64_t bytes = 0;
    for (const data::File& file : dataset.files)
        bytes += file.bytes;
    return bytes;
}

Json to_json(const Dataset& dataset, const DataOptions& options)
{
    Json entry = {{"name", dataset.name},       {"group", dataset.group},
                  {"tasks", dataset.tasks},     {"title", dataset.title},
                  {"licence", dataset.licence}, {"citation", dataset.citation},
                  {"note", dataset.note},       {"bytes", size_of(dataset)},
                  {"files", Json::array()},     {"sources", Json::array()}};
    for (const data::File& file : dataset.files)
        entry["files"].push_back(file.path);
    for (const data::Original& original : dataset.originals)
        for (const data::Source& source : original.sources)
            entry["sources"].push_back(source.url +
                                       (source.member.empty() ? "" : "#" + source.member));
    if (!options.dir.empty())
        entry["state"] = state_of(dataset, options.dir);
    return entry;
}

void print_dataset(const Dataset& dataset, const DataOptions& options)
{
    const auto line = [](const std::string& left, const std::string& text) {
        if (!text.empty())
            emit("{}", list_line(left, text));
    };
    const std::uint64_t bytes = size_of(dataset);
    line(fmt::format("{:<22}{:<10}{:>9}  {:<9}", dataset.name, dataset.group,
                     bytes == 0 ? "" : base::byte_text(static_cast<double>(bytes)),
                     options.dir.empty() ? "" : state_of(dataset, options.dir)),
         dataset.title);
    line("    licence: ", dataset.licence + "; " + dataset.citation);
    line("    tasks:   ", fmt::format("{}", fmt::join(dataset.tasks, ", ")));
    if (!dataset.originals.empty() && !dataset.originals.front().sources.empty())
        line("    source:  ", dataset.originals.front().sources.front().url);
    line("    note:    ", dataset.note);
}

int list(const DataOptions& options)
{
    Json all = Json::array();
    for (const Dataset* dataset : selected(options)) {
        if (options.json)
            all.push_back(to_json(*dataset, options));
        else
            print_dataset(*dataset, options);
    }
    if (options.json)
        emit_json(all);
    return 0;
}

Json to_json(const data::Finding& finding)
{
    return {{"dataset", finding.dataset},
            {"file", finding.path},
            {"severity", data::name(finding.severity)},
            {"problem", finding.problem},
            {"meaning", finding.meaning},
            {"advice", finding.advice}};
}

/// Adds what the reader of a task finds in its files. What stops it is an error, where the files
/// themselves seem to be right.
void read_task(const task::Task& task,
               const fs::path& root,
               data::Contents& contents,
               std::size_t& empty_sentences,
               std::string& problem)
{
    task::DataFolder folder(root);
    try {
        (void)task.load(folder);
    } catch (const base::Error& e) {
        problem = e.what();
    }
    empty_sentences = std::max(empty_sentences, folder.empty_sentences());
    for (const auto& [file, counts] : folder.contents())
        if (text::Counts& known = contents[file]; known.labels.empty())
            known = counts; // of two tasks, one may read no labels
}

/// Findings on the files that tasks read, as their readers see them, and on the downloads beside them.
std::vector<data::Finding>
examine(const Dataset& dataset, const task::Tasks& catalog, const fs::path& root)
{
    data::Contents contents;
    std::size_t empty_sentences = 0;
    std::string problem;
    for (const auto& task : catalog)
        if (std::ranges::find(dataset.tasks, task->info().name) != dataset.tasks.end())
            read_task(*task, root, contents, empty_sentences, problem);
    if (!problem.empty())
        contents.clear(); // broken off somewhere
    auto findings = data::inspect_dataset(root, dataset, contents, empty_sentences);
    if (!problem.empty() && !data::is_broken(findings))
        findings.push_back({data::Severity::error, dataset.name, dataset.name, "cannot be read",
                            problem, "Repair that line, or fetch the file anew"});
    for (data::Finding& finding : data::inspect_originals(root / "originals", dataset))
        findings.push_back(std::move(finding));
    return findings;
}

/// A command in it can be copied as it stands.
std::string advice_for(const data::Finding& finding, const std::string& dir)
{
    const bool is_command = finding.advice.starts_with("Run: senteval data fetch");
    return finding.advice + (is_command ? " --data " + shell_word(dir) : "");
}

void print_findings(const std::string& name,
                    const std::vector<data::Finding>& findings,
                    const std::string& dir)
{
    emit("{:<21} {}\n", name,
         findings.empty()             ? "good"
         : data::has_errors(findings) ? "wrong"
                                      : "unusual");
    for (const data::Finding& finding : findings) {
        const std::string what = fmt::format("{}: {} {}: {}.", data::name(finding.severity),
                                             finding.path, finding.problem, finding.meaning);
        emit("    {}\n      {}\n", wrapped_for_reading(what, 6, base::LongWords::broken),
             wrapped_for_reading(advice_for(finding, dir), 6));
    }
}

std::string nothing_to_verify(const data::Manifest& manifest, const std::string& dir)
{
    return fmt::format("there is no dataset in '{}' that can be verified{}{}", dir,
                       manifest.data_warning.empty() ? "" : ": ", manifest.data_warning);
}

int verify(DataOptions options)
{
    if (!fs::is_directory(options.dir))
        throw base::UsageError("data folder '{}' {}", options.dir,
                               fs::exists(options.dir) ? "is a file" : "does not exist");
    const auto mteb_names = take_mteb_names(options.names);
    const data::Manifest manifest = data::manifest_for(options.dir);
    if (!manifest.data_warning.empty() && manifest.datasets.empty() && !options.names.empty())
        throw base::UsageError("{}", nothing_to_verify(manifest, options.dir));
    const task::Tasks catalog = tasks::catalog();
    bool errors = false;
    bool anything = false;
    Json all = Json::array();
    if (!mteb_names.empty() || options.names.empty())
        for (const auto& [name, findings] : verify_mteb_tasks(options.dir, mteb_names)) {
            anything = true;
            errors = errors || data::has_errors(findings);
            if (!options.json)
                print_findings(name, findings, options.dir);
            for (const data::Finding& finding : findings)
                all.push_back(to_json(finding));
        }
    const auto datasets = mteb_names.empty() || !options.names.empty()
                              ? selected(manifest, options)
                              : std::vector<const Dataset*>{};
    for (const Dataset* dataset : datasets) {
        // A dataset that nobody asked for by name may be absent.
        if (options.names.empty() && is_absent(*dataset, options.dir))
            continue;
        anything = true;
        const auto findings = examine(*dataset, catalog, options.dir);
        errors = errors || data::has_errors(findings);
        if (!options.json)
            print_findings(dataset->name, findings, options.dir);
        for (const data::Finding& finding : findings)
            all.push_back(to_json(finding));
    }
    if (options.json)
        emit_json(all);
    else if (!anything)
        emit("{}\n", wrapped_for_reading(nothing_to_verify(manifest, options.dir), 0));
    const bool verified =
        anything || !manifest.data_warning.empty(); // sample data are what they say
    return errors || !verified ? 1 : 0;
}

} // namespace

std::vector<const Dataset*> selected(const data::Manifest& manifest, const DataOptions& options)
{
    std::vector<std::string> names;
    for (const std::string& name : options.names)
        try {
            (void)manifest.select({name});
            names.push_back(name);
        } catch (const base::UsageError&) { // it may be what tasks are called, such as STS-B
            const auto tasks = tasks_named({name});
            if (tasks.size() == 1)
                throw;
            names.insert(names.end(), tasks.begin() + 1, tasks.end());
        }
    return manifest.select(names.empty() ? std::vector<std::string>{"all"} : names);
}

std::vector<const Dataset*> selected(const DataOptions& options)
{
    return selected(data::builtin_manifest(), options);
}

void require_dir(DataOptions& options)
{
    options.dir = data_folder(options.dir).string();
    if (options.dir.empty()) {
        (void)selected(options);
        throw base::UsageError("--data is required: the data folder");
    }
}

void add_dir(CLI::App& command, DataOptions& options)
{
    add_data_option(command, options.dir, "--data,--dir");
}

void add_names(CLI::App& command, DataOptions& options, bool required)
{
    add_option(command, "names", options.names,
               "Datasets, tasks or groups (transfer, probing, vectors); or mteb:NAME, a task or "
               "benchmark of MTEB",
               "DATASET")
        ->required(required);
}

void add_data_command(CLI::App& app, const std::stop_token& stop, int& exit_code)
{
    const auto options = std::make_shared<DataOptions>();
    CLI::App* command = app.add_subcommand("data", "List, fetch, verify and prepare the datasets");
    command->require_subcommand(1);

    CLI::App* lister =
        command->add_subcommand("list", "Every dataset: licence, size, source, tasks");
    add_names(*lister, *options, false);
    add_dir(*lister, *options);
    lister->add_flag("--json", options->json, "Write JSON");
    lister->callback([options, &exit_code] {
        options->dir = data_folder(options->dir).string();
        exit_code = list(*options);
    });

    add_data_fetch_commands(*command, stop, exit_code);

    CLI::App* doctor =
        command->add_subcommand("verify", "What is there, what is wrong, and what to do");
    add_names(*doctor, *options, false);
    add_dir(*doctor, *options);
    doctor->add_flag("--json", options->json, "Write the findings as JSON");
    doctor->callback([options, &exit_code] {
        require_dir(*options);
        exit_code = verify(*options);
    });
}

} // namespace senteval::host
