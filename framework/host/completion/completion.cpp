#include "host/completion/completion.hpp"

#include "core/error.hpp"
#include "data/manifest.hpp"
#include "encoder/find.hpp"
#include "host/bash_completion.hpp"
#include "host/completion/complete.hpp"
#include "host/fish_completion.hpp"
#include "host/output.hpp"
#include "host/zsh_completion.hpp"
#include "isolation/loader.hpp"
#include "tasks/catalog.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <utility>

namespace senteval::host {
namespace {

/// Somebody waits with a finger on the key.
constexpr std::chrono::seconds longest_look(3);

encoder::PluginLoader loader()
{
    return isolation::careful_loader({}, longest_look);
}

std::string text_of(const char* maybe)
{
    return maybe == nullptr ? "" : maybe;
}

std::vector<Candidate> encoder_names()
{
    std::vector<Candidate> names;
    for (const auto& plugin : encoder::load_bundled_plugins(loader()).usable)
        for (const senteval_encoder* one : plugin->encoders())
            names.push_back({std::string(encoder::short_name(*one)), text_of(one->description)});
    return names;
}

std::vector<KnownParameter> parameters_of(const std::string& name)
{
    const auto found = encoder::find_encoder(name, std::filesystem::current_path(), loader());
    std::vector<KnownParameter> parameters;
    for (std::size_t p = 0; p < found.encoder->param_count; ++p) {
        const senteval_param_spec& spec = *found.encoder->params[p];
        const auto type = spec.default_value.type;
        parameters.push_back({spec.key, text_of(spec.help), type == SENTEVAL_TYPE_BOOLEAN,
                              type == SENTEVAL_TYPE_PATH});
    }
    return parameters;
}

void add_once(std::vector<Candidate>& all, const std::string& name, const std::string& help)
{
    if (std::none_of(all.begin(), all.end(), [&](const auto& one) { return one.text == name; }))
        all.push_back({name, help});
}

std::vector<Candidate> task_names()
{
    std::vector<Candidate> names;
    std::vector<Candidate> groups;
    for (const auto& task : tasks::catalog()) {
        names.push_back({task->info().name, task->info().protocol});
        for (const std::string& group : task->info().groups)
            add_once(groups, group, "group of tasks");
    }
    names.insert(names.end(), groups.begin(), groups.end());
    return names;
}

std::vector<Candidate> dataset_names()
{
    std::vector<Candidate> names;
    std::vector<Candidate> groups;
    for (const data::Dataset& dataset : data::builtin_manifest().datasets) {
        names.push_back({dataset.name, dataset.title});
        for (const std::string& task : dataset.tasks)
            add_once(names, task, dataset.title);
        add_once(groups, dataset.group, "group of datasets");
    }
    names.insert(names.end(), groups.begin(), groups.end());
    return names;
}

/// What stands on a line of its own must.
std::string on_one_line(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
    return text;
}

std::string_view name_of(Completion::Paths paths)
{
    return paths == Completion::Paths::none    ? "none"
           : paths == Completion::Paths::files ? "files"
                                               : "folders";
}

} // namespace

void answer_completion(const CLI::App& app, std::span<const std::string> words)
{
    Completion completion;
    try {
        completion =
            complete(app, words, {encoder_names, task_names, dataset_names, parameters_of});
    } catch (const core::Error&) { // an encoder that is none, say: nothing to offer, and no noise
    }
    emit("{}\t{}\n", name_of(completion.paths), on_one_line(completion.prefix));
    for (const Candidate& one : completion.candidates)
        emit("{}\t{}\n", on_one_line(one.text), on_one_line(one.help));
}

std::string_view completion_script(std::string_view shell)
{
    return shell == "bash" ? bash_completion : shell == "zsh" ? zsh_completion : fish_completion;
}

void add_completion_command(CLI::App& app, int& exit_code)
{
    const auto shell = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand(
        "completion", "Print the script that completes command lines in bash, zsh or fish");
    command->add_option("shell", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command->footer(
        "Packages and installations bring the scripts along. Without:\n"
        "  bash:  source <(senteval completion bash)         in ~/.bashrc\n"
        "  zsh:   source <(senteval completion zsh)          in ~/.zshrc, after compinit\n"
        "  fish:  senteval completion fish | source          in ~/.config/fish/config.fish");
    command->callback([shell, &exit_code] {
        write_output(completion_script(*shell));
        exit_code = 0;
    });
}

} // namespace senteval::host
