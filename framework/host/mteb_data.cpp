#include "host/mteb_data.hpp"

#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/names.hpp"
#include "base/python.hpp"
#include "base/unicode.hpp"
#include "host/data_needed.hpp"
#include "host/help.hpp"
#include "host/output.hpp"
#include "tasks/custom/mteb_catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;
using base::Json;
using tasks::MtebChoice;
using tasks::MtebTask;

constexpr int exit_python_lacks = 2; ///< of the bridge, where there is no package mteb

/// How many of the parts that are meant have been fetched.
std::size_t present_parts(const MtebChoice& choice, const fs::path& data)
{
    std::size_t parts = 0;
    for (const auto& [task, benchmark] : tasks::sets_of(choice))
        parts += tasks::fetched_parts(data / "mteb" / task.name, benchmark).size();
    return parts;
}

std::string state_of(const MtebChoice& choice, const fs::path& data)
{
    const tasks::MtebTask& task = choice.first;
    if (tasks::sets_of(choice).empty())
        return "left out: " + task.text("left_out");
    std::vector<std::string> said;
    if (!data.empty()) {
        const std::size_t present = present_parts(choice, data);
        const std::size_t parts = tasks::parts_of(choice);
        said.push_back(present == 0       ? "no data"
                       : present >= parts ? "data present"
                                          : fmt::format("{} of {} parts present", present, parts));
    }
    if (const std::string other = task.text("main_score"); !other.empty())
        said.push_back("tables cannot show MTEB's " + other);
    return fmt::format("{}", fmt::join(said, "; "));
}

} // namespace

std::vector<std::string> take_mteb_names(std::vector<std::string>& names)
{
    std::vector<std::string> taken;
    std::vector<std::string> others;
    bool is_open = false;
    for (const std::string& name : names) {
        if (is_open)
            taken.back() += ", " + std::string(base::strip(name));
        else if (name.starts_with(tasks::mteb_prefix))
            taken.push_back(name.substr(tasks::mteb_prefix.size()));
        else if (name.starts_with("MTEB(")) // only a benchmark is called so
            taken.push_back(name);
        else
            others.push_back(name);
        is_open = !taken.empty() &&
                  std::ranges::count(taken.back(), '(') > std::ranges::count(taken.back(), ')');
    }
    names = std::move(others);
    return taken;
}

bool is_python_file(const std::string& name)
{
    return name.ends_with(".py");
}

void list_mteb_tasks(const std::string& name, const fs::path& data, bool json)
{
    Json all = Json::array();
    for (const MtebChoice& choice : tasks::meant_mteb_tasks(name, data)) {
        if (json) {
            all.push_back(choice.first.row);
            all.back()["parts"] = tasks::parts_of(choice);
            if (!data.empty())
                all.back()["present"] = present_parts(choice, data);
            continue;
        }
        const std::string row =
            fmt::format("{:<40} {:<22} {:>12}  ", choice.first.name, choice.first.text("type"),
                        base::counted(tasks::parts_of(choice), "part"));
        emit("{}", list_line(row, state_of(choice, data)));
    }
    if (json)
        emit_json(all);
}

int fetch_mteb_tasks(const MtebFetch& fetch, const std::stop_token& stop)
{
    std::vector<std::string> names = fetch.names;
    if (fetch.dry_run) { // what a Python file has is not in the catalogue
        const auto listed = std::stable_partition(names.begin(), names.end(), is_python_file);
        std::for_each(listed, names.end(),
                      [&](const std::string& name) { list_mteb_tasks(name, fetch.data, false); });
        names.erase(listed, names.end());
        if (names.empty())
            return 0;
    } else
        base::create_folders(fetch.data);
    base::PythonScript script{.text = tasks::mteb_bridge()};
    script.program = fetch.python;
    script.stop = stop;
    script.arguments = {fetch.dry_run ? "" : fs::absolute(fetch.data).string(), fetch.subsets,
                        fetch.splits};
    script.arguments.insert(script.arguments.end(), names.begin(), names.end());
    std::string line;
    const int status = base::run_python(script, [&](std::string_view text) {
        line += text;
        const std::size_t end = line.rfind('\n') + 1;
        emit("{}", line.substr(0, end));
        line.erase(0, end);
    });
    return status == 0 ? 0 : status == exit_python_lacks ? exit_usage : exit_failed;
}

std::vector<std::pair<std::string, std::vector<data::Finding>>>
verify_mteb_tasks(const fs::path& data, const std::vector<std::string>& names)
{
    std::vector<std::pair<std::string, std::vector<data::Finding>>> all;
    std::set<std::string> wanted;
    for (const std::string& name : names) {
        std::vector<std::string> missing;
        std::size_t meant = 0;
        for (const MtebChoice& choice : tasks::meant_mteb_tasks(name, data))
            for (const auto& [task, benchmark] : tasks::sets_of(choice)) {
                wanted.insert(task.name);
                ++meant;
                if (!fs::exists(data / "mteb" / task.name / "mteb.json"))
                    missing.push_back(task.name);
            }
        const std::string whole = fmt::format("{}{}", tasks::mteb_prefix, name);
        if (!missing.empty())
            all.emplace_back(whole, std::vector{data::Finding{
                                        data::Severity::error, whole, base::first_of(missing),
                                        missing.size() == 1 ? "is missing" : "are missing",
                                        fmt::format("{} of {} are there", meant - missing.size(),
                                                    base::counted(meant, "task")),
                                        "Run: senteval data fetch " + shell_word(whole)}});
    }
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(data / "mteb", error)) {
        const std::string task = entry.path().filename().string();
        if (!fs::exists(entry.path() / "mteb.json") || task.starts_with('.') ||
            (!names.empty() && !wanted.contains(task)))
            continue;
        auto& [name, findings] = all.emplace_back("mteb:" + task, std::vector<data::Finding>());
        std::vector<std::pair<std::string, std::string>> changed;
        try {
            changed = tasks::changed_mteb_files(entry.path());
        } catch (const base::UsageError&) {
            changed = {{"mteb.json", "is damaged"}};
        }
        for (const auto& [file, problem] : changed)
            findings.push_back({data::Severity::error, name, fmt::format("mteb/{}/{}", task, file),
                                problem, "numbers are not those of the set that was fetched",
                                "Run: senteval data fetch " + name});
    }
    std::ranges::sort(all, {}, [](const auto& one) { return one.first; });
    return all;
}

} // namespace senteval::host
