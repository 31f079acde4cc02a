// senteval-annex VERSION COMMAND... -- what senteval becomes for the commands of host/annex.hpp.
#include "annex/commands.hpp"
#include "host/commands.hpp"
#include "host/help.hpp"
#include "host/output.hpp"

#include <string_view>

namespace {

void add_commands(CLI::App& app,
                  const std::stop_token& stop,
                  senteval::team::Team* /*team*/,
                  int& exit_code)
{
    using namespace senteval;
    annex::add_analyse_command(app, exit_code);
    annex::add_neighbours_command(app, exit_code);
    annex::add_train_command(app, stop, exit_code);
    host::add_help_command(app, exit_code);
}

} // namespace

int main(int argc, char** argv)
{
    using namespace senteval;
    constexpr std::string_view version = SENTEVAL_PROGRAM_VERSION;
    if (argc < 2 || argv[1] != version) {
        host::note("senteval-annex: is of version {}, and only 'senteval' of the same version "
                   "starts it\n",
                   version);
        return host::exit_usage;
    }
    argv[1] = argv[0];
    return host::run_program(argc - 1, argv + 1, {true, &add_commands}, nullptr);
}
