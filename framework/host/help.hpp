// help.hpp -- help texts, and the answer to a command line that asks for one or cannot be read.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Error.hpp>

#include <filesystem>
#include <string_view>

namespace senteval::host {

/// The first argument that makes the program write its manual pages into a folder: `senteval __manual DIR`.
inline constexpr std::string_view manual_command = "__manual";

/// Lays help out in 80 columns: -h short, --help whole. Call before commands are added, which inherit it.
void format_help(CLI::App& app);

/// `senteval help run` is `senteval run --help`. Call when all other commands have been added: it groups them.
void add_help_command(CLI::App& app, int& exit_code);

/// Prints what a parse ended in: the help or version that was asked for, the help of a command that
/// was given without what it needs to know, or what is wrong, with the nearest command or option.
/// Returns the exit code, 0 or 2.
int answer(const CLI::App& app, const CLI::ParseError& error);

/// Writes a manual page of every command, which is its help, and the completion scripts, where an installation has
/// them below share/: man/man1/, bash-completion/completions/, zsh/vendor-completions/, fish/vendor_completions.d/.
void write_manual(const CLI::App& app, const std::filesystem::path& share);

} // namespace senteval::host
