// Finds the sets of a folder by the files and fields that they have.
#include "base/error.hpp"
#include "base/json.hpp"
#include "data/manifest.hpp"
#include "data/sha256.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/custom/mteb_catalogue.hpp"
#include "tasks/data_warnings.hpp"
#include "tasks/readers/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>
#include <variant>

namespace senteval::tasks {
namespace {

namespace fs = std::filesystem;
using base::Json;

/// The first Parquet file of a split in a folder of the folder, as the hub names them; empty where there is none.
std::string find_shards(const fs::path& folder, const std::string& inside, const std::string& split)
{
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder / inside, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(split.empty() ? split : split + "-") &&
            name.find("-00000-of-") != name.npos && name.ends_with(".parquet"))
            return (fs::path(inside) / name).string();
    }
    return {};
}

/// The file of that name in the folder, whatever its form; empty where there is none.
std::string find(const fs::path& folder, const std::string& stem)
{
    for (const std::string_view ending :
         {".jsonl", ".jsonl.gz", ".json", ".tsv", ".tsv.gz", ".csv", ".csv.gz", ".parquet"})
        if (fs::is_regular_file(folder / (stem + std::string(ending))))
            return stem + std::string(ending);
    for (const char* inside : {"", "data", "default"})
        if (std::string first = find_shards(folder, inside, stem); !first.empty())
            return first;
    return {};
}

/// What the values of a field of a file have in common.
struct FieldValues {
    bool has_lists = false;
    bool are_flags = true; ///< 0 or 1, false or true
    bool are_numbers = true;
    bool have_fraction = false;

    void add(const text::Field& value)
    {
        const auto* const text = std::get_if<std::string>(&value);
        const auto number = text == nullptr ? std::nullopt : parsed_number(*text);
        has_lists |= std::holds_alternative<std::vector<std::string>>(value);
        are_flags &= text != nullptr && parsed_flag(*text).has_value();
        are_numbers &= number.has_value();
        have_fraction |= number && *number != std::trunc(*number);
    }
};

using FileFields = std::map<std::string, FieldValues>; ///< by name

/// The fields that any of the first `most` rows of a file has.
FileFields fields_of(const fs::path& folder, const std::string& file, std::size_t most)
{
    task::DataFolder data(folder);
    RecordFile opened(data, file);
    FileFields fields;
    std::size_t rows = 0;
    for (; rows < most && opened.next(); ++rows)
        for (std::size_t at = 0; at < opened.records.header().size(); ++at) {
            const auto [field, is_new] = fields.try_emplace(opened.records.header()[at]);
            if (is_new && rows > 0)
                field->second.add({}); // which earlier rows lack
            field->second.add(opened.records.value(at));
        }
    if (rows == 0)
        throw base::Error("{}: there is no row", opened.file.name());
    return fields;
}

/// A set that lies in a folder: the split that is tested, what stands before the names of a language's folders, and what is
/// known of the task.
struct Set {
    fs::path folder;
    std::string split = "test";
    std::string prefix = {};
    std::string subset = "default";
    const MtebTask* task = nullptr;

    [[nodiscard]] std::string train() const
    {
        return find(folder, task == nullptr ? "train" : task->train());
    }
};

std::optional<Json> describe_search(const Set& set)
{
    const auto part = [&](const std::string& name, const std::string& split) {
        const std::string plain = set.prefix.empty() ? find(set.folder, name + split) : "";
        return plain.empty()
                   ? find_shards(set.folder, set.prefix + name, split.substr(split.find('/') + 1))
                   : plain;
    };
    const std::string corpus = part("corpus", "");
    const std::string queries = part("queries", "");
    std::string judgements = part("qrels", "/" + set.split);
    if (judgements.empty() && set.prefix.empty()) // of the repository's default
        judgements = find(set.folder, set.split);
    if (corpus.empty() || queries.empty() || judgements.empty())
        return std::nullopt;
    Json keys = {{"protocol", "search"},
                 {"corpus", corpus},
                 {"queries", queries},
                 {"judgements", judgements}};
    if (const std::string candidates = part("top_ranked", "/" + set.split); !candidates.empty()) {
        keys["protocol"] = "reranking";
        keys["candidates"] = candidates;
    }
    return keys;
}

