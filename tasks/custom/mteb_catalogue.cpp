#include "tasks/custom/mteb_catalogue.hpp"

#include "base/error.hpp"
#include "base/names.hpp"
#include "data/sha256.hpp"
#include "tasks/catalog.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/data_warnings.hpp"
#include "tasks/mteb_bridge_text.hpp"
#include "tasks/mteb_catalogue_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
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

/// The [[task]] of a part; `accept`: its data warnings are those of everybody who has the set. `mean`: the task that is a
/// mean of this one and others, nullptr where that is not asked for.
core::Table table_of(const Json& about,
                     const Json& part,
                     const fs::path& folder,
                     const Json& accept,
                     const MtebTask* mean)
{
    const auto name = about.at("task").get<std::string>();
    std::string part_name = mean == nullptr ? "" : name + "/";
    part_name += part.at("subset").get<std::string>() + "/" + part.at("split").get<std::string>();
    const MtebTask* const whole = mean == nullptr ? find_mteb_task(name) : mean;
    const std::size_t parts = whole == nullptr ? about.value("all_parts", std::size_t{1})
                                               : parts_of(MtebChoice(whole, Json()));
    Json keys = part.at("keys");
    keys["mteb"] = mteb_facts(about, part.at("subset"), part.at("split"));
    if (part.contains("main_score"))
        keys["mteb"]["main_score"] = part.at("main_score");
    keys["name"] = mteb_task_name(name);
    if (parts > 1 || about.at("parts").size() > 1) {
        keys["of"] = mteb_task_name(mean == nullptr ? name : mean->name);
        keys["part"] = part_name;
        std::string own = keys["of"].get<std::string>() + (mean == nullptr ? "" : "-" + name);
        for (const char* of : {"subset", "split"})
            own += part.at(of) == "default" ? "" : "-" + part.at(of).get<std::string>();
        keys["name"] = name_from(own);
        if (parts > 1)
            keys["parts"] = parts;
    }
    keys.update(accept);
    if (!accept.contains("accept"))
        keys["mteb"]["changed"] = "yes";
    return core::Table::parse(to_toml(keys), (folder / "mteb.json").string(), folder);
}

} // namespace

