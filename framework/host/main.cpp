// senteval -- evaluates sentence encoders.
#include "host/annex.hpp"
#include "host/commands.hpp"
#include "host/launcher.hpp"
#include "host/output.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace {

/// The program that shares a run with others lies beside this one: starting without MPI is faster.
/// Returns where it cannot be started.
void become_one_of_several(char** argv)
{
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error)
        return;
    const std::string sibling = (self.parent_path() / "senteval-mpi").string();
    execv(sibling.c_str(), argv);
}

} // namespace

int main(int argc, char** argv)
{
    using namespace senteval;
    const auto variable = [](const char* name) -> const char* { return std::getenv(name); };
    const std::span<char* const> arguments(argv, static_cast<std::size_t>(argc));
    if (variable("OMPI_COMM_WORLD_SIZE") != nullptr)
        setenv("NO_COLOR", "1",
               0); // what mpirun passes on is no terminal, though it looks like one
    if (host::is_for_annex(arguments))
        return host::become_annex(arguments);
    if (host::is_shared_run(arguments, variable)) {
        become_one_of_several(argv);
        host::note("senteval: this is one of {} MPI processes, but senteval-mpi is missing beside "
                   "it, so each would do all the work. Install it (apt install senteval-mpi, where "
                   "senteval came as a package), build where MPI is installed (Debian: "
                   "libopenmpi-dev), or divide the run with --shard K/N\n",
                   host::launched_processes(variable).value_or(1));
        return host::exit_usage;
    }
    return host::run_program(argc, argv, host::main_program, nullptr);
}
