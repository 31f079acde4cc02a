// completion.hpp -- completion of command lines in bash, zsh and fish.
//
// The scripts hold nothing of the program: they ask it with each TAB, with the words up to the cursor, and get a
// line WORD <tab> HELP for each word that the last one may become. Where there is none they offer files.
#pragma once

#include <CLI/App.hpp>

#include <span>
#include <string>
#include <string_view>

namespace senteval::host {

/// The first argument of such a question.
inline constexpr std::string_view complete_command = "__complete";

/// The answer on standard output. `words`: those behind the program's name, the last one unfinished.
void answer_completion(const CLI::App& app, std::span<const std::string> words);

/// Adds the command that prints the scripts.
void add_completion_command(CLI::App& app, int& exit_code);

/// The script for "bash", "zsh" or "fish".
std::string_view completion_script(std::string_view shell);

} // namespace senteval::host
