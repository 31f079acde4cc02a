// commands.hpp -- the subcommands of senteval, one file each.
//
// Each function adds its subcommand to the command line; when it is the one that was given, its
// callback does the work and stores the exit code: 0 done, 1 something failed. A base::UsageError
// that leaves it becomes exit code 2.
#pragma once

#include "team/team.hpp"

#include <CLI/App.hpp>

#include <stop_token>

namespace senteval::host {

/// A program and its commands. `team`: the processes that share a run, where there are several; nullptr otherwise.
struct Program {
    bool is_annex; ///< senteval-annex (annex.hpp)
    void (*add_commands)(CLI::App& app,
                         const std::stop_token& stop,
                         team::Team* team,
                         int& exit_code);
};

extern const Program main_program;

/// Runs the command line; returns the exit code. Call once, on the main thread.
int run_program(int argc, char** argv, const Program& program, team::Team* team);

/// `team`: the processes that share the run, where there are several; nullptr otherwise.
void add_run_command(CLI::App& app, const std::stop_token& stop, team::Team* team, int& exit_code);
void add_sentences_command(CLI::App& app, const std::stop_token& stop, int& exit_code);
void add_tasks_command(CLI::App& app, int& exit_code);
void add_encoders_command(CLI::App& app, int& exit_code);
void add_check_command(CLI::App& app, const std::stop_token& stop, int& exit_code);
void add_same_command(CLI::App& app, const std::stop_token& stop, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_plan_test_command(CLI::App& app, int& exit_code);
void add_report_command(CLI::App& app, int& exit_code);
void add_results_command(CLI::App& app, int& exit_code);
void add_merge_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_import_command(CLI::App& app, int& exit_code);
void add_data_command(CLI::App& app, const std::stop_token& stop, int& exit_code);
void add_inspect_command(CLI::App& app, int& exit_code);
void add_watch_command(CLI::App& app, const std::stop_token& stop, int& exit_code);

} // namespace senteval::host