std::string mteb_task_name(std::string name)
{
    static const task::Tasks builtin = catalog();
    const auto is_one = [&](const std::string& other) {
        return base::folded(other) == base::folded(name);
    };
    if (is_one("custom") || std::ranges::any_of(task::groups_of(builtin), is_one) ||
        std::ranges::any_of(builtin, [&](const auto& one) { return is_one(one->info().name); }))
        name += "-mteb";
    return name_from(name);
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

std::vector<MtebChoice> chosen_mteb_tasks(const std::string& name)
{
    if (const MtebTask* const task = find_mteb_task(name))
        return {{task, Json()}};
    const std::string wanted = base::folded(name);
    std::vector<MtebChoice> chosen;
    for (const MtebTask& task : mteb_tasks())
        for (const Json& benchmark : task.row.value("benchmarks", Json::array()))
            if (const Json& its = benchmark.is_array() ? benchmark.at(0) : benchmark;
                base::folded(its.get<std::string>()) == wanted)
                chosen.emplace_back(&task, benchmark);
    if (chosen.empty())
        for (const MtebTask& task : mteb_tasks())
            if (base::matches(base::folded(task.name), wanted))
                chosen.emplace_back(&task, Json());
    return chosen;
}

Json mteb_facts(const Json& about, const std::string& subset, const std::string& split)
{
    Json facts = {{"task", about.at("task")}, {"subset", subset}, {"split", split}};
    const auto fact = [&](const char* name, const std::string& of) { // of all, or one of several
        const Json value = about.value(name, Json());
        return value.is_object() ? value.value(of, Json()) : value;
    };
    for (const auto& [name, value] :
         {std::pair("languages", fact("languages", subset)), std::pair("type", fact("type", "")),
          std::pair("prompt", fact("prompt", "query")),
          std::pair("main_score", fact("main_score", "")),
          std::pair("revision", fact("revision", "")), std::pair("version", fact("mteb", ""))})
        if (value.is_string() || value.is_array())
            facts[name] = value;
    return facts;
}

Names mteb_task_names(const std::string& name)
{
    const auto chosen = chosen_mteb_tasks(name);
    Names names;
    if (chosen.empty())
        names.push_back(mteb_task_name(name));
    for (const auto& [task, benchmark] : chosen) {
        const std::string whole = mteb_task_name(task->name);
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
    if (task->is_mean()) {
        std::size_t parts = 0;
        for (const std::string& name : task->tasks())
            if (const MtebTask* const one = find_mteb_task(name))
                parts += parts_of({one, Json()});
        return parts;
    }
    const auto of = [&](std::size_t at, const char* member) {
        const std::size_t all = count_of(task->row.value(member, Json::array()), 1);
        return benchmark.is_array() ? count_of(benchmark.at(at), all) : all;
    };
    return of(1, "subsets") * of(2, "splits");
}

namespace {

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

} // namespace

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
    const Json about = fetched(folder);
    for (const auto& [file, known] : about.at("files").items())
        if (!fs::is_regular_file(folder / file))
            changed.emplace_back(file, "is missing");
        else if (data::sha256_file(folder / file) != known.value("sha256", ""))
            changed.emplace_back(file, "has another checksum");
    return changed;
}

std::vector<core::Table>
describe_fetched(const fs::path& folder, const Json& benchmark, const MtebTask* mean)
{
    const Json about = fetched(folder);
    const bool is_changed = !changed_mteb_files(folder).empty();
    Names accepted = warning_names; // what is odd about the set is what everybody has
    std::erase_if(accepted, [](const std::string& name) {
        return name == "revision" || name == "changed" || name == "main_score";
    });
    const Json accept = is_changed ? Json{{"tolerated_copies", 0.05}} : Json{{"accept", accepted}};
    std::vector<core::Table> tables;
    for (const Json& part : fetched_parts(folder, benchmark))
        tables.push_back(table_of(about, part, folder, accept, mean));
    return tables;
}

std::optional<results::TaskRecord> mteb_part(const std::string& task,
                                             const std::string& subset,
                                             const std::string& split,
                                             std::size_t parts)
{
    const MtebTask* const known = find_mteb_task(task);
    if (known == nullptr || known->keys.empty())
        return std::nullopt;
    Json keys = known->keys;
    const auto described = [&] {
        const Json about = {{"task", task}, {"parts", std::vector<Json>(parts)}};
        Json part = {{"subset", subset}, {"split", split}, {"keys", keys}};
        if (known->row.contains("main_score")) // which is no metric here
            part["main_score"] = known->row["main_score"];
        return read_description(table_of(about, part, {}, Json::object(), nullptr));
    };
    for (const std::string_view file : missing_keys(described()))
        if (file != "train" || !keys.contains("folds"))
            keys[std::string(file)] = "not here";
    return make_custom_task(described())->info();
}

std::vector<core::Table> describe_mteb_tasks(const fs::path& data, const std::string& name)
{
    if (data.empty())
        throw base::UsageError(
            "{}{} needs --data DIR, the folder that 'senteval data fetch' writes to", mteb_prefix,
            name);
    const auto chosen = chosen_mteb_tasks(name);
    std::vector<core::Table> tables;
    Names missing;
    const auto add = [&](const std::string& task, const Json& benchmark, const MtebTask* mean) {
        if (!fs::exists(data / "mteb" / task / "mteb.json"))
            return false;
        std::ranges::move(describe_fetched(data / "mteb" / task, benchmark, mean),
                          std::back_inserter(tables));
        return true;
    };
    if (chosen.empty()) // a later MTEB, or a user, may have others
        add(name, {}, nullptr);
    for (const auto& [task, benchmark] : chosen)
        if (task->is_mean()) {
            for (const std::string& one : task->tasks())
                if (!add(one, {}, task))
                    missing.push_back(one);
        } else if (!task->keys.empty() && !add(task->name, benchmark, nullptr))
            missing.push_back(task->name);
    if (chosen.empty() && tables.empty()) {
        Names known;
        for (const MtebTask& task : mteb_tasks())
            known.push_back(task.name);
        throw base::UsageError("MTEB has no task or benchmark '{}'.{} 'senteval tasks \"mteb:*\"' "
                               "lists them",
                               name, base::did_you_mean(name, known));
    }
    if (!missing.empty())
        throw base::UsageError("'{}' lacks {}. Type: senteval data fetch \"mteb:{}\" --data '{}'",
                               (data / "mteb").string(), fmt::join(missing, ", "), name,
                               data.string());
    if (tables.empty())
        throw base::UsageError("{}{}: no protocol does what MTEB does there{}", mteb_prefix, name,
                               chosen.empty() ? "" : ": " + chosen.front().first->text("left_out"));
    return tables;
}

} // namespace senteval::tasks
