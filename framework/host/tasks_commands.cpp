#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "host/commands.hpp"
#include "host/data_needed.hpp"
#include "host/help.hpp"
#include "host/mteb_data.hpp"
#include "host/output.hpp"
#include "run/run_file.hpp"
#include "task/data_folder.hpp"
#include "task/selection.hpp"
#include "task/task.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/mteb_catalogue.hpp"
#include "text/sentence_lines.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

struct TasksOptions {
    std::string run_file;
    std::string data;
    bool json = false;
    bool keys = false;
};

std::vector<std::string> missing_files(const task::Info& info, const fs::path& data)
{
    std::vector<std::string> missing;
    for (const std::string& file : info.files)
        if (!fs::exists((info.base.empty() ? data : info.base) / file))
            missing.push_back(file);
    return missing;
}

std::string data_state(const task::Task& task, const TasksOptions& options)
{
    const task::Info& info = task.info();
    if (options.data.empty() && info.base.empty())
        return "";
    const auto missing = missing_files(info, options.data);
    if (missing.empty() && !info.base.empty()) { // nobody else has looked at it
        try {
            task::DataFolder data(options.data);
            (void)task.load(data);
        } catch (const base::Error& e) {
            return e.what();
        }
    }
    if (missing.empty())
        return "data present";
    return missing.size() == info.files.size()
               ? "no data"
               : fmt::format("{} of {} files missing: {}", missing.size(), info.files.size(),
                             missing.front());
}

base::Json to_json(const task::Info& info, const TasksOptions& options)
{
    base::Json entry = {{"name", info.name},
                        {"groups", info.groups},
                        {"protocol", info.protocol},
                        {"headline", info.headline},
                        {"metrics", results::to_json(info.metrics)},
                        {"files", info.files}};
    if (!options.data.empty() || !info.base.empty())
        entry["missing"] = missing_files(info, options.data);
    return entry;
}

void list_tasks(TasksOptions options)
{
    if (options.keys) {
        for (const tasks::TaskKey& key : tasks::keys_of_task())
            emit("{}", list_line(fmt::format("{:<21} ", key.name),
                                 fmt::format("{} ({}{}{})", key.what, key.protocols,
                                             key.usual.empty() ? "" : "; default: ", key.usual)));
        return;
    }
    if (options.run_file.starts_with(tasks::mteb_prefix)) {
        list_mteb_tasks(options.run_file.substr(tasks::mteb_prefix.size()),
                        data_folder(options.data), options.json);
        return;
    }
    run::Config config;
    const bool is_name = !options.run_file.empty() && !fs::exists(options.run_file) &&
                         fs::path(options.run_file).extension() != ".toml";
    if (!options.run_file.empty() && !is_name)
        run::read_run_file(options.run_file, config);
    options.data = data_folder(options.data, config.data).string();
    if (!options.data.empty() && !fs::is_directory(options.data))
        throw base::UsageError("data folder '{}' does not exist", options.data);
    const auto catalog = tasks::all_tasks(config.custom_tasks);
    const auto tasks = task::select(catalog, is_name ? options.run_file : "all");
    if (options.json) {
        base::Json all = base::Json::array();
        for (const task::Task* task : tasks)
            all.push_back(to_json(task->info(), options));
        emit_json(all);
        return;
    }
    std::size_t name_width = 0;
    std::size_t group_width = 0;
    for (const task::Task* task : tasks) {
        name_width = std::max(name_width, task->info().name.size());
        group_width =
            std::max(group_width, fmt::format("{}", fmt::join(task->info().groups, ",")).size());
    }
    for (const task::Task* task : tasks) {
        const task::Info& info = task->info();
        const std::string state = data_state(*task, options);
        const std::string row =
            fmt::format("{:<{}}  {:<{}}  ", info.name, name_width,
                        fmt::format("{}", fmt::join(info.groups, ",")), group_width);
        const std::string text = info.protocol + (state.empty() ? "" : "  -- ") + state;
        emit("{}", list_line(row, text));
    }
}

struct SentencesOptions {
    std::string run_file;
    std::vector<std::string> tasks;
    std::string data;
    std::string output;
    std::vector<std::string> without;
};

run::Config sentences_config(const SentencesOptions& options)
{
    run::Config config;
    if (!options.run_file.empty())
        run::read_run_file(options.run_file, config);
    config.data = data_folder(options.data, config.data);
    if (!options.tasks.empty())
        config.tasks = options.tasks;
    if (config.tasks.empty() && !config.custom_tasks.empty())
        config.tasks = {"custom"};
    if (config.tasks.empty())
        throw base::UsageError("--tasks is missing: 'senteval tasks' lists tasks and groups");
    return config;
}

