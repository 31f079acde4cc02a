// senteval-mpi -- senteval as one of several processes that share a run; started by senteval itself.
#include "host/program.hpp"
#include "team/mpi_transport.hpp"

#include <cstdlib>
#include <string_view>

int main(int argc, char** argv)
{
    using namespace senteval;
    if (argc < 2 || std::string_view(argv[1]) != "run") // an encoder's process, for instance
        return host::run_program(argc, argv, nullptr);
    team::MpiTransport team;
    setenv("NO_COLOR", "1", 0); // what mpirun passes on is no terminal, though it looks like one
    const int exit_code = host::run_program(argc, argv, team.size() > 1 ? &team : nullptr);
    team.finish();
    return team.rank() == 0 ? exit_code : 0; // the first has told what went wrong
}
