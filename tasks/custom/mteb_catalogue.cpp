#include "tasks/custom/mteb_catalogue.hpp"

#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/names.hpp"
#include "data/sha256.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/data_warnings.hpp"
#include "tasks/mteb_bridge_text.hpp"
#include "tasks/mteb_catalogue_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

namespace senteval::tasks {
namespace {

namespace fs = std::filesystem;
using base::Json;
using Names = std::vector<std::string>;

/// How many there are of a list, or of the number in place of it; of an empty one, of what else is meant.
std::size_t count_of(const Json& list, std::size_t otherwise)
{
    const std::size_t count = list.is_number() ? list.get<std::size_t>() : list.size();
    return count == 0 ? otherwise : count;
}

/// Whether a benchmark (its name, or [name, subsets, splits]) takes a part.
bool takes(const Json& benchmark, const Json& part)
{
    const auto has = [&](std::size_t at, const char* of) {
        const Json& names = benchmark.at(at);
        return !names.is_array() || names.empty() || std::ranges::count(names, part.at(of)) > 0;
    };
    return !benchmark.is_array() || (has(1, "subset") && has(2, "split"));
}

/// The key `mteb` of a [[task]].
Json mteb_facts(const Json& about, const std::string& subset, const std::string& split)
{
    Json facts = {{"task", about.at("task")}, {"subset", subset}, {"split", split}};
    const std::pair<const char*, std::string> others[] = {
        {"languages", subset}, {"type", ""}, {"prompt", "query"}, {"main_score", ""},
        {"revision", ""},      {"mteb", ""}, {"changed", ""}};
    for (const auto& [name, one] : others) {
        Json value = about.value(name, Json());
        if (value.is_object()) // by subset, or role
            value = value.value(one, Json());
        if (value.is_string() || value.is_array())
            facts[name == std::string_view("mteb") ? "version" : name] = value;
    }
    return facts;
}

/// What mteb.json says, nothing where there is none.
Json fetched(const fs::path& folder)
{
    std::ifstream file(folder / "mteb.json");
    if (!file)
        return Json::object();
    Json about = Json::parse(file, nullptr, false);
    if (!about.is_object() || !about.contains("task") || !about.contains("parts") ||
        !about.contains("files"))
        throw base::UsageError("{}: it is not what 'senteval data fetch mteb:NAME' writes. Delete "
                               "the folder, and fetch it again",
                               (folder / "mteb.json").string());
    return about;
}

/// A task that was fetched, by what mteb.json says; nothing where there is none.
std::optional<MtebTask> fetched_task(const fs::path& folder)
{
    Json row = fetched(folder);
    if (row.empty())
        return std::nullopt;
    MtebTask task{row.at("task"), {}, Json::object()};
    const Json parts = row.at("parts");
    std::set<std::string> subsets, splits;
    for (const Json& part : parts) {
        subsets.insert(part.at("subset"));
        splits.insert(part.at("split"));
        if (task.keys.empty())
            task.keys = part.value("keys", Json::object());
    }
    row.update({{"name", task.name},
                {"subsets", subsets},
                {"splits", splits},
                {"parts", row.value("all_parts", parts.size())}});
    row.erase("files");
    task.row = std::move(row);
    return task;
}

} // namespace

std::string mteb_task_name(const std::string& name)
{
    return name_from(is_taken(name) ? name + "-mteb" : name);
}

Names MtebTask::tasks() const
{
    return row.value("tasks", Names());
}

Names MtebTask::splits() const
{
    return row.value("splits", Names{"test"});
}

const std::vector<MtebTask>& mteb_tasks()
{
    static const std::vector<MtebTask> all = [] {
        std::vector<MtebTask> tasks;
        std::istringstream lines{std::string(mteb_catalogue_text)};
        for (std::string line; std::getline(lines, line);)
            if (Json row = Json::parse(line); row.contains("name")) // the first says the version
                tasks.push_back({row["name"], row, row.value("keys", Json::object())});
        return tasks;
    }();
    return all;
}

std::string_view mteb_bridge()
{
    return mteb_bridge_text;
}

const MtebTask* find_mteb_task(std::string_view name)
{
    const auto found = std::ranges::find(mteb_tasks(), name, &MtebTask::name);
    return found == mteb_tasks().end() ? nullptr : &*found;
}

std::vector<MtebChoice> chosen_mteb_tasks(const std::string& name, const fs::path& data)
{
    static const Json head =
        Json::parse(mteb_catalogue_text.substr(0, mteb_catalogue_text.find('\n')));
    const std::string wanted = base::folded(head.at("aliases").value(name, name));
    std::vector<MtebChoice> chosen;
    const auto choose = [&](const auto& is_meant) {
        for (const MtebTask& task : mteb_tasks())
            if (is_meant(task.name))
                chosen.emplace_back(task, Json());
        std::error_code error;
        const std::set<fs::path> folders(
            fs::directory_iterator(data.empty() ? data : data / "mteb", error), {});
        for (const fs::path& folder : folders)
            if (const std::string own = folder.filename().string();
                is_meant(own) && !own.starts_with('.') && find_mteb_task(own) == nullptr)
                if (auto task = fetched_task(folder))
                    chosen.emplace_back(std::move(*task), Json());
    };
    choose([&](const std::string& task) { return task == name; });
    if (!chosen.empty())
        return chosen;
    for (const MtebTask& task : mteb_tasks())
        for (const Json& benchmark : task.row.value("benchmarks", Json::array()))
            if (const Json& its = benchmark.is_array() ? benchmark.at(0) : benchmark;
                base::folded(its.get<std::string>()) == wanted)
                chosen.emplace_back(task, benchmark);
    if (chosen.empty())
        choose([&](const std::string& task) { return base::matches(base::folded(task), wanted); });
    return chosen;
}

std::vector<MtebChoice> meant_mteb_tasks(const std::string& name, const fs::path& data)
{
    auto chosen = chosen_mteb_tasks(name, data);
    if (!chosen.empty())
        return chosen;
    Names known;
    for (const MtebTask& task : mteb_tasks())
        known.push_back(task.name);
    throw base::UsageError(
        "MTEB has no task or benchmark '{}'.{} 'senteval tasks \"mteb:*\"' lists "
        "them; tasks of a Python file are known once they were fetched (--data)",
        name, base::did_you_mean(name, known));
}

std::vector<MtebChoice> sets_of(const MtebChoice& choice)
{
    if (!choice.first.is_mean())
        return choice.first.keys.empty() ? std::vector<MtebChoice>() : std::vector{choice};
    std::vector<MtebChoice> sets;
    for (const std::string& name : choice.first.tasks())
        if (const MtebTask* const task = find_mteb_task(name))
            sets.emplace_back(*task, Json());
    return sets;
}

std::vector<results::MeanOfTasks> mteb_means()
{
    std::vector<results::MeanOfTasks> means;
    for (const MtebTask& task : mteb_tasks())
        if (task.is_mean())
            means.push_back({task.name, task.tasks()});
    return means;
}

core::Table
describe_mteb_part(const Json& about, const Json& part, const fs::path& folder, const Json& accept)
{
    const auto name = about.at("task").get<std::string>();
    const MtebTask* const known = find_mteb_task(name);
    const std::size_t parts = known == nullptr || known->is_mean()
                                  ? about.value("all_parts", std::size_t{1})
                                  : parts_of(MtebChoice(*known, Json()));
    Json keys = part.at("keys");
    keys["mteb"] = mteb_facts(about, part.at("subset"), part.at("split"));
    if (part.contains("main_score"))
        keys["mteb"]["main_score"] = part.at("main_score");
    keys["name"] = mteb_task_name(name);
    if (parts > 1 || about.value("parts", Json()).size() > 1) {
        keys["of"] = keys["name"];
        keys["part"] = fmt::format("{}/{}", part.at("subset").get<std::string>(),
                                   part.at("split").get<std::string>());
        auto own = keys["of"].get<std::string>();
        for (const char* of : {"subset", "split"})
            own += part.at(of) == "default" ? "" : "-" + part.at(of).get<std::string>();
        keys["name"] = name_from(own);
        if (parts > 1)
            keys["parts"] = parts;
    }
    keys.update(accept);
    return core::Table::parse(to_toml(keys), folder.string(), folder);
}

Names mteb_task_names(const std::string& name)
{
    const auto chosen = chosen_mteb_tasks(name);
    Names names;
    if (chosen.empty())
        names = {mteb_task_name(name), name};
    for (const auto& [task, benchmark] : chosen) {
        std::ranges::move(task.tasks(), std::back_inserter(names));
        const std::string whole = mteb_task_name(task.name);
        const auto all = [&](std::size_t at) {
            const Json its = benchmark.is_array() ? benchmark.at(at) : Json();
            return its.is_array() && !its.empty() ? its.get<Names>() : Names{"*"};
        };
        const Names subsets = all(1), splits = all(2);
        if (subsets == Names{"*"} && splits == subsets)
            names.push_back(whole);
        else
            for (const std::string& subset : subsets)
                for (const std::string& split : splits)
                    names.push_back(fmt::format("{}/{}/{}", whole, subset, split));
    }
    return names;
}

std::size_t parts_of(const MtebChoice& choice)
{
    const auto& [task, benchmark] = choice;
    if (task.is_mean())
        return task.tasks().size();
    if (task.row.contains("parts"))
        return task.row.at("parts");
    const auto of = [&](std::size_t at, const char* member) {
        const std::size_t all = count_of(task.row.value(member, Json::array()), 1);
        return benchmark.is_array() ? count_of(benchmark.at(at), all) : all;
    };
    return of(1, "subsets") * of(2, "splits");
}

std::vector<Json> fetched_parts(const fs::path& folder, const Json& benchmark)
try {
    std::vector<Json> parts;
    for (const Json& part : fetched(folder).value("parts", Json::array()))
        if (part.contains("keys") && takes(benchmark, part))
            parts.push_back(part);
    return parts;
} catch (const Json::exception& e) {
    throw base::UsageError("{}: {}", (folder / "mteb.json").string(), e.what());
}

std::vector<std::pair<std::string, std::string>> changed_mteb_files(const fs::path& folder)
{
    std::vector<std::pair<std::string, std::string>> changed;
    const Json files = fetched(folder).value("files", Json::object());
    for (const auto& [file, known] : files.items())
        if (!fs::is_regular_file(folder / file))
            changed.emplace_back(file, "is missing");
        else if (data::sha256_file(folder / file) != known.value("sha256", ""))
            changed.emplace_back(file, "has another checksum");
    return changed;
}

std::vector<core::Table> describe_fetched(const fs::path& folder, const Json& benchmark)
{
    Json about = fetched(folder);
    const bool is_changed = !changed_mteb_files(folder).empty();
    if (is_changed)
        about["changed"] = "yes";
    Names accepted = warning_names; // what is odd about the set is what everybody has
    std::erase_if(accepted, [](const std::string& name) {
        return name == "revision" || name == "changed" || name == "main_score";
    });
    const Json accept = is_changed ? Json{{"tolerated_copies", 0.05}} : Json{{"accept", accepted}};
    std::vector<core::Table> tables;
    for (const Json& part : fetched_parts(folder, benchmark))
        tables.push_back(describe_mteb_part(about, part, folder, accept));
    std::ranges::sort(tables, {}, [](const auto& table) { return table.text("name"); });
    return tables;
}

std::optional<results::TaskRecord> mteb_part(const fs::path& data,
                                             const std::string& name,
                                             const std::string& subset,
                                             const std::string& split)
{
    const MtebTask* const listed = find_mteb_task(name);
    const auto task =
        listed != nullptr ? std::optional(*listed) : fetched_task(data / "mteb" / name);
    if (!task || sets_of({*task, {}}).empty())
        return std::nullopt;
    const Json subsets = task->row.value("subsets", Json::array({"default"}));
    if (std::ranges::count(task->splits(), split) == 0 ||
        (subsets.is_array() && std::ranges::count(subsets, Json(subset)) == 0))
        return std::nullopt;
    Json keys = sets_of({*task, {}}).front().first.keys;
    const auto described = [&] {
        const Json about = {{"task", name},
                            {"all_parts", task->row.value("parts", std::size_t{1})}};
        Json part = {{"subset", subset}, {"split", split}, {"keys", keys}};
        if (task->row.contains("main_score")) // which is no metric here
            part["main_score"] = task->row["main_score"];
        return read_description(describe_mteb_part(about, part, {}, Json::object()));
    };
    for (const std::string_view file : missing_keys(described()))
        if (file != "train" || !keys.contains("folds"))
            keys[std::string(file)] = "not here";
    return make_custom_task(described())->info();
}

std::vector<core::Table>
describe_mteb_tasks(const fs::path& data, const std::string& name, Names& left_out)
{
    if (data.empty())
        throw base::UsageError(
            "{}{} needs --data DIR, the folder that 'senteval data fetch' writes to", mteb_prefix,
            name);
    const auto chosen = meant_mteb_tasks(name, data);
    std::vector<core::Table> tables;
    Names missing;
    for (const MtebChoice& choice : chosen)
        for (const auto& [task, benchmark] : sets_of(choice)) {
            auto its = describe_fetched(data / "mteb" / task.name, benchmark);
            if (its.empty())
                missing.push_back(task.name);
            std::ranges::move(its, std::back_inserter(tables));
        }
    if (!missing.empty()) {
        left_out.push_back(
            fmt::format("'{}' lacks {}. Type: senteval data fetch \"mteb:{}\" --data '{}'",
                        (data / "mteb").string(), base::first_of(missing), name, data.string()));
        if (tables.empty() || chosen.size() == 1)
            throw base::UsageError("{}", left_out.back());
    }
    if (tables.empty())
        throw base::UsageError("{}{}: no protocol does what MTEB does there: {}", mteb_prefix, name,
                               chosen.front().first.text("left_out"));
    return tables;
}

} // namespace senteval::tasks
