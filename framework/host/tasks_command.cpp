#include "core/error.hpp"
#include "core/home.hpp"
#include "core/json.hpp"
#include "host/commands.hpp"
#include "host/output.hpp"
#include "host/terminal.hpp"
#include "run/run_file.hpp"
#include "task/data_folder.hpp"
#include "task/task.hpp"
#include "tasks/custom/custom.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

struct TasksOptions {
    std::string run_file;
    std::string data;
    bool json = false;
};

std::vector<std::string> missing_files(const task::Info& info, const fs::path& data)
{
    std::vector<std::string> missing;
    for (const std::string& file : info.files)
        if (!fs::exists((info.base.empty() ? data : info.base) / file))
            missing.push_back(file);
    return missing;
}

std::string data_state(const task::Info& info, const TasksOptions& options)
{
    if (options.data.empty() && info.base.empty())
        return "";
    const auto missing = missing_files(info, options.data);
    if (missing.empty())
        return "data present";
    return missing.size() == info.files.size()
               ? "no data"
               : fmt::format("{} of {} files missing: {}", missing.size(), info.files.size(),
                             missing.front());
}

core::Json to_json(const task::Info& info, const TasksOptions& options)
{
    core::Json entry = {{"name", info.name},
                        {"groups", info.groups},
                        {"protocol", info.protocol},
                        {"headline", info.headline},
                        {"metrics", task::to_json(info.metrics)},
                        {"files", info.files}};
    if (!options.data.empty() || !info.base.empty())
        entry["missing"] = missing_files(info, options.data);
    return entry;
}

void list_tasks(TasksOptions options)
{
    run::Config config;
    if (!options.run_file.empty())
        run::read_run_file(options.run_file, config);
    if (options.data.empty())
        options.data = config.data.string();
    if (!options.data.empty())
        options.data = task::data_root(core::expand_home(options.data)).string();
    if (!options.data.empty() && !fs::is_directory(options.data))
        throw core::UsageError("data folder '{}' does not exist", options.data);
    const auto tasks = tasks::all_tasks(config.custom_tasks);
    if (options.json) {
        core::Json all = core::Json::array();
        for (const auto& task : tasks)
            all.push_back(to_json(task->info(), options));
        emit_json(all);
        return;
    }
    std::size_t name_width = 0;
    std::size_t group_width = 0;
    for (const auto& task : tasks) {
        name_width = std::max(name_width, task->info().name.size());
        group_width =
            std::max(group_width, fmt::format("{}", fmt::join(task->info().groups, ",")).size());
    }
    for (const auto& task : tasks) {
        const task::Info& info = task->info();
        const std::string state = data_state(info, options);
        const std::string row =
            fmt::format("{:<{}}  {:<{}}  ", info.name, name_width,
                        fmt::format("{}", fmt::join(info.groups, ",")), group_width);
        const std::string text = info.protocol + (state.empty() ? "" : "  -- ") + state;
        emit("{}", list_line(row, text));
    }
}

} // namespace

void add_tasks_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<TasksOptions>();
    CLI::App* command =
        app.add_subcommand("tasks", "List the tasks, and whether their data is there");
    command
        ->add_option("run_file", options->run_file,
                     "A run in TOML: lists the tasks it describes too, and looks at its data")
        ->type_name("FILE");
    command->add_option("--data", options->data, "Folder of the datasets")->type_name("DIR");
    command->add_flag("--json", options->json, "Write JSON");
    command->callback([options, &exit_code] {
        list_tasks(*options);
        exit_code = 0;
    });
}

} // namespace senteval::host
