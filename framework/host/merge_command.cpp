#include "core/counted.hpp"
#include "host/commands.hpp"
#include "host/output.hpp"
#include "run/merge.hpp"

#include <CLI/App.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

struct MergeOptions {
    std::vector<std::string> stores;
    std::string output;
};

int merge(const MergeOptions& options)
{
    const std::vector<std::filesystem::path> stores(options.stores.begin(), options.stores.end());
    const run::Merged merged = run::merge(stores, run::Store(options.output));
    for (const std::string& problem : merged.problems)
        note("senteval: {}\n", problem);
    for (const std::string& conflict : merged.conflicts)
        note("senteval: conflict: {}; the first one stays\n", conflict);
    for (const auto& store : merged.empty)
        note("senteval: '{}' has no result that can be used\n", store.string());
    emit("{} added to '{}'", core::counted(merged.added, "result"), options.output);
    if (merged.same > 0)
        emit(", {} were there already", merged.same);
    if (!merged.conflicts.empty())
        emit(", {} in conflict", merged.conflicts.size());
    if (const std::size_t unusable = merged.problems.size(); unusable > 0)
        emit(", {} {} no use", unusable, unusable == 1 ? "file is of" : "files are of");
    emit("\n");
    return merged.conflicts.empty() && merged.problems.empty() ? 0 : exit_failed;
}

} // namespace

void add_merge_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<MergeOptions>();
    CLI::App* command =
        app.add_subcommand("merge", "Join result stores, such as those of the shards of a run");
    command->add_option("stores", options->stores, "Result stores")->required()->type_name("STORE");
    command
        ->add_option("-o,--output", options->output,
                     "The store to add them to; what it holds stays, conflicts are named")
        ->required()
        ->type_name("DIR");
    command->callback([options, &exit_code] { exit_code = merge(*options); });
}

} // namespace senteval::host