/// Whether a field says nothing of how its two sentences belong together.
bool is_id(const std::string& field)
{
    constexpr std::array names = {"id",   "_id",  "idx",       "index",
                                  "guid", "lang", "sentence1", "sentence2"};
    return std::ranges::count(names, field) > 0 || field.ends_with("_id");
}

/// The pairs of a file: scored or labelled by the field of MTEB's name, else by the one that they have beside ids, whose
/// values decide; translations where there is none.
Json describe_pairs(const fs::path& folder, const std::string& test)
{
    FileFields fields = fields_of(folder, test, std::numeric_limits<std::size_t>::max());
    const auto scored = [&](const std::string& target) -> Json {
        return {{"protocol", "similarity"}, {"test", test},     {"first", "sentence1"},
                {"second", "sentence2"},    {"target", target}, {"metric", "spearman"}};
    };
    if (fields.contains("score"))
        return scored("score");
    if (fields.contains("labels"))
        return {{"protocol", "pair-threshold"}, {"test", test}};
    std::erase_if(fields, [](const auto& field) { return is_id(field.first); });
    if (fields.empty())
        return {{"protocol", "bitext"}, {"test", test}};
    const auto& [target, values] = *fields.begin();
    if (fields.size() == 1 && values.are_flags)
        return {{"protocol", "pair-threshold"}, {"test", test}, {"target", target}};
    if (fields.size() == 1 && values.are_numbers && values.have_fraction)
        return scored(target);
    throw base::UsageError("{}: what '{}' says of sentence1 and sentence2 cannot be told (one "
                           "field of 0 and 1 would be labels, one "
                           "of numbers with a fraction scores): say it by a [[task]] with protocol "
                           "and target, or leave out "
                           "what is not meant",
                           (folder / test).string(), fmt::join(std::views::keys(fields), "', '"));
}

std::optional<Json> describe_rows(const Set& set)
{
    const fs::path& folder = set.folder;
    const std::string test = find(folder, set.split);
    if (test.empty())
        return std::nullopt;
    const std::string train = set.train();
    if (set.task != nullptr &&
        (set.task->keys.contains("first") || set.task->keys.contains("target"))) {
        Json keys = set.task->keys;
        keys["test"] = test;
        if (keys["protocol"] == "similarity")
            keys["target"] = "score";
        if (!train.empty() && (keys["protocol"] == "few-shot" || keys["protocol"] == "multilabel"))
            keys["train"] = train;
        return keys;
    }
    FileFields fields = fields_of(folder, test, 1);
    if (fields.contains("positive") && fields.contains("negative"))
        return Json{{"protocol", "reranking"}, {"test", test}};
    if (fields.contains("human_summaries"))
        return Json{{"protocol", "summarization"}, {"test", test}};
    if (fields.contains("sentences"))
        return Json{{"protocol", "clustering"},
                    {"test", test},
                    {"sampling", fields["sentences"].has_lists ? "sets" : "mteb"}};
    if (fields.contains("sent1")) // a row of lists
        return Json{{"protocol", "pair-threshold"},
                    {"test", test},
                    {"first", "sent1"},
                    {"second", "sent2"}};
    if (fields.contains("sentence1"))
        return describe_pairs(folder, test);
    if (!fields.contains("text") || !fields.contains("label"))
        throw base::UsageError(
            "{}: has the fields {}. A set has text and label, sentence1 and "
            "sentence2, sent1, sent2 and labels, sentences and labels, text, human_summaries and "
            "machine_summaries, or query, positive and negative",
            (folder / test).string(), fmt::join(std::views::keys(fields), ", "));
    Json keys = {{"protocol", fields["label"].has_lists ? "multilabel" : "few-shot"},
                 {"test", test}};
    if (train.empty())
        keys["folds"] = 5;
    else
        keys["train"] = train;
    return keys;
}

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
    auto keys = describe_search(set);
    try {
        if (!keys && set.prefix.empty())
            keys = describe_rows(set);
    } catch (const base::UsageError& e) {
        skipped.emplace_back(e.what());
    }
    if (!keys)
        return false;
    if (set.task != nullptr && fits(*set.task, *keys)) {
        const Json protocol = (*keys)["protocol"];
        keys->update(set.task->keys);
        (*keys)["protocol"] = protocol;
        if (keys->contains("folds"))
            keys->erase("train");
        if (const std::size_t parts = parts_of(MtebChoice(set.task, Json())); parts > 1)
            keys->update({{"of", mteb_task_name(set.task->name)},
                          {"part", set.subset + "/" + set.split},
                          {"parts", parts}});
    }
    if (is_published(set.folder, *keys))
        (*keys)["accept"] = warning_names;
    else
        (*keys)["tolerated_copies"] = 0.05; // so many are usual there
    std::string toml = "name = " + base::to_text(Json(name_from(name))) + "\n";
    for (const auto& [key, value] : keys->items())
        toml += key + " = " + base::to_text(value) + "\n";
    all.push_back(core::Table::parse(toml, set.folder.string(), set.folder));
    return true;
}

