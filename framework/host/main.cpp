// senteval -- evaluates sentence encoders.
#include "host/exit_codes.hpp"
#include "host/output.hpp"
#include "host/program.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace {

/// Whether mpirun, or another launcher of MPI processes, started this one.
bool is_one_of_several()
{
    constexpr std::array marks = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"};
    for (const char* mark : marks)
        if (std::getenv(mark) != nullptr)
            return true;
    return false;
}

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
    if (argc > 1 && std::string_view(argv[1]) == "run" && is_one_of_several()) {
        become_one_of_several(argv);
        host::note(
            "senteval: it was started as one of several MPI processes, and was built without "
            "MPI: each would do all the work. Build it where MPI is installed (Debian: "
            "libopenmpi-dev), or divide the run with --shard K/N\n");
        return host::exit_usage;
    }
    return host::run_program(argc, argv, nullptr);
}
