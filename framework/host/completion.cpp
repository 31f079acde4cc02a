#include "base/names.hpp"
#include "data/manifest.hpp"
#include "encoder/find.hpp"
#include "host/bash_completion.hpp"
#include "host/fish_completion.hpp"
#include "host/help.hpp"
#include "host/output.hpp"
#include "host/zsh_completion.hpp"
#include "isolation/loader.hpp"
#include "tasks/catalog.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace senteval::host {
namespace {

/// Words, and what they mean.
using Words = std::map<std::string, std::string>;

Words encoder_names()
{
    Words names;
    for (const auto& plugin : encoder::load_bundled_plugins(isolation::careful_loader({})).usable)
        for (const senteval_encoder* one : plugin->encoders())
            names[std::string(encoder::short_name(*one))] =
                one->description == nullptr ? "" : one->description;
    return names;
}

Words task_names()
{
    Words names;
    for (const auto& task : tasks::catalog()) {
        names[task->info().name] = task->info().protocol;
        for (const std::string& group : task->info().groups)
            names[group] = "group of tasks";
    }
    return names;
}

Words dataset_names()
{
    Words names;
    for (const data::Dataset& dataset : data::builtin_manifest().datasets) {
        names[dataset.name] = dataset.title;
        names[dataset.group] = "group of datasets";
    }
    return names;
}

/// Values of an option; none of a file or folder: the shell knows better.
Words values_of(const CLI::Option& option)
{
    const std::string kind = kind_of_value(option);
    Words values;
    for (const std::string& choice : choices_of(option))
        values[choice];
    return kind == "ENCODER"                                          ? encoder_names()
           : kind == "TASKS" || kind == "TASK" || kind == "FILE|TASK" ? task_names()
           : kind == "DATASET"                                        ? dataset_names()
                                                                      : values;
}

/// Words that may stand where no value of an option does.
Words words_of(const CLI::App& command, bool is_option)
{
    Words words;
    for (const CLI::Option* option : command.get_options())
        if (is_option && !option->get_group().empty())
            for (const std::string& name : option->get_lnames())
                words["--" + name] = option->get_description();
        else if (!is_option && option->get_positional())
            words.merge(values_of(*option));
    for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; }))
        if (!is_option)
            words[one->get_name()] = one->get_description();
    return words;
}

} // namespace

void answer_completion(const CLI::App& app, std::span<const std::string> words)
{
    const CLI::App* command = &app;
    const CLI::Option* option = nullptr; // that the next word is a value of
    const std::string typed = words.empty() ? "" : words.back();
    for (std::size_t w = 0; w + 1 < words.size(); ++w) {
        const std::string& word = words[w];
        if (word.starts_with('-')) {
            option = command->get_option_no_throw(word);
            if (option != nullptr && option->get_type_size() == 0)
                option = nullptr; // a flag
        } else if (option == nullptr) {
            const auto next = command->get_subcommands(
                [&](const CLI::App* one) { return one->get_name() == word; });
            command = next.empty() ? command : next.front();
        } else if (!takes_several(*option))
            option = nullptr;
    }
    const bool is_option = typed.starts_with('-');
    for (const auto& [word, help] :
         option != nullptr && !is_option ? values_of(*option) : words_of(*command, is_option))
        if (base::folded(word).starts_with(base::folded(typed)) &&
            word.starts_with('-') == is_option)
            emit("{}\t{}\n", word, help);
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
        "Packages and installations come with the scripts. Otherwise:\n"
        "  bash:  source <(senteval completion bash)         in ~/.bashrc\n"
        "  zsh:   source <(senteval completion zsh)          in ~/.zshrc, after compinit\n"
        "  fish:  senteval completion fish | source          in ~/.config/fish/config.fish");
    command->callback([shell, &exit_code] {
        write_output(completion_script(*shell));
        exit_code = 0;
    });
}

std::string kind_of_value(const CLI::Option& option)
{
    const std::string full = option.get_type_name();
    return full.substr(0, full.find_first_of(": "));
}

bool takes_several(const CLI::Option& option)
{
    return option.get_allow_extra_args() && option.get_expected_max() > 1;
}

std::vector<std::string> choices_of(const CLI::Option& option)
{
    // CLI::IsMember says "{a,b}" of itself, too.
    const std::string full = option.get_type_name();
    const std::size_t open = full.find(":{");
    const std::size_t close = full.find('}', open == std::string::npos ? 0 : open);
    if (open == std::string::npos || close == std::string::npos)
        return {};
    return CLI::detail::split(full.substr(open + 2, close - open - 2), ',');
}

CLI::Validator known_choices(const std::vector<std::string>& choices)
{
    return {[](const std::string&) { return std::string(); },
            fmt::format("{{{}}}", fmt::join(choices, ","))};
}

CLI::Validator a_number()
{
    return {[](const std::string& text) {
                return std::isnan(std::strtod(text.c_str(), nullptr)) ? text + " is no number"
                                                                      : std::string();
            },
            ""};
}

} // namespace senteval::host
