#include "host/completion/completion.hpp"

#include "core/names.hpp"
#include "data/manifest.hpp"
#include "encoder/find.hpp"
#include "host/bash_completion.hpp"
#include "host/fish_completion.hpp"
#include "host/option_text.hpp"
#include "host/output.hpp"
#include "host/zsh_completion.hpp"
#include "isolation/loader.hpp"
#include "tasks/catalog.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

/// What a word may become, and what it means.
using Candidates = std::vector<std::pair<std::string, std::string>>;

std::string text_of(const char* maybe)
{
    return maybe == nullptr ? "" : maybe;
}

void add_once(Candidates& all, const std::string& name, const std::string& help)
{
    if (std::ranges::none_of(all, [&](const auto& one) { return one.first == name; }))
        all.emplace_back(name, help);
}

Candidates encoder_names()
{
    Candidates names;
    for (const auto& plugin : encoder::load_bundled_plugins(isolation::careful_loader({})).usable)
        for (const senteval_encoder* one : plugin->encoders())
            names.emplace_back(encoder::short_name(*one), text_of(one->description));
    return names;
}

/// Of a bundled encoder: "vectors=".
Candidates parameters_of(const std::string& name)
{
    Candidates keys;
    for (const auto& plugin : encoder::load_bundled_plugins(isolation::careful_loader({})).usable)
        for (const senteval_encoder* one : plugin->encoders())
            if (encoder::short_name(*one) == name)
                for (std::size_t p = 0; p < one->param_count; ++p)
                    keys.emplace_back(text_of(one->params[p]->key) + "=",
                                      text_of(one->params[p]->help));
    return keys;
}

Candidates task_names()
{
    Candidates names;
    for (const auto& task : tasks::catalog())
        names.emplace_back(task->info().name, task->info().protocol);
    for (const auto& task : tasks::catalog())
        for (const std::string& group : task->info().groups)
            add_once(names, group, "group of tasks");
    return names;
}

Candidates dataset_names()
{
    Candidates names;
    for (const data::Dataset& dataset : data::builtin_manifest().datasets) {
        add_once(names, dataset.name, dataset.title);
        for (const std::string& task : dataset.tasks)
            add_once(names, task, dataset.title);
        add_once(names, dataset.group, "group of datasets");
    }
    return names;
}

/// Where on a line one stands.
struct Place {
    const CLI::App* command;
    const CLI::Option* option = nullptr; ///< that the next word may be a value of
    bool wants_value = false;            ///< and must be
    std::string encoder = {};            ///< that was named last
};

/// Options of one command may be spelled in several ways; nullptr where there is none.
const CLI::Option* find_option(const CLI::App& command, const std::string& name)
{
    for (const CLI::Option* option : shown_options(command))
        if (option->nonpositional() && option->check_name(name))
            return option;
    return nullptr;
}

void read(Place& place, const std::string& word)
{
    if (place.option != nullptr && (place.wants_value || !word.starts_with('-'))) {
        if (kind_of_value(*place.option) == "ENCODER")
            place.encoder = word;
        place.wants_value = false;
        if (!takes_several(*place.option))
            place.option = nullptr;
        return;
    }
    place.option = nullptr;
    if (word.starts_with('-')) {
        const CLI::Option* const option = find_option(*place.command, word);
        if (option != nullptr && option->get_type_size() != 0) {
            place.option = option;
            place.wants_value = option->get_items_expected_min() > 0;
        }
        return;
    }
    for (const CLI::App* command : shown_commands(*place.command))
        if (command->get_name() == word)
            place.command = command;
}

Candidates matching(const Candidates& all, const std::string& typed)
{
    Candidates found;
    for (const auto& one : all)
        if (core::folded(one.first).starts_with(core::folded(typed)))
            found.push_back(one);
    return found;
}

/// "CR,TR": one more of a list.
Candidates next_of_list(const Candidates& all, const std::string& typed)
{
    const std::size_t begin = typed.rfind(',') + 1; // 0 where there is none
    Candidates found = matching(all, typed.substr(begin));
    for (auto& one : found)
        one.first.insert(0, typed, 0, begin);
    return found;
}

struct Completion {
    std::string paths = "none"; ///< what the shell is to offer beside the words
    std::string prefix = {};    ///< of the last word, in front of a path
    Candidates words = {};
};

Completion value_of(const CLI::Option& option, const std::string& typed, const Place& place)
{
    const std::string kind = kind_of_value(option);
    if (const auto choices = choices_of(option); !choices.empty()) {
        Candidates all;
        for (const std::string& choice : choices)
            all.emplace_back(choice, "");
        return {"none", "", next_of_list(all, typed)};
    }
    if (kind == "ENCODER") {
        Candidates found = matching(encoder_names(), typed);
        return {found.empty() ? "files" : "none", "", std::move(found)};
    }
    if (kind == "KEY=VALUE") { // most values are files
        const std::size_t equals = typed.find('=');
        return equals == std::string::npos
                   ? Completion{"none", "", matching(parameters_of(place.encoder), typed)}
                   : Completion{"files", typed.substr(0, equals + 1), {}};
    }
    if (kind == "TASKS" || kind == "TASK")
        return {"none", "", next_of_list(task_names(), typed)};
    if (kind == "DATASET")
        return {"none", "", matching(dataset_names(), typed)};
    if (kind == "FILE|TASK")
        return {"files", "", matching(task_names(), typed)};
    if (kind == "FILE" || kind == "MODEL")
        return {"files", "", {}};
    if (kind == "DIR" || kind == "STORE")
        return {"folders", "", {}};
    return {};
}

Candidates option_candidates(const CLI::App& command)
{
    Candidates all;
    for (const CLI::Option* option : shown_options(command))
        for (const std::string& name : option->get_lnames())
            all.emplace_back("--" + name, option->get_description());
    return all;
}

Completion complete(const Place& place, const std::string& typed)
{
    if (place.option != nullptr && (place.wants_value || !typed.starts_with('-')))
        return value_of(*place.option, typed, place);
    if (typed.starts_with('-'))
        return {"none", "", matching(option_candidates(*place.command), typed)};
    if (const auto commands = shown_commands(*place.command); !commands.empty()) {
        Candidates all;
        for (const CLI::App* command : commands)
            all.emplace_back(command->get_name(), command->get_description());
        return {"none", "", matching(all, typed)};
    }
    for (const CLI::Option* option : shown_options(*place.command))
        if (option->get_positional())
            return value_of(*option, typed, place);
    return {"none", "", matching(option_candidates(*place.command), typed)};
}

/// What stands on a line of its own must.
std::string on_one_line(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
    return text;
}

} // namespace

void answer_completion(const CLI::App& app, std::span<const std::string> words)
{
    Place place{&app};
    for (std::size_t w = 0; w + 1 < words.size(); ++w)
        read(place, words[w]);
    const Completion completion = complete(place, words.empty() ? "" : words.back());
    emit("{}\t{}\n", completion.paths, on_one_line(completion.prefix));
    for (const auto& [word, help] : completion.words)
        emit("{}\t{}\n", on_one_line(word), on_one_line(help));
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
