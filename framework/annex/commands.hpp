// commands.hpp -- the subcommands of senteval-annex; host/commands.hpp says what such a function does.
#pragma once

#include <CLI/App.hpp>

#include <stop_token>

namespace senteval::annex {

void add_analyse_command(CLI::App& app, int& exit_code);
void add_neighbours_command(CLI::App& app, int& exit_code);
void add_train_command(CLI::App& app, const std::stop_token& stop, int& exit_code);

} // namespace senteval::annex
