#include "host/launcher.hpp"
#include "support/support.hpp"

using namespace senteval::host;

namespace {

using Environment = std::map<std::string, std::string>;

Variable of(const Environment& environment)
{
    return [&environment](const char* name) -> const char* {
        const auto found = environment.find(name);
        return found == environment.end() ? nullptr : found->second.c_str();
    };
}

std::size_t processes(const Environment& environment)
{
    return launched_processes(of(environment)).value_or(0);
}

bool is_shared(std::vector<std::string> arguments, const Environment& environment)
{
    std::vector<char*> pointers;
    for (std::string& argument : arguments)
        pointers.push_back(argument.data());
    return is_shared_run(pointers, of(environment));
}

} // namespace

TEST_CASE("the number of processes is what the launcher says, and a rank alone says none")
{
    CHECK(processes({}) == 0);
    CHECK(processes({{"OMPI_COMM_WORLD_SIZE", "4"}}) == 4);
    CHECK(processes({{"PMI_SIZE", "1"}, {"PMI_RANK", "0"}}) == 1);
    CHECK(processes({{"PMIX_RANK", "0"}}) == 0);
    CHECK(processes({{"PMIX_RANK", "0"}, {"SLURM_NTASKS", "8"}}) == 8);
    CHECK(processes({{"PMIX_RANK", "0"}, {"SLURM_NTASKS", "8"}, {"SLURM_STEP_NUM_TASKS", "1"}}) ==
          1);
    CHECK(processes({{"SLURM_NTASKS", "8"}}) == 0); // srun --mpi=none, or a batch script
    for (const char* none : {"", "x", "2x", "0", "-2"})
        CHECK(processes({{"PMI_SIZE", none}}) == 0);
}

TEST_CASE("several processes share a run, unless srun gave each a shard")
{
    const Environment srun = {{"PMI_SIZE", "2"}};
    const Environment mpirun = {{"OMPI_COMM_WORLD_SIZE", "2"}};
    CHECK(is_shared({"senteval", "run", "grid.toml"}, srun));
    CHECK_FALSE(is_shared({"senteval", "run", "grid.toml"}, {{"PMI_SIZE", "1"}}));
    CHECK_FALSE(is_shared({"senteval", "run", "grid.toml"}, {{"PMIX_RANK", "0"}}));
    CHECK_FALSE(is_shared({"senteval", "compare"}, mpirun));
    CHECK_FALSE(is_shared({"senteval"}, mpirun));
    CHECK_FALSE(is_shared({"senteval", "run", "grid.toml", "--shard", "0/2"}, srun));
    CHECK_FALSE(is_shared({"senteval", "run", "--shard=0/2", "grid.toml"}, srun));
    CHECK(is_shared({"senteval", "run", "grid.toml", "--shard", "0/2"}, mpirun));
}
