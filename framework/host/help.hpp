// help.hpp -- help texts, and the answer to a command line that asks for one or cannot be read.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Error.hpp>

namespace senteval::host {

/// Lays the help of `app` and its commands out in 80 columns: -h short, --help whole, commands in groups. Call when
/// all commands have been added.
void format_help(CLI::App& app);

/// `senteval help run` is `senteval run --help`.
void add_help_command(CLI::App& app, int& exit_code);

/// Prints what a parse ended in: the help or version that was asked for, the help of a command that
/// was given without what it needs to know, or what is wrong, with the nearest command or option.
/// Returns the exit code, 0 or 2.
int answer(const CLI::App& app, const CLI::ParseError& error);

} // namespace senteval::host
