#include "host/help.hpp"

#include "core/error.hpp"
#include "core/names.hpp"
#include "host/option_text.hpp"
#include "host/output.hpp"
#include "host/terminal.hpp"
#include "report/table.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

constexpr std::size_t help_column = 27;

/// No line is longer than reads well, or wider than the terminal.
std::size_t columns()
{
    constexpr std::size_t most = 80;
    return std::min(most, width(Stream::out));
}

/// A name and what it means, in two columns; one below the other where the name is long.
std::string entry(const std::string& name, const std::string& description)
{
    const std::string left = "  " + name;
    const bool is_long = left.size() + 2 > help_column;
    const std::string gap = is_long ? "\n" + std::string(help_column, ' ')
                                    : std::string(help_column - left.size(), ' ');
    return left + gap + report::wrapped(description, columns(), help_column) + "\n";
}

/// What -h shows of a command with many options: those that everybody needs, and examples.
struct Short {
    std::string_view command;
    std::vector<std::string_view> options;
    std::string_view examples;
};

const std::array<Short, 3> shorts = {
    {{"run",
      {"--encoder", "--set", "--tasks", "--data", "--output", "--seeds", "--threads", "--limit",
       "--cache", "--format", "--json", "--dry-run", "--overwrite"},
      "  senteval run --encoder glove --set vectors=FILE --tasks CR,TREC --data DIR --seeds 5\n"
      "  senteval run --encoder glove --set vectors=FILE --encoder ./libmine.so --tasks 'STS*'\n"
      "  senteval run grid.toml --dry-run"},
     {"compare",
      {"--tasks", "--encoders", "--table", "--baseline", "--details", "--task", "--format"},
      "  senteval compare results\n"
      "  senteval compare results --baseline glove --tasks transfer\n"
      "  senteval compare results --format latex"},
     {"paragram",
      {"--pairs", "--init", "--output", "--model", "--epochs", "--threads", "--resume"},
      "  senteval train paragram --pairs FILE --init FILE --output MODEL"}}};

const Short* short_of(const CLI::App& command)
{
    const auto* const found = std::ranges::find(shorts, command.get_name(), &Short::command);
    return found == shorts.end() ? nullptr : found;
}

/// The group that a command of the program stands in.
std::string_view group_of(std::string_view command)
{
    struct Group {
        std::string_view name;
        std::vector<std::string_view> commands;
    };
    static const std::array<Group, 5> groups = {
        {{"Evaluate", {"run", "compare", "report", "plan-test", "analyse"}},
         {"Data", {"tasks", "data", "sentences"}},
         {"Encoders", {"encoders", "check", "neighbours"}},
         {"Stores", {"results", "merge", "export", "import"}},
         {"Paraphrase training", {"train"}}}};
    for (const Group& group : groups)
        if (std::ranges::find(group.commands, command) != group.commands.end())
            return group.name;
    return "Others";
}

class Formatter : public CLI::Formatter {
public:
    Formatter()
    {
        label("Positionals", "Arguments");
        label("SUBCOMMAND", "COMMAND");
    }

    /// Of --help (AppFormatMode::All) everything; of -h what everybody needs.
    std::string
    make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override
    {
        const Short* const brief = mode == CLI::AppFormatMode::All ? nullptr : short_of(*app);
        std::string text = make_description(app) + make_usage(app, name) + make_positionals(app);
        text += brief == nullptr ? make_groups(app, CLI::AppFormatMode::Normal)
                                 : everyday_options(*app, *brief);
        text += make_subcommands(app, CLI::AppFormatMode::Normal);
        if (brief == nullptr)
            return text + "\n" + make_footer(app);
        return text + fmt::format("\nExamples:\n{}\n\n'{} --help' tells all options.\n",
                                  brief->examples, name);
    }

    /// The base class puts an empty line before a group and another behind it.
    [[nodiscard]] std::string make_group(std::string group,
                                         bool is_positional,
                                         std::vector<const CLI::Option*> options) const override
    {
        std::string text = group + ":\n";
        for (const CLI::Option* option : options)
            text += make_option(option, is_positional);
        return is_positional ? text + "\n" : text;
    }

    [[nodiscard]] std::string make_usage(const CLI::App* app, std::string name) const override
    {
        return CLI::Formatter::make_usage(app, std::move(name)) + "\n";
    }

