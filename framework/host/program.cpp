#include "base/error.hpp"
#include "base/home.hpp"
#include "core/blas.hpp"
#include "host/commands.hpp"
#include "host/help.hpp"
#include "host/interrupt.hpp"
#include "host/output.hpp"
#include "isolation/protocol.hpp"
#include "isolation/server.hpp"
#include "learn/kernels.hpp"
#include "run/record.hpp"

#include <senteval/child.hpp>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::host {
namespace {

std::string version_text(const core::BlasKernels& blas)
{
    const results::Computer computer = run::this_computer();
    std::string text = "senteval " SENTEVAL_PROGRAM_VERSION;
    const auto add = [&](const char* what, const std::string& value) {
        text += fmt::format("\n{:<10} {}", what, value);
    };
    add("compiler", computer.compiler);
    add("ABI", computer.abi);
    add("BLAS",
        computer.blas +
            (blas.used == blas.found ? "" : fmt::format(" (it had chosen {})", blas.found)));
    add("kernels", learn::kernels().name);
    add("processor", computer.processor);
    return text;
}

/// Expands "~" in names of files and folders of every command, where no shell has done it ("--output=~/results").
void expand_home_in(CLI::App& app)
{
    constexpr std::array<std::string_view, 4> paths = {"DIR", "FILE", "MODEL", "STORE"};
    for (CLI::Option* option : app.get_options())
        if (std::ranges::find(paths, kind_of_value(*option)) != paths.end())
            option->transform(
                [](const std::string& path) { return base::expand_home(path).string(); });
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
        expand_home_in(*command);
}

/// All commands; when one is carried out, its exit code goes to `exit_code`.
std::unique_ptr<CLI::App>
make_command_line(const std::stop_token& stop, team::Team* team, int& exit_code)
{
    auto made = std::make_unique<CLI::App>(
        "Evaluates sentence encoders: how good are the vectors that a library makes of sentences?",
        "senteval");
    CLI::App& app = *made;
    format_help(app);
    app.set_help_flag("-h", "Show the common options");
    app.set_help_all_flag("--help", "Show all options");
    app.set_version_flag("-V,--version", "");
    app.require_subcommand(1);
    add_run_command(app, stop, team, exit_code);
    add_compare_command(app, exit_code);
    add_report_command(app, exit_code);
    add_plan_test_command(app, exit_code);
    add_analyse_command(app, exit_code);
    add_inspect_command(app, exit_code);
    add_tasks_command(app, exit_code);
    add_data_command(app, stop, exit_code);
    add_sentences_command(app, stop, exit_code);
    add_encoders_command(app, exit_code);
    add_check_command(app, stop, exit_code);
    add_results_command(app, exit_code);
    add_merge_command(app, exit_code);
    add_export_command(app, exit_code);
    add_import_command(app, exit_code);
    add_neighbours_command(app, exit_code);
    add_train_command(app, stop, exit_code);
    add_completion_command(app, exit_code);
    add_help_command(app, exit_code);
    // The footer comes after the commands, which would inherit it.
    app.footer(
        "Example:\n"
        "  senteval run --encoder glove --set vectors=FILE \\\n"
        "               --tasks CR 'STS*' --data DIR\n"
        "\n"
        "'senteval COMMAND -h' shows the common options, 'senteval COMMAND --help' all.\n"
        "Exit codes: 0 done, 1 some task failed, 2 usage or configuration, 130 stopped by Ctrl-C.");
    expand_home_in(app);
    return made;
}

/// Tells shells what may follow on a line, or writes manual pages: what is made of the table of commands.
int describe_commands(std::string_view how, const std::vector<std::string>& words)
{
    claim_standard_output();
    int unused = 0;
    const std::stop_token never;
    const auto app = make_command_line(never, nullptr, unused);
    if (how == complete_command)
        answer_completion(*app, words);
    else if (words.size() == 1)
        write_manual(*app, words.front());
    else
        throw base::UsageError("{} needs a folder", how);
    return 0;
}

int run(int argc, char** argv, team::Team* team)
{
    claim_standard_output();
    if (const std::string why = core::why_blas_lacks_memory(); !why.empty()) {
        note("senteval: {}\n", why);
        _exit(exit_usage);
    }
    sdk::adopt_orphans(); // what an encoder's process leaves behind ends with it
    const std::stop_token stop = stop_on_interrupt();
    const core::BlasKernels blas = core::prepare_blas();
    if (blas.slow)
        note("warning: OpenBLAS runs its {} kernels, which are several times slower than this "
             "processor allows: try OPENBLAS_CORETYPE=Haswell in the environment\n",
             blas.used);

    if (!blas.refused.empty())
        note("warning: OPENBLAS_CORETYPE={} names no kernels that this OpenBLAS can run here: it "
             "runs "
             "{}\n",
             blas.refused, blas.used);

    int exit_code = 0;
    const auto app = make_command_line(stop, team, exit_code);
    app->set_version_flag("-V,--version", [&blas] { return version_text(blas); });
    try {
        app->parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return team == nullptr || team->rank() == 0 ? answer(*app, e) : 0;
    } catch (const base::Cancelled&) {
        if (team == nullptr || team->rank() == 0)
            say_stopped();
        return exit_interrupted;
    }
    return exit_code;
}

int run_and_report(int argc, char** argv, team::Team* team)
{
    try {
        if (argc > 1 && argv[1] == isolation::serve_command)
            return isolation::serve({argv + 2, argv + argc});
        if (argc > 1 && (argv[1] == complete_command || argv[1] == manual_command))
            return describe_commands(argv[1], {argv + 2, argv + argc});
        return run(argc, argv, team);
    } catch (const OutputError& e) {
        if (e.is_closed())
            return exit_closed_pipe;
        note("senteval: {}\n", e.what());
        return exit_failed;
    } catch (const base::UsageError& e) {
        note("senteval: {}\n", e.what());
        return exit_usage;
    } catch (const std::exception& e) {
        note("senteval: {}\n", e.what());
        return exit_failed;
    }
}

} // namespace

int run_program(int argc, char** argv, team::Team* team)
{
    const int exit_code = run_and_report(argc, argv, team);
    sdk::end_orphans();
    return exit_code;
}

} // namespace senteval::host
