#include "host/data_needed.hpp"

#include "base/error.hpp"
#include "base/home.hpp"
#include "data/manifest.hpp"
#include "host/help.hpp"
#include "task/data_folder.hpp"

#include <algorithm>
#include <cstdlib>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

bool lacks_files(const task::Task& task, const fs::path& data)
{
    return std::ranges::any_of(task.info().files, [&](const std::string& file) {
        std::error_code error;
        return !fs::exists(data / file, error);
    });
}

/// The published tasks with a file that is not there; all where there is no folder.
std::vector<std::string> lacking(const std::vector<const task::Task*>& tasks, const fs::path& data)
{
    std::vector<std::string> names;
    for (const task::Task* task : tasks)
        if (data::builtin_manifest().for_task(task->info().name) != nullptr &&
            (data.empty() || lacks_files(*task, data)))
            names.push_back(task->info().name);
    return names;
}

/// Ends a sentence about tasks that lack data.
std::string how_to_fetch(const std::vector<std::string>& names, const fs::path& data)
{
    return fmt::format(
        "; this gets {}, or says where to ask:\n    senteval data fetch {} --data {}",
        names.size() == 1 ? "it" : "them", fmt::join(names, " "), shell_word(data.string()));
}

} // namespace

CLI::Option* add_data_option(CLI::App& command, std::string& folder, const char* names)
{
    return add_option(command, names, folder, "Folder of the datasets (or SENTEVAL_DATA)", "DIR");
}

fs::path data_folder(const fs::path& given, const fs::path& of_run_file)
{
    const char* const variable = std::getenv("SENTEVAL_DATA");
    const fs::path named = !given.empty()         ? given
                           : !of_run_file.empty() ? of_run_file
                           : variable != nullptr  ? base::expand_home(variable)
                                                  : fs::path();
    return named.empty() ? named : task::data_root(named);
}

std::string shell_word(const std::string& text)
{
    constexpr std::string_view special = " \t\n'\"\\$`*?[](){}<>|&;!#~";
    if (!text.empty() && text.find_first_of(special) == std::string::npos)
        return text;
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

std::string missing_data(const std::vector<const task::Task*>& tasks, const fs::path& data)
{
    const auto names = lacking(tasks, data);
    return names.empty() ? ""
                         : fmt::format("data of {} is missing in '{}'{}", fmt::join(names, ", "),
                                       data.string(), how_to_fetch(names, data));
}

void require_data(const std::vector<const task::Task*>& tasks, const fs::path& data)
{
    constexpr std::string_view which = "the folder that has downstream/ and probing/ in it";
    const auto names = lacking(tasks, data);
    if (data.empty() && !names.empty())
        throw base::UsageError("a run of {} needs --data DIR, {}", fmt::join(names, ", "), which);
    if (!data.empty() && fs::exists(data) && !fs::is_directory(data))
        throw base::UsageError("--data '{}' is a file: give {}", data.string(), which);
    if (!data.empty() && !fs::is_directory(data))
        throw base::UsageError("data folder '{}' does not exist: give {} with --data DIR{}",
                               data.string(), which,
                               names.empty() ? "" : ", or get data" + how_to_fetch(names, data));
    if (!names.empty() && names.size() == tasks.size())
        throw base::UsageError("{}\nor give {} with --data DIR", missing_data(tasks, data), which);
}

} // namespace senteval::host
