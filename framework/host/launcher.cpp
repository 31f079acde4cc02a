#include "host/launcher.hpp"

#include <algorithm>
#include <charconv>

namespace senteval::host {
namespace {

std::optional<std::size_t> count_in(const Variable& variable, const char* name)
{
    const char* const value = variable(name);
    if (value == nullptr)
        return std::nullopt;
    const std::string_view text = value;
    std::size_t count = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (problem != std::errc() || end != text.data() + text.size() || count == 0)
        return std::nullopt;
    return count;
}

/// Open MPI's mpirun says it of the processes that it starts, and nothing else does.
constexpr const char* of_mpirun = "OMPI_COMM_WORLD_SIZE";

} // namespace

std::optional<std::size_t> launched_processes(const Variable& variable)
{
    for (const char* size : {of_mpirun, "PMI_SIZE"})
        if (const auto count = count_in(variable, size))
            return count;
    if (variable("PMIX_RANK") != nullptr) // which says nothing of their number, but Slurm does
        for (const char* size : {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"})
            if (const auto count = count_in(variable, size))
                return count;
    return std::nullopt;
}

bool is_shared_run(std::span<char* const> arguments, const Variable& variable)
{
    if (arguments.size() < 2 || std::string_view(arguments[1]) != "run" ||
        launched_processes(variable).value_or(1) == 1)
        return false;
    const bool has_shard = std::ranges::any_of(arguments.subspan(2), [](std::string_view argument) {
        return argument == "--shard" || argument.starts_with("--shard=");
    });
    return !has_shard || variable(of_mpirun) != nullptr;
}

} // namespace senteval::host
