#include "core/error.hpp"
#include "core/files.hpp"
#include "core/home.hpp"
#include "host/commands.hpp"
#include "host/data_needed.hpp"
#include "host/output.hpp"
#include "run/run_file.hpp"
#include "task/data_folder.hpp"
#include "task/selection.hpp"
#include "tasks/custom/custom.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

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
    if (!options.data.empty())
        config.data = task::data_root(core::expand_home(options.data));
    if (!options.tasks.empty())
        config.tasks = options.tasks;
    if (config.tasks.empty() && !config.custom_tasks.empty())
        config.tasks = {"custom"};
    if (config.tasks.empty())
        throw core::UsageError("--tasks is missing: 'senteval tasks' lists tasks and groups");
    return config;
}

/// Distinct sentences in the order in which tasks first show them to an encoder, one per line.
class SentenceList {
public:
    /// Its lines are left out.
    void leave_out(const std::string& path)
    {
        const core::MappedFile file(path);
        std::string_view rest = file.bytes();
        while (!rest.empty()) {
            std::string_view line = rest.substr(0, rest.find('\n'));
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
            if (line.ends_with('\r'))
                line.remove_suffix(1);
            seen_.emplace(line);
        }
    }

    void add(const task::Task& task, const task::LoadedTask& loaded)
    {
        for (const text::Sentence& sentence : loaded.samples()) {
            if (sentence.text.find_first_of("\r\n") != std::string_view::npos)
                throw core::Error("task {} has a sentence with a line end in it, which cannot "
                                  "stand on a line: {}",
                                  task.info().name, text::quote(sentence.text));
            if (!seen_.emplace(sentence.text).second)
                continue;
            text_ += sentence.text;
            text_ += '\n';
            ++count_;
        }
    }

    [[nodiscard]] const std::string& text() const noexcept { return text_; }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }

private:
    std::unordered_set<std::string> seen_;
    std::string text_;
    std::size_t count_ = 0;
};

int write_sentences(const SentencesOptions& options, const std::stop_token& stop)
{
    const run::Config config = sentences_config(options);
    const auto catalog = tasks::all_tasks(config.custom_tasks);
    const auto tasks = task::select(catalog, config.tasks);
    if (options.output.empty())
        throw core::UsageError("--output is required: the file for the sentences, or - for "
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
            throw core::Cancelled();
        try {
            task::DataFolder data(config.data);
            sentences.add(*task, *task->load(data));
            for (const std::string& warning : data.data_warnings())
                note("{}: {}\n", task->info().name, warning);
        } catch (const core::Error& e) {
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

void add_sentences_command(CLI::App& app, const std::stop_token& stop, int& exit_code)
{
    const auto options = std::make_shared<SentencesOptions>();
    CLI::App* command = app.add_subcommand(
        "sentences", "Write the sentences of tasks, to be encoded elsewhere (see 'precomputed')");
    command
        ->add_option("run_file", options->run_file,
                     "A run in TOML: its tasks, the ones that it describes, its data")
        ->type_name("FILE");
    command->add_option("--tasks", options->tasks, "Tasks and groups, as 'senteval run' knows them")
        ->type_name("TASKS");
    command->add_option("--data", options->data, "Folder of the datasets")->type_name("DIR");
    command
        ->add_option("-o,--output", options->output,
                     "File for the sentences, one per line (- for standard output; required)")
        ->type_name("FILE");
    command
        ->add_option("--without", options->without,
                     "File of sentences that are there already: they are left out")
        ->type_name("FILE")
        ->check(CLI::ExistingFile);
    command->callback([options, stop, &exit_code] { exit_code = write_sentences(*options, stop); });
}

} // namespace senteval::host
