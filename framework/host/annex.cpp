#include "host/annex.hpp"

#include "host/help.hpp"
#include "host/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace senteval::host {

bool is_annex_command(std::string_view name)
{
    return std::ranges::find(annex_commands, name, &AnnexCommand::name) != annex_commands.end();
}

bool is_for_annex(std::span<char* const> arguments)
{
    const auto is_command = [&](std::size_t at) {
        return arguments.size() > at && is_annex_command(arguments[at]);
    };
    if (arguments.size() < 2)
        return false;
    const std::string_view first = arguments[1];
    const bool is_completed = first == complete_command && arguments.size() > 3;
    return is_command(1) || ((first == "help" || is_completed) && is_command(2));
}

int become_annex(std::span<char* const> arguments)
{
    std::string version = SENTEVAL_PROGRAM_VERSION;
    std::vector<char*> words(arguments.begin(), arguments.end());
    words.insert(words.begin() + 1, version.data());
    words.push_back(nullptr);
    std::error_code error;
    const auto folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* file :
         {"senteval-annex", SENTEVAL_ANNEX_FROM_PROGRAM}) // in a build folder; installed
        execv((folder / file).c_str(), words.data());
    if (arguments[1] != complete_command)
        note("senteval: training is not part of this installation: 'train', 'neighbours' and "
             "'analyse' need the program senteval-annex, which is built with SENTEVAL_TRAIN=ON "
             "('cmake --build BUILD --target senteval-annex')\n");
    return exit_usage;
}

} // namespace senteval::host
