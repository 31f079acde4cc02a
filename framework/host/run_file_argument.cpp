#include "host/run_file_argument.hpp"

#include "core/error.hpp"
#include "run/run_file.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"

#include <filesystem>

namespace senteval::host {
namespace {

bool could_be_a_task(const std::string& word)
{
    return word.find_first_of("/.") == std::string::npos && !std::filesystem::exists(word);
}

} // namespace

void read_run_file(const std::string& word, run::Config& config)
{
    if (!could_be_a_task(word)) {
        run::read_run_file(word, config);
        return;
    }
    try {
        (void)task::select(tasks::catalog(), word);
    } catch (const core::UsageError& e) { // with the nearest name
        throw core::UsageError("there is no run file '{}', and {}", word, e.what());
    }
    throw core::UsageError("there is no run file '{}'; a task is named with --tasks {}", word,
                           word);
}

} // namespace senteval::host