/// Distinct sentences in the order in which tasks first show them to an encoder, one per line; as JSON where some are
/// as they were written.
class SentenceList {
public:
    /// Leaves out the lines of a file.
    void leave_out(const std::string& path)
    {
        const base::MappedFile file(path);
        for (text::SentenceLine& line : text::read_sentence_lines(path, file.bytes()))
            seen_.insert(std::move(line));
    }

    void add(const task::LoadedTask& loaded)
    {
        for (const text::Sentence& sentence : loaded.samples()) {
            is_json_ = is_json_ || sentence.verbatim;
            const auto [line, is_new] = seen_.emplace(sentence.text, sentence.role);
            if (is_new)
                lines_.push_back(&*line);
        }
    }

    [[nodiscard]] std::string text() const
    {
        std::string text;
        for (const text::SentenceLine* line : lines_)
            text.append(is_json_ ? text::json_line(*line) : line->first).append("\n");
        return text;
    }
    [[nodiscard]] std::size_t count() const noexcept { return lines_.size(); }

private:
    std::set<text::SentenceLine> seen_;
    std::vector<const text::SentenceLine*> lines_;
    bool is_json_ = false;
};

int write_sentences(const SentencesOptions& options, const std::stop_token& stop)
{
    const run::Config config = sentences_config(options);
    const auto catalog = tasks::all_tasks(config.custom_tasks);
    const auto tasks = task::select(catalog, config.tasks);
    if (options.output.empty())
        throw base::UsageError("--output is required: the file for the sentences, or - for "
                               "standard output");
    const OutputFile output("--output", options.output);
    output.check_writable();
    require_data(tasks, config.data);
    SentenceList sentences;
    for (const std::string& file : options.without)
        sentences.leave_out(file);
    std::vector<std::string> failures;
    for (const task::Task* task : tasks) {
        if (stop.stop_requested())
            throw base::Cancelled();
        try {
            task::DataFolder data(config.data);
            sentences.add(*task->load(data));
            for (const std::string& warning : data.data_warnings())
                note("{}: {}\n", task->info().name, warning);
        } catch (const base::Error& e) {
            failures.push_back(fmt::format("{}: {}", task->info().name, e.what()));
        }
    }
    for (const std::string& failure : failures)
        note("senteval: {}\n", failure);
    if (failures.size() == tasks.size())
        return exit_failed;
    output.write(sentences.text());
    note("{} distinct sentences of {} {}\n", sentences.count(), tasks.size() - failures.size(),
         tasks.size() - failures.size() == 1 ? "task" : "tasks");
    return failures.empty() ? 0 : exit_failed;
}

} // namespace

void add_tasks_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<TasksOptions>();
    CLI::App* command =
        app.add_subcommand("tasks", "List the tasks, and whether their data is there");
    add_option(*command, "run_file", options->run_file,
               "A run in TOML: lists the tasks it describes too, and looks at its data; or a task "
               "or group, to list it alone; or mteb:NAME, MTEB's tasks: a name, a pattern, a "
               "benchmark",
               "FILE");
    add_data_option(*command, options->data);
    command->add_flag("--json", options->json, "Write JSON");
    command->add_flag("--keys", options->keys, "List the keys of a [[task]] of a run file instead");
    command->callback([options, &exit_code] {
        list_tasks(*options);
        exit_code = 0;
    });
}

void add_sentences_command(CLI::App& app, const std::stop_token& stop, int& exit_code)
{
    const auto options = std::make_shared<SentencesOptions>();
    CLI::App* command = app.add_subcommand(
        "sentences", "Write the sentences of tasks, to be encoded elsewhere (see 'precomputed')");
    add_option(*command, "run_file", options->run_file,
               "A run in TOML: its tasks, the ones that it describes, its data", "FILE");
    add_option(*command, "--tasks", options->tasks,
               "Tasks and groups, as 'senteval run' knows them", "TASKS");
    add_data_option(*command, options->data);
    add_option(*command, "-o,--output", options->output,
               "File for the sentences, one per line, as JSON lines where texts are as they were "
               "written (- for standard output; required)",
               "FILE");
    add_option(*command, "--without", options->without, "File of sentences to leave out", "FILE")
        ->check(CLI::ExistingFile);
    command->callback([options, stop, &exit_code] { exit_code = write_sentences(*options, stop); });
}

} // namespace senteval::host
