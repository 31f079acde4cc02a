// senteval-mpi -- senteval as one of several processes that share a run; started by senteval itself.
#include "host/commands.hpp"
#include "host/launcher.hpp"
#include "host/output.hpp"
#include "team/mpi_team.hpp"

#include <cstdlib>

namespace {

/// Whether the launcher and MPI do not know of each other: MPI then takes each process for the only one.
bool is_cut_off(const senteval::team::MpiTeam& team, std::size_t launched)
{
    if (team.size() > 1)
        return false;
    senteval::host::note("senteval: {} processes were started, but MPI knows of this one only: "
                         "each would do all the "
                         "work. Start them with mpirun, or with srun --mpi=pmix, or divide the run "
                         "with --shard K/N\n",
                         launched);
    return true;
}

int run_with_others(int argc, char** argv, std::size_t launched)
{
    senteval::team::MpiTeam team;
    if (is_cut_off(team, launched))
        return senteval::host::exit_usage;
    const int exit_code =
        senteval::host::run_program(argc, argv, senteval::host::main_program, &team);
    return team.rank() == 0 ? exit_code : 0; // the first has told what went wrong
}

} // namespace

int main(int argc, char** argv)
{
    using namespace senteval;
    const auto variable = [](const char* name) -> const char* { return std::getenv(name); };
    if (!host::is_shared_run({argv, static_cast<std::size_t>(argc)}, variable))
        return host::run_program(argc, argv, host::main_program,
                                 nullptr); // an encoder's process, for instance
    host::claim_standard_output();
    return run_with_others(argc, argv, host::launched_processes(variable).value_or(1));
}
