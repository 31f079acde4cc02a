// The manifest of the data and the catalog of the tasks speak of the same files.
#include "data/manifest.hpp"
#include "support/support.hpp"
#include "tasks/catalog.hpp"

using namespace senteval;

TEST_CASE("every file that a task reads is known to the manifest, under a dataset of that task")
{
    for (const auto& task : tasks::catalog()) {
        const data::Dataset* dataset = data::builtin_manifest().for_task(task->info().name);
        REQUIRE_MESSAGE(dataset != nullptr, task->info().name);
        for (const std::string& file : task->info().files)
            CHECK_MESSAGE(std::ranges::find(dataset->files, file, &data::File::path) !=
                              dataset->files.end(),
                          task->info().name, " reads ", file);
    }
}
