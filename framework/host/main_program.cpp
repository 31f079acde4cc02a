#include "host/annex.hpp"
#include "host/commands.hpp"
#include "host/help.hpp"

#include <CLI/App.hpp>

#include <stop_token>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

struct Group {
    const char* name;
    std::vector<std::string> commands;
};

const Group groups[] = {{"Evaluate", {"run", "watch", "compare", "report", "plan-test", "analyse"}},
                        {"Data", {"inspect", "tasks", "data", "sentences"}},
                        {"Encoders", {"encoders", "check", "same", "neighbours"}},
                        {"Stores", {"results", "merge", "export", "import"}},
                        {"Paraphrase training", {"train"}},
                        {"Others", {"completion", "help"}}};

void add_commands(CLI::App& app, const std::stop_token& stop, team::Team* team, int& exit_code)
{
    add_run_command(app, stop, team, exit_code);
    add_compare_command(app, exit_code);
    add_watch_command(app, stop, exit_code);
    add_report_command(app, exit_code);
    add_plan_test_command(app, exit_code);
    app.add_subcommand(analyse_command.name, analyse_command.help);
    add_inspect_command(app, exit_code);
    add_tasks_command(app, exit_code);
    add_data_command(app, stop, exit_code);
    add_sentences_command(app, stop, exit_code);
    add_encoders_command(app, exit_code);
    add_check_command(app, stop, exit_code);
    add_same_command(app, stop, exit_code);
    add_results_command(app, exit_code);
    add_merge_command(app, exit_code);
    add_export_command(app, exit_code);
    add_import_command(app, exit_code);
    app.add_subcommand(neighbours_command.name, neighbours_command.help);
    app.add_subcommand(train_command.name, train_command.help);
    add_completion_command(app, exit_code);
    add_help_command(app, exit_code);
    for (const Group& group : groups)
        for (const std::string& name : group.commands)
            app.get_subcommand(name)->group(group.name);
    // The footer comes after the commands, which would inherit it.
    app.footer("Example:\n"
               "  senteval run --encoder glove --set vectors=FILE \\\n"
               "               --tasks CR 'STS*' --data DIR\n"
               "\n"
               "'senteval COMMAND -h' shows the common options, 'senteval COMMAND --help' all.\n"
               "Exit codes: 0 done, 1 some task failed, 2 usage or configuration, 130 stopped by "
               "Ctrl-C; of "
               "compare --gate and same also 3 no, 4 could not tell.");
}

} // namespace

const Program main_program{false, &add_commands};

} // namespace senteval::host
