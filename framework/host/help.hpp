// help.hpp -- what is told of the command line: help, manual pages, and completion in bash, zsh and fish.
//
// The placeholder of an option tells what kind of value stands for it: ENCODER an encoder's name or library, TASKS
// tasks and groups separated by commas, TASK one of them, DATASET a dataset, task or group of tasks, KEY=VALUE a
// parameter of an encoder, FILE and MODEL a file, DIR and STORE a folder; FILE|TASK either. LIST is a
// list of values separated by commas. Any other is just a word for the reader.
//
// The completion scripts hold nothing of the program: they ask it with each TAB, with the words up to the cursor, and
// get a line WORD <tab> HELP for each word that the last one may become. Where there is none they offer files.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Error.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {

/// An option that takes values; `type` stands for one in the help (see above).
template <typename T>
CLI::Option*
add_option(CLI::App& command, const char* name, T& value, const char* help, const char* type)
{
    return command.add_option(name, value, help)->type_name(type);
}

/// The first argument that makes the program write its manual pages into a folder: `senteval __manual DIR`.
inline constexpr std::string_view manual_command = "__manual";

/// Lays help out in 80 columns: -h short, --help whole. Call before commands are added, which inherit it.
void format_help(CLI::App& app);

/// `senteval help run` is `senteval run --help`.
void add_help_command(CLI::App& app, int& exit_code);

/// Prints what a parse ended in: the help or version that was asked for, the help of a command that
/// was given without what it needs to know, or what is wrong, with the nearest command or option.
/// Returns the exit code, 0 or 2.
int answer(const CLI::App& app, const CLI::ParseError& error);

/// Writes a manual page of every command that the program carries out, which is its help, and unless it is the annex
/// the completion scripts, where an installation has them below share/: man/man1/, bash-completion/completions/,
/// zsh/vendor-completions/, fish/vendor_completions.d/.
void write_manual(const CLI::App& app, bool is_annex, const std::filesystem::path& share);

/// "FILE" of CLI11's "FILE:PATH(existing)"; "NAME" of "NAME:{a,b}".
std::string kind_of_value(const CLI::Option& option);

/// Whether it takes several words.
bool takes_several(const CLI::Option& option);

/// The values that an option takes; none where they are not a few words.
std::vector<std::string> choices_of(const CLI::Option& option);

/// Tells choices_of() the values that an option takes. They are not checked: what reads them does.
CLI::Validator known_choices(const std::vector<std::string>& choices);

/// Refuses "nan", which CLI::Range lets through.
CLI::Validator a_number();

/// The first argument that makes the program complete a command line: `senteval __complete WORDS`.
inline constexpr std::string_view complete_command = "__complete";

/// The answer on standard output. `words`: those behind the program's name, the last one unfinished.
void answer_completion(const CLI::App& app, std::span<const std::string> words);

/// Adds the command that prints the scripts.
void add_completion_command(CLI::App& app, int& exit_code);

/// The script for "bash", "zsh" or "fish".
std::string_view completion_script(std::string_view shell);

} // namespace senteval::host
