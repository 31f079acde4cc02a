// senteval -- evaluates sentence encoders.
#include "core/blas.hpp"
#include "core/error.hpp"
#include "host/commands.hpp"
#include "host/ending.hpp"
#include "host/exit_codes.hpp"
#include "host/help.hpp"
#include "host/interrupt.hpp"
#include "host/output.hpp"
#include "host/version.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <csignal>
#include <exception>

namespace {

int run(int argc, char** argv)
{
    using namespace senteval;
    host::claim_standard_output();
    const host::ExitGuard guard;
    const std::stop_token stop = host::stop_on_interrupt();
    const core::BlasKernels blas = core::prepare_blas();
    if (blas.slow)
        host::note(
            "warning: OpenBLAS runs its {} kernels, which are several times slower than this "
            "processor: it may know better with OPENBLAS_CORETYPE=Haswell in the environment\n",
            blas.used);

    CLI::App app(
        "Evaluates sentence encoders: how good are the vectors that a library makes of sentences?",
        "senteval");
    app.set_version_flag("-V,--version", [&blas] { return host::version_text(blas); });
    app.require_subcommand(1);
    int exit_code = 0;
    host::add_run_command(app, stop, exit_code);
    host::add_tasks_command(app, exit_code);
    host::add_encoders_command(app, exit_code);
    host::add_check_command(app, stop, exit_code);
    host::add_sentences_command(app, stop, exit_code);
    host::add_compare_command(app, exit_code);
    host::add_plan_test_command(app, exit_code);
    host::add_report_command(app, exit_code);
    host::add_merge_command(app, exit_code);
    host::add_export_command(app, exit_code);
    host::add_import_command(app, exit_code);
    host::add_data_command(app, stop, exit_code);
    host::add_train_command(app, stop, exit_code);
    host::add_neighbours_command(app, exit_code);
    host::add_analyse_command(app, exit_code);
    // After the commands, which would inherit it.
    app.footer(
        "Example:\n"
        "  senteval run --encoder glove --set vectors=glove.6B.100d.txt \\\n"
        "               --tasks CR 'STS*' --data DIR\n"
        "\n"
        "'senteval COMMAND --help' tells more.\n"
        "Exit codes: 0 done, 1 some task failed, 2 usage or configuration, 130 stopped by Ctrl-C.");
    host::format_help(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return host::answer(app, e);
    } catch (const core::Cancelled&) {
        return host::exit_interrupted;
    }
    return exit_code;
}

} // namespace

int main(int argc, char** argv)
{
    using namespace senteval;
    try {
        return run(argc, argv);
    } catch (const host::OutputError& e) {
        if (e.is_closed())
            return host::exit_closed_pipe;
        host::note("senteval: {}\n", e.what());
        return host::exit_failed;
    } catch (const core::UsageError& e) {
        host::note("senteval: {}\n", e.what());
        return host::exit_usage;
    } catch (const std::exception& e) {
        host::note("senteval: {}\n", e.what());
        return host::exit_failed;
    }
}
