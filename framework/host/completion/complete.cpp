#include "host/completion/complete.hpp"

#include "core/names.hpp"
#include "host/completion/command_line.hpp"
#include "host/option_text.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace senteval::host {
namespace {

using Paths = Completion::Paths;

/// The candidates that go on from `typed`; where none do, those that would in other capitals.
std::vector<Candidate> matching(const std::vector<Candidate>& all, const std::string& typed)
{
    std::vector<Candidate> found;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                 [&](const Candidate& one) { return one.text.starts_with(typed); });
    const std::string folded = core::folded(typed);
    if (found.empty() && !folded.empty())
        std::copy_if(all.begin(), all.end(), std::back_inserter(found), [&](const Candidate& one) {
            return core::folded(one.text).starts_with(folded);
        });
    return found;
}

std::vector<Candidate> without_help(const std::vector<std::string>& names)
{
    std::vector<Candidate> all;
    all.reserve(names.size());
    for (const std::string& name : names)
        all.push_back({name, ""});
    return all;
}

/// "CR,TR": one more of a list, without those that are in it.
std::vector<Candidate> next_of_list(std::vector<Candidate> all, const std::string& typed)
{
    const std::size_t comma = typed.rfind(',');
    if (comma == std::string::npos)
        return matching(all, typed);
    const std::string before = typed.substr(0, comma + 1);
    std::erase_if(all, [&](const Candidate& one) {
        return ("," + before).find("," + one.text + ",") != std::string::npos;
    });
    auto found = matching(all, typed.substr(comma + 1));
    for (Candidate& one : found)
        one.text = before + one.text;
    return found;
}

bool looks_like_path(const std::string& word)
{
    return word.find('/') != std::string::npos || word.starts_with('.') || word.starts_with('~');
}

class Completer {
public:
    Completer(const CommandLine& line, const KnownNames& known) : line_(line), known_(known) {}

    [[nodiscard]] Completion word(const std::string& typed) const
    {
        if (line_.wants_value())
            return value(*line_.open_option(), typed);
        if (!line_.is_past_options() && typed.starts_with('-'))
            return option_or_its_value(typed);
        if (line_.open_option() != nullptr)
            return value(*line_.open_option(), typed);
        const auto commands = shown_commands(line_.command());
        if (!commands.empty())
            return command(commands, typed);
        if (line_.positional() != nullptr)
            return value(*line_.positional(), typed);
        return line_.is_past_options() ? Completion() : Completion{options(typed)};
    }

private:
    static Completion command(const std::vector<const CLI::App*>& commands,
                              const std::string& typed)
    {
        std::vector<Candidate> all;
        all.reserve(commands.size());
        for (const CLI::App* one : commands)
            all.push_back({one->get_name(), one->get_description()});
        return {matching(all, typed)};
    }

    [[nodiscard]] std::vector<Candidate> options(const std::string& typed) const
    {
        std::vector<Candidate> usual;
        std::vector<Candidate> other; // spellings of these
        for (const CLI::Option* option : shown_options(line_.command()))
            for (const std::string& name : option->get_lnames()) {
                const bool is_usual =
                    name == option->get_lnames().front() || name.starts_with("no-");
                (is_usual ? usual : other).push_back({"--" + name, option->get_description()});
            }
        auto found = matching(usual, typed);
        return found.empty() ? matching(other, typed) : found;
    }

    [[nodiscard]] Completion option_or_its_value(const std::string& typed) const
    {
        const std::size_t equals = typed.find('=');
        if (equals == std::string::npos)
            return {options(typed)};
        const CLI::Option* const option = line_.option(typed.substr(0, equals));
        if (option == nullptr || option->get_type_size() == 0)
            return {};
        Completion found = value(*option, typed.substr(equals + 1));
        const std::string before = typed.substr(0, equals + 1);
        for (Candidate& one : found.candidates)
            one.text = before + one.text;
        found.prefix = before + found.prefix;
        return found;
    }

    [[nodiscard]] Completion value(const CLI::Option& option, const std::string& typed) const
    {
        const std::string kind = kind_of_value(option);
        if (const auto choices = choices_of(option); !choices.empty())
            return {kind == "LIST" ? next_of_list(without_help(choices), typed)
                                   : matching(without_help(choices), typed)};
        if (kind == "ENCODER")
            return encoder(typed);
        if (kind == "KEY=VALUE")
            return setting(typed);
        if (kind == "TASKS")
            return {next_of_list(known_.tasks(), typed)};
        if (kind == "TASK")
            return {matching(known_.tasks(), typed)};
        if (kind == "FILE|TASK")
            return {matching(known_.tasks(), typed), Paths::files, ""};
        if (kind == "DATASET")
            return {matching(known_.datasets(), typed)};
        if (kind == "FILE" || kind == "MODEL")
            return {{}, Paths::files, ""};
        if (kind == "DIR" || kind == "STORE")
            return {{}, Paths::folders, ""};
        return {};
    }

    /// A library where no name goes on like this: a folder's files say little about encoders.
    [[nodiscard]] Completion encoder(const std::string& typed) const
    {
        if (looks_like_path(typed))
            return {{}, Paths::files, ""};
        auto found = matching(known_.encoders(), typed);
        const Paths paths = found.empty() ? Paths::files : Paths::none;
        return {std::move(found), paths, ""};
    }

    [[nodiscard]] Completion setting(const std::string& typed) const
    {
        if (line_.encoder().empty())
            return {};
        const auto parameters = known_.parameters(line_.encoder());
        const std::size_t equals = typed.find('=');
        if (equals == std::string::npos) {
            std::vector<Candidate> keys;
            keys.reserve(parameters.size());
            for (const KnownParameter& one : parameters)
                keys.push_back({one.key + "=", one.help});
            return {matching(keys, typed)};
        }
        const std::string key = typed.substr(0, equals);
        const auto found = std::find_if(parameters.begin(), parameters.end(),
                                        [&](const auto& one) { return one.key == key; });
        if (found == parameters.end())
            return {};
        if (found->is_path)
            return {{}, Paths::files, key + "="};
        if (found->is_switch)
            return {matching({{key + "=true", ""}, {key + "=false", ""}}, typed)};
        return {};
    }

    const CommandLine& line_;
    const KnownNames& known_;
};

} // namespace

Completion
complete(const CLI::App& app, std::span<const std::string> words, const KnownNames& known)
{
    CommandLine line(app);
    for (std::size_t w = 0; w + 1 < words.size(); ++w)
        line.read(words[w]);
    return Completer(line, known).word(words.empty() ? "" : words.back());
}

} // namespace senteval::host