/// Appends each split that MTEB tests, of one without a name also of each language whose folders begin with its name.
bool describe_splits(const fs::path& folder,
                     const std::string& name,
                     const std::string& subset,
                     const MtebTask* task,
                     std::vector<core::Table>& all,
                     std::vector<std::string>& skipped)
{
    std::vector<std::string> prefixes = {""};
    for (const auto& entry : fs::directory_iterator(folder))
        if (const std::string inside = entry.path().filename().string();
            inside.ends_with("-corpus"))
            prefixes.push_back(inside.substr(0, inside.size() - std::string_view("corpus").size()));
    std::ranges::sort(prefixes);
    const std::vector<std::string> splits =
        task == nullptr ? std::vector<std::string>{"test"} : task->splits();
    const std::size_t before = all.size();
    for (const std::string& prefix : prefixes) {
        const std::string language = prefix.substr(0, prefix.size() - (prefix.empty() ? 0 : 1));
        for (const std::string& split : splits)
            describe({folder, split, prefix, language.empty() ? subset : language, task},
                     name + (language.empty() ? "" : "-" + language) +
                         (splits.size() > 1 ? "-" + split : ""),
                     all, skipped);
    }
    return all.size() > before ||
           (!(std::ranges::find(splits, "test") != splits.end()) &&
            describe({folder, "test", "", subset, task}, name, all, skipped));
}

/// The folders in a folder, by name, but for those that are parts of a set.
std::vector<fs::path> folders_in(const fs::path& folder, bool is_set)
{
    const auto is_part = [&](const std::string& name) {
        return std::ranges::any_of(std::array{"corpus", "queries", "qrels", "top_ranked"},
                                   [&](const std::string& part) {
                                       return name == part || name.ends_with("-" + part);
                                   }) ||
               (is_set && (name == "data" || name == "default"));
    };
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_directory() && !is_part(entry.path().filename().string()))
            folders.push_back(entry.path());
    std::ranges::sort(folders);
    return folders;
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
            "{}: MTEB changes these rows before it tests them. Type: senteval data fetch mteb:{} "
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
        const bool is_set = describe_splits(folder, root, "default", task, all, others);
        for (const fs::path& one : folders_in(folder, is_set)) {
            const std::string name = one.filename().string();
            if (fs::exists(one / "mteb.json")) {
                add_fetched(one);
                continue;
            }
            const MtebTask* const its = task == nullptr ? task_of_folder(name) : task;
            if (describe_splits(one, task == nullptr ? name : root + "-" + name,
                                task == nullptr ? "default" : name, its, all, others))
                continue;
            for (const fs::path& subset : folders_in(one, false)) // a language each
                describe_splits(subset, fmt::format("{}-{}", name, subset.filename().string()),
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
