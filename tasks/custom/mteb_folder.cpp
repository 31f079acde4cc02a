// Finds the sets of a folder, and gives them the keys of MTEB's tasks.
#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "data/manifest.hpp"
#include "data/sha256.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/mteb_catalogue.hpp"
#include "tasks/custom/mteb_set.hpp"
#include "tasks/data_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <set>
#include <string_view>

namespace senteval::tasks {
namespace {

namespace fs = std::filesystem;
using base::Json;

/// Whether all files of a set have the checksum of a file that is known.
bool is_published(const fs::path& folder, const Json& keys)
{
    std::set<std::string> known;
    for (const data::Dataset& set : data::builtin_manifest().datasets)
        for (const data::File& file : set.files)
            known.insert(file.sha256);
    for (const auto& [key, value] : keys.items()) {
        const fs::path path = folder / (value.is_string() ? value.get<std::string>() : "");
        if (fs::is_regular_file(path) && !known.contains(data::sha256_file(path)))
            return false;
    }
    return true;
}

/// The commit of the hub whose snapshot a folder lies in, null where there is none.
Json revision_of(const fs::path& folder)
{
    const fs::path path = fs::weakly_canonical(folder);
    const auto snapshots = std::ranges::find(path, "snapshots");
    return snapshots == path.end() || std::next(snapshots) == path.end()
               ? Json()
               : Json(std::next(snapshots)->string());
}

/// Whether MTEB's task is what the files are.
bool fits(const MtebTask& task, const Json& keys)
{
    const std::string protocol = task.keys.value("protocol", "");
    const std::string own = keys.value("protocol", "");
    return (protocol == own || (protocol == "search" && own == "reranking")) &&
           task.keys.value("sampling", "") == keys.value("sampling", "");
}

/// Appends what lies in the folder itself to `all`, or why nothing can be told of it to `skipped`. Returns whether there is a
/// set of this split.
bool describe(const Set& set,
              const std::string& name,
              std::vector<core::Table>& all,
              std::vector<std::string>& skipped)
{
    std::optional<Json> keys;
    try {
        keys = describe_set(set);
    } catch (const base::UsageError& e) {
        skipped.emplace_back(e.what());
    }
    if (!keys)
        return false;
    const fs::path& folder = set.files->folder();
    const Json accept = is_published(folder, *keys)
                            ? Json{{"accept", warning_names}}
                            : Json{{"tolerated_copies", 0.05}}; // so many are usual there
    if (set.task != nullptr && fits(*set.task, *keys)) {
        const Json protocol = (*keys)["protocol"];
        keys->update(set.task->keys);
        (*keys)["protocol"] = protocol;
        if (keys->contains("folds"))
            keys->erase("train");
        Json about = set.task->row;
        about.update({{"task", set.task->name}, {"revision", revision_of(folder)}});
        about.emplace("languages", Json::array({"eng-Latn"}));
        const Json part = {{"subset", set.subset}, {"split", set.split}, {"keys", *keys}};
        all.push_back(describe_mteb_part(about, part, folder, accept));
        return true;
    }
    keys->update(accept);
    (*keys)["name"] = mteb_task_name(name);
    all.push_back(core::Table::parse(to_toml(*keys), folder.string(), folder));
    return true;
}

/// Whether a folder, or a config, is a part of a search: its name, or behind that of a language.
bool is_part_of_search(const std::string& name)
{
    return std::ranges::any_of(
        std::array{"corpus", "queries", "qrels", "top_ranked", "instruction"},
        [&](const std::string& part) { return name == part || name.ends_with("-" + part); });
}

/// The folders in a folder, by name, but for those that are parts of a set.
std::vector<fs::path> folders_in(const fs::path& folder, bool is_set)
{
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(folder))
        if (const std::string name = entry.path().filename().string();
            entry.is_directory() && !is_part_of_search(name) &&
            !(is_set && (name == "data" || name == "default")))
            folders.push_back(entry.path());
    std::ranges::sort(folders);
    return folders;
}

/// The sets of a folder, but for their splits: what lies in it itself, and each language, whose folders begin with its name, or
/// which is a config.
std::vector<Set> sets_of(const HubFiles& files, const std::string& subset, const MtebTask* task)
{
    std::set<std::string> parts;
    for (const auto& entry : fs::directory_iterator(files.folder()))
        parts.insert(entry.path().filename().string());
    std::set<std::string> languages;
    for (const std::string& config : files.configs()) {
        parts.insert(config);
        if (config != "default" && !is_part_of_search(config))
            languages.insert(config);
    }
    std::vector<Set> sets;
    if (languages.empty() || files.has("default"))
        sets.push_back({&files, "test", "", subset, "default", task});
    constexpr std::string_view corpus = "-corpus";
    for (const std::string& part : parts)
        if (part.ends_with(corpus)) {
            const std::string language = part.substr(0, part.size() - corpus.size());
            sets.push_back({&files, "test", language + "-", language, "default", task});
        }
    for (const std::string& language : languages)
        sets.push_back({&files, "test", "", language, language, task});
    return sets;
}

/// Appends each split that MTEB tests of each set of a folder. Returns whether there is any.
bool describe_splits(const HubFiles& files,
                     const std::string& name,
                     const std::string& subset,
                     const MtebTask* task,
                     std::vector<core::Table>& all,
                     std::vector<std::string>& skipped)
{
    const std::vector<std::string> splits =
        task == nullptr ? std::vector<std::string>{"test"} : task->splits();
    const std::size_t before = all.size();
    const auto sets = sets_of(files, subset, task);
    for (Set set : sets)
        for (const std::string& split : splits) {
            set.split = split;
            describe(set,
                     name + (set.subset == subset ? "" : "-" + set.subset) +
                         (splits.size() > 1 ? "-" + split : ""),
                     all, skipped);
        }
    return all.size() > before || (std::ranges::find(splits, "test") == splits.end() &&
                                   !sets.empty() && describe(sets.front(), name, all, skipped));
}

/// Whether all of them are evaluated in the same way.
bool are_alike(const std::vector<const MtebTask*>& tasks)
{
    return std::ranges::all_of(tasks, [&](const MtebTask* task) {
        return task->keys == tasks.front()->keys && task->splits() == tasks.front()->splits() &&
               task->train() == tasks.front()->train();
    });
}

constexpr std::string_view hub_prefix = "datasets--";

/// MTEB's task whose set a folder of that name is, nullptr where that cannot be told: the name is the task's, or the last part
/// of its repository's, or that of the repository in the hub's cache ("datasets--OWNER--NAME").
const MtebTask* task_of_folder(const std::string& name)
{
    if (const MtebTask* const task = find_mteb_task(name))
        return task;
    std::string repository = name;
    const bool is_hub = name.starts_with(hub_prefix);
    if (is_hub) {
        repository = name.substr(hub_prefix.size());
        if (const std::size_t at = repository.find("--"); at != repository.npos)
            repository.replace(at, 2, "/");
    }
    std::vector<const MtebTask*> found;
    for (const MtebTask& task : mteb_tasks())
        if (is_hub ? task.text("repository") == repository
                   : task.text("repository").ends_with("/" + repository))
            found.push_back(&task);
    if (found.empty() || (!is_hub && !are_alike(found)))
        return nullptr;
    Json names;
    for (const MtebTask* task : found)
        names.push_back(task->name);
    if (!are_alike(found))
        throw base::UsageError(
            "{}: several tasks of MTEB are made of it: say which with --as NAME: {}", name,
            names.dump());
    if (is_hub && !found.front()->text("loading").empty())
        throw base::UsageError(
            "{}: MTEB does not test these rows as they lie. Type: senteval data fetch mteb:{} "
            "--data DIR; or --as {} to take them as they are",
            name, found.front()->name, found.front()->name);
    return found.front();
}

/// The folder of the hub's cache that the files of a set lie in.
fs::path snapshot_of(const fs::path& folder)
{
    if (!fs::is_directory(folder / "snapshots"))
        return folder;
    std::string revision; // none: the last one
    std::ifstream(folder / "refs" / "main") >> revision;
    const auto all = folders_in(folder / "snapshots", false);
    const auto main = std::ranges::find(all, folder / "snapshots" / revision);
    return main != all.end() ? *main : all.empty() ? folder : all.back();
}

} // namespace

