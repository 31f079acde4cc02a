#include "host/help.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/names.hpp"
#include "base/terminal.hpp"
#include "host/annex.hpp"
#include "host/output.hpp"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
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
    return left + gap + base::wrapped(description, columns(), help_column) + "\n";
}

/// The short help (-h) of a command with many options: those that everybody needs, and examples.
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

class Formatter : public CLI::Formatter {
public:
    Formatter()
    {
        label("Positionals", "Arguments");
        label("SUBCOMMAND", "COMMAND");
    }

    /// Full help (--help, AppFormatMode::All), or the short one (-h).
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
        return text + fmt::format("\nExamples:\n{}\n\n'{} --help' shows all options.\n",
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
        std::string name = option->get_lnames().empty() ? "" : "--" + option->get_lnames().front();
        for (const std::string& letter : option->get_snames())
            name.insert(0, "-" + letter + (name.empty() ? "" : ", "));
        if (is_positional)
            name = option->get_name(true, false);
        else if (option->get_type_size() != 0)
            name += " " + kind_of_value(*option) + (takes_several(*option) ? "..." : "");
        std::string text = option->get_description();
        if (option->get_required())
            text += " (required)";
        if (const std::string value = option->get_default_str(); !value.empty())
            text +=
                (option->get_items_expected_min() == 0 ? " (alone: " : " (default: ") + value + ")";
        return entry(name, text);
    }

    std::string make_subcommand(const CLI::App* command) const override
    {
        return entry(command->get_name(), command->get_description());
    }

    std::string make_description(const CLI::App* app) const override
    {
        return base::wrapped(app->get_description(), columns(), 0) + "\n\n";
    }

    std::string make_footer(const CLI::App* app) const override
    {
        const std::string footer = app->get_footer();
        return footer.empty() ? footer : base::wrapped(footer, columns(), 0) + "\n";
    }

private:
    /// Options that are required come first.
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

std::vector<const CLI::App*> commands_of(const CLI::App& app)
{
    return app.get_subcommands([](const CLI::App*) { return true; });
}

/// The command with this name below `app`.
const CLI::App& command_named(const CLI::App& app, const std::string& name)
{
    std::vector<std::string> names;
    for (const CLI::App* one : commands_of(app)) {
        names.push_back(one->get_name());
        if (one->get_name() == name)
            return *one;
    }
    if (names.empty())
        throw base::UsageError("'{}' is one argument too many{}", name,
                               app.get_option_no_throw("--set") == nullptr
                                   ? ""
                                   : "; a parameter of the encoder is --set KEY=VALUE");
    throw base::UsageError("there is no command '{}'.{}", name, base::did_you_mean(name, names));
}

std::string problem(const CLI::App& command, const CLI::ParseError& error)
{
    const auto rest = command.remaining();
    if (rest.empty())
        return error.what();
    const std::string word = rest.front().substr(0, rest.front().find('='));
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    for (const CLI::Option* option : command.get_options()) // "--latex"
        for (const std::string& choice : choices_of(*option))
            if (word == "--" + choice)
                return fmt::format("there is no option '{}'. Did you mean '--{} {}'?", word,
                                   option->get_lnames().front(), choice);
    if (word.starts_with('-'))
        return fmt::format("there is no option '{}'.{}", word, base::did_you_mean(word, names));
    try {
        (void)command_named(command, word);
    } catch (const base::UsageError& e) {
        return e.what();
    }
    return error.what();
}

std::string help_of(const CLI::App& command, const std::string& path)
{
    return command.get_formatter()->make_help(&command, path, CLI::AppFormatMode::All);
}

/// Text for roff, character by character: a hyphen that can be copied, an apostrophe that is one.
std::string roff(std::string_view text)
{
    std::string result;
    char before = '\n';
    for (const char c : text) {
        if (before == '\n' && c == '.')
            result += "\\&";
        result += c == '\\'   ? "\\e"
                  : c == '-'  ? "\\-"
                  : c == '\'' ? "\\(aq"
                  : c == '`'  ? "\\(ga"
                  : c == '~'  ? "\\(ti"
                  : c == '^'  ? "\\(ha"
                              : std::string(1, c);
        before = c;
    }
    return result;
}

constexpr std::string_view environment =
    "SENTEVAL_DATA          the data folder, where --data is not given\n"
    "SENTEVAL_PLUGIN_PATH   folders, separated by colons, whose encoders are known by name,\n"
    "                       before the bundled ones\n"
    "XDG_CACHE_HOME         where fingerprints of large files are kept (default: ~/.cache)\n"
    "OPENBLAS_CORETYPE      the kernels that OpenBLAS is to run\n"
    "SSL_CERT_FILE          the certificates that HTTPS trusts\n"
    "SENTEVAL_PYTHON        the Python of the encoder python, else that of VIRTUAL_ENV\n"
    "NO_COLOR               if set, output has no colours\n";

/// The help of `command` and of all commands below it, as manual pages. `path`: "senteval data fetch"
void write_pages(const CLI::App& command,
                 const std::string& path,
                 const std::filesystem::path& folder)
{
    std::string name = path;
    std::ranges::replace(name, ' ', '-');
    std::string page = fmt::format(
        ".\\\" Made by senteval from its help.\n.TH {} 1 {} \"senteval {}\" \"senteval manual\"\n"
        ".SH NAME\n{} \\- {}\n.SH DESCRIPTION\n.nf\n{}.fi\n",
        roff(name), SENTEVAL_PROGRAM_DATE, SENTEVAL_PROGRAM_VERSION, roff(name),
        roff(command.get_description()), roff(help_of(command, path)));
    if (command.get_parent() == nullptr)
        page += fmt::format(".SH ENVIRONMENT\n.nf\n{}.fi\n", roff(environment));
    base::write_file_atomically(folder / (name + ".1"), page);
    for (const CLI::App* one : commands_of(command))
        if (!is_annex_command(one->get_name()))
            write_pages(*one, path + " " + one->get_name(), folder);
}

} // namespace

