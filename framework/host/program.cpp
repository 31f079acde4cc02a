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
std::unique_ptr<CLI::App> make_command_line(const Program& program,
                                            const std::stop_token& stop,
                                            team::Team* team,
                                            int& exit_code)
{
    auto app = std::make_unique<CLI::App>(
        "Evaluates sentence encoders: how good are the vectors that a library makes of sentences?",
        "senteval");
    format_help(*app);
    app->set_help_flag("-h", "Show the common options");
    app->set_help_all_flag("--help", "Show all options");
    app->set_version_flag("-V,--version", "");
    app->require_subcommand(1);
    program.add_commands(*app, stop, team, exit_code);
    expand_home_in(*app);
    return app;
}

/// Tells shells what may follow on a line, or writes manual pages: what is made of the table of commands.
int describe_commands(const Program& program,
                      std::string_view how,
                      const std::vector<std::string>& words)
{
    claim_standard_output();
    int unused = 0;
    const std::stop_token never;
    const auto app = make_command_line(program, never, nullptr, unused);
    if (how == complete_command)
        answer_completion(*app, words);
    else if (words.size() == 1)
        write_manual(*app, program.is_annex, words.front());
    else
        throw base::UsageError("{} needs a folder", how);
    return 0;
}

int run(int argc, char** argv, const Program& program, team::Team* team)
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
    const auto app = make_command_line(program, stop, team, exit_code);
    app->set_version_flag("-V,--version", [&] {
        if (app->remaining_size() > 0)
            throw CLI::ExtrasError(app->get_name(), app->remaining());
        return version_text(blas);
    });
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

int run_and_report(int argc, char** argv, const Program& program, team::Team* team)
{
    try {
        if (argc > 1 && argv[1] == isolation::serve_command)
            return isolation::serve({argv + 2, argv + argc});
        if (argc > 1 && (argv[1] == complete_command || argv[1] == manual_command))
            return describe_commands(program, argv[1], {argv + 2, argv + argc});
        return run(argc, argv, program, team);
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

int run_program(int argc, char** argv, const Program& program, team::Team* team)
{
    const int exit_code = run_and_report(argc, argv, program, team);
    sdk::end_orphans();
    return exit_code;
}

} // namespace senteval::host