    [[nodiscard]] std::string make_option(const CLI::Option* option,
                                          bool is_positional) const override
    {
        std::string name;
        if (is_positional)
            name = option->get_name(true, false);
        else {
            name = names_of(*option);
            if (option->get_type_size() != 0)
                name += " " + placeholder(*option);
        }
        return entry(name, full_description(*option));
    }

    std::string make_subcommand(const CLI::App* command) const override
    {
        return entry(command->get_name(), command->get_description());
    }

    std::string make_description(const CLI::App* app) const override
    {
        return report::wrapped(app->get_description(), columns(), 0) + "\n\n";
    }

    std::string make_footer(const CLI::App* app) const override
    {
        const std::string footer = app->get_footer();
        return footer.empty() ? footer : report::wrapped(footer, columns(), 0) + "\n";
    }

private:
    /// Those that have to be given come first.
    [[nodiscard]] std::string everyday_options(const CLI::App& app, const Short& brief) const
    {
        std::string required;
        std::string others;
        for (const std::string_view name : brief.options)
            if (const CLI::Option* option = app.get_option_no_throw(std::string(name)))
                (option->get_required() ? required : others) += make_option(option, false);
        return "Options:\n" + required + others;
    }
};

void set_up(CLI::App& app, const std::shared_ptr<Formatter>& formatter)
{
    app.formatter(formatter);
    for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        command->group(app.get_parent() == nullptr ? std::string(group_of(command->get_name()))
                                                   : "Commands");
        set_up(*command, formatter);
    }
}

/// A command that was given, with the commands before it.
struct Given {
    const CLI::App* command;
    std::string path; ///< "senteval data fetch"
};

Given innermost(const CLI::App& app)
{
    Given given{&app, app.get_name()};
    while (!given.command->get_subcommands().empty()) {
        given.command = given.command->get_subcommands().back();
        given.path += " " + given.command->get_name();
    }
    return given;
}

std::vector<std::string> options_of(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

std::vector<std::string> commands_of(const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::App* one : command.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(one->get_name());
    return names;
}

std::string problem(const Given& given, const CLI::ParseError& error)
{
    const auto rest = given.command->remaining();
    if (rest.empty())
        return error.what();
    const std::string word = rest.front().substr(0, rest.front().find('='));
    if (word.starts_with('-'))
        return fmt::format("there is no option '{}'.{}", word,
                           core::did_you_mean(word, options_of(*given.command)));
    const auto commands = commands_of(*given.command);
    if (commands.empty())
        return fmt::format("'{}' is one argument too many", word);
    return fmt::format("there is no command '{}'.{}", word, core::did_you_mean(word, commands));
}

} // namespace

void format_help(CLI::App& app)
{
    set_up(app, std::make_shared<Formatter>());
}

void add_help_command(CLI::App& app, int& exit_code)
{
    const auto words = std::make_shared<std::vector<std::string>>();
    CLI::App* command = app.add_subcommand("help", "Tell all about a command");
    command->add_option("command", *words, "Such as: run")->type_name("COMMAND");
    command->callback([&app, words, &exit_code] {
        const CLI::App* about = &app;
        std::string path;
        for (const std::string& word : *words) {
            path += (path.empty() ? "" : " ") + about->get_name();
            const auto all = about->get_subcommands([](const CLI::App*) { return true; });
            const auto next = std::ranges::find(all, word, &CLI::App::get_name);
            if (next == all.end())
                throw core::UsageError("there is no command '{}'.{}", word,
                                       core::did_you_mean(word, commands_of(*about)));
            about = *next;
        }
        path += (path.empty() ? "" : " ") + about->get_name();
        write_output(about->get_formatter()->make_help(about, path, CLI::AppFormatMode::All));
        exit_code = 0;
    });
}

int answer(const CLI::App& app, const CLI::ParseError& error)
{
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
        std::ostringstream out;
        app.exit(error, out, out);
        write_output(out.str());
        return 0;
    }
    const Given given = innermost(app);
    if (given.command->remaining().empty() && !commands_of(*given.command).empty()) {
        write_output(app.help());
        return exit_usage;
    }
    note("senteval: {}\n'{} --help' tells more\n", problem(given, error), given.path);
    return exit_usage;
}

} // namespace senteval::host
