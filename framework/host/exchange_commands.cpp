#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "exchange/import.hpp"
#include "exchange/items_csv.hpp"
#include "exchange/mteb.hpp"
#include "host/commands.hpp"
#include "host/output.hpp"
#include "host/results_folder.hpp"
#include "tasks/catalog.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

struct ExportOptions {
    ResultsOptions results;
    std::string format = "mteb";
    std::string output;
};

struct ImportOptions {
    std::string file;
    std::string encoder;
    std::string output = "results";
};

void warn(const std::vector<std::string>& problems)
{
    for (const std::string& problem : problems)
        note("senteval: {}\n", problem);
}

/// Before any work: it is the option that is wrong.
void check_output(const ExportOptions& options)
{
    try {
        core::check_folder(options.output);
    } catch (const core::Error& e) {
        throw core::UsageError("--output: {}. Choose another folder", e.what());
    }
}

void export_items(const ExportOptions& options, int& exit_code)
{
    const auto files = exchange::items_to_csv(load_results(options.results, exit_code));
    for (const exchange::ItemsFile& file : files) {
        core::write_file_atomically(std::filesystem::path(options.output) / file.name,
                                    file.content);
        if (std::ranges::count(file.content, '\n') > 1)
            continue;
        note("senteval: '{}' has no items: imported results come without them\n", file.name);
        exit_code = exit_failed;
    }
    emit("{} in {}\n", core::counted(files.size(), "file"), options.output);
}

void export_results(const ExportOptions& options, int& exit_code)
{
    if (options.format == "items")
        return export_items(options, exit_code);
    std::vector<std::string> problems;
    const auto files = exchange::to_mteb(load_results(options.results, exit_code), problems);
    warn(problems);
    for (const exchange::MtebFile& file : files)
        core::write_file_atomically(std::filesystem::path(options.output) / file.path,
                                    core::to_text(file.content, 2) + "\n");
    emit("{} in {}\n", core::counted(files.size(), "file"), options.output);
}

void import_results(const ImportOptions& options)
{
    std::vector<std::string> problems;
    const core::MappedFile file(options.file);
    auto cells = exchange::import_results(file.bytes(),
                                          std::filesystem::path(options.file).filename().string(),
                                          options.encoder, tasks::catalog(), problems);
    warn(problems);
    const run::Store store(options.output);
    store.check_writable();
    for (run::Cell& cell : cells)
        store.save(cell);
    emit("{} of '{}' {} now in {}\n", core::counted(cells.size(), "result"), options.encoder,
         cells.size() == 1 ? "is" : "are", options.output);
}

} // namespace

void add_export_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<ExportOptions>();
    CLI::App* command = app.add_subcommand("export", "Write a store's results as other tools do");
    add_results_options(*command, options->results);
    command
        ->add_option("--format", options->format,
                     "mteb: MODEL/REVISION/TASK.json; items: every test item, TASK.csv")
        ->check(CLI::IsMember({"mteb", "items"}))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "Folder for the files")
        ->type_name("DIR")
        ->required();
    command->callback([options, &exit_code] {
        exit_code = 0;
        check_output(*options);
        export_results(*options, exit_code);
    });
}

void add_import_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<ImportOptions>();
    CLI::App* command =
        app.add_subcommand("import", "Bring results of the original SentEval into a store");
    command->add_option("file", options->file, "Its dictionary of results, saved as JSON")
        ->required()
        ->type_name("FILE")
        ->check(CLI::ExistingFile);
    command->add_option("--encoder", options->encoder, "What tables call their encoder")
        ->type_name("LABEL")
        ->required();
    command->add_option("-o,--output", options->output, "Result store")
        ->type_name("STORE")
        ->capture_default_str();
    command->callback([options, &exit_code] {
        import_results(*options);
        exit_code = 0;
    });
}

} // namespace senteval::host