void format_help(CLI::App& app)
{
    app.formatter(std::make_shared<Formatter>());
    app.group("Commands"); // of those below it, unless they say otherwise
}

void add_help_command(CLI::App& app, int& exit_code)
{
    const auto words = std::make_shared<std::vector<std::string>>();
    CLI::App* command = app.add_subcommand("help", "Show all about a command");
    command->add_option("command", *words, "Such as: run")->type_name("COMMAND");
    command->callback([&app, words, &exit_code] {
        const CLI::App* about = &app;
        std::string path = app.get_name();
        for (const std::string& word : *words) {
            about = &command_named(*about, word);
            path += " " + word;
        }
        write_output(help_of(*about, path));
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
    const CLI::App* command = &app;
    std::string path = app.get_name();
    while (!command->get_subcommands().empty()) {
        command = command->get_subcommands().back();
        path += " " + command->get_name();
    }
    if (command->remaining().empty() && !commands_of(*command).empty())
        write_output(app.help());
    else
        note("senteval: {}\n'{} --help' shows more\n", problem(*command, error), path);
    return exit_usage;
}

void write_manual(const CLI::App& app, bool is_annex, const std::filesystem::path& share)
{
    const std::filesystem::path pages = share / "man/man1";
    std::filesystem::remove_all(pages); // of commands that there are no longer
    std::filesystem::create_directories(pages);
    if (is_annex) {
        for (const AnnexCommand& one : annex_commands)
            write_pages(*app.get_subcommand(one.name), app.get_name() + " " + one.name, pages);
        return;
    }
    write_pages(app, app.get_name(), pages);
    for (const char* folder :
         {"bash-completion/completions", "zsh/vendor-completions", "fish/vendor_completions.d"})
        std::filesystem::create_directories(share / folder);
    const auto write = [&](const char* file, const char* shell) {
        base::write_file_atomically(share / file, completion_script(shell));
    };
    write("bash-completion/completions/senteval", "bash");
    write("zsh/vendor-completions/_senteval", "zsh");
    write("fish/vendor_completions.d/senteval.fish", "fish");
}

} // namespace senteval::host