std::vector<core::Table> describe_mteb_folder(const fs::path& given,
                                              std::vector<std::string>* skipped,
                                              const std::string& as)
{
    std::vector<core::Table> all;
    std::vector<std::string> others;
    const auto add_fetched = [&](const fs::path& folder) {
        for (core::Table& table : describe_fetched(folder))
            all.push_back(std::move(table));
    };
    std::vector<std::string> repositories;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(given, error))
        if (std::string name = entry.path().filename().string(); name.starts_with(hub_prefix))
            repositories.push_back(std::move(name));
    std::ranges::sort(repositories);
    if (!repositories.empty())
        throw base::UsageError("--mteb {}: that is the hub's cache: give one of its folders, {}",
                               given.string(), base::first_of(repositories));
    const MtebTask* const named = as.empty() ? nullptr : find_mteb_task(as);
    if (!as.empty() && named == nullptr)
        throw base::UsageError(
            "--as {}: MTEB has no such task. 'senteval tasks \"mteb:*{}*\"' lists those "
            "whose names are like it",
            as, as);
    if (fs::exists(given / "mteb.json"))
        add_fetched(given);
    else if (fs::is_directory(given)) {
        const fs::path folder = snapshot_of(given);
        fs::path owner = fs::weakly_canonical(given);
        if (owner.parent_path().filename() == "snapshots")
            owner = owner.parent_path().parent_path();
        const std::string own_name = owner.filename().string();
        const MtebTask* const task = named == nullptr ? task_of_folder(own_name) : named;
        const std::string root =
            task != nullptr && (named != nullptr || own_name.starts_with(hub_prefix)) ? task->name
                                                                                      : own_name;
        const HubFiles files(folder);
        const auto configs = files.configs();
        const bool is_set = describe_splits(files, root, "default", task, all, others);
        for (const fs::path& one : folders_in(folder, is_set)) {
            const std::string name = one.filename().string();
            if (std::ranges::find(configs, name) != configs.end())
                continue;
            if (fs::exists(one / "mteb.json")) {
                add_fetched(one);
                continue;
            }
            const MtebTask* const its = task == nullptr ? task_of_folder(name) : task;
            if (describe_splits(HubFiles(one), task == nullptr ? name : root + "-" + name,
                                task == nullptr ? "default" : name, its, all, others))
                continue;
            for (const fs::path& subset : folders_in(one, false)) // a language each
                describe_splits(HubFiles(subset),
                                fmt::format("{}-{}", name, subset.filename().string()),
                                subset.filename().string(), its, all, others);
        }
    }
    if (skipped != nullptr)
        *skipped = others;
    if (all.empty() && !others.empty())
        throw base::UsageError("{}", fmt::join(others, "\n"));
    if (all.empty())
        throw base::UsageError(
            "--mteb {}: no set lies there: no test.jsonl, and no corpus.jsonl, "
            "queries.jsonl and qrels/test.tsv (nor their .tsv, .csv, .gz and .parquet)",
            given.string());
    if (named != nullptr && std::ranges::none_of(all, [&](const core::Table& table) {
            return fits(*named, {{"protocol", table.text("protocol")},
                                 {"sampling", table.text("sampling")}});
        }))
        throw base::UsageError("--as {}: its type is {}, and the files are those of {}", as,
                               named->text("type"), all.front().text("protocol"));
    return all;
}

} // namespace senteval::tasks
