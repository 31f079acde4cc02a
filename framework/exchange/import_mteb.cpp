// Folders of results as MTEB and its repository of results have them.
#include "base/error.hpp"
#include "base/files.hpp"
#include "exchange/import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace senteval::exchange {
namespace {

namespace fs = std::filesystem;
using base::Json;

struct Part {
    std::string subset;
    std::string split;
    Json scores;
};

/// A file of one task.
struct File {
    std::string task;
    Json revision; ///< of the data
    Json mteb_version;
    std::vector<Part> parts;
};

/// Whether {"cos_sim": {"ap": .5}} are scores by a similarity, and no subset.
bool is_similarity(const std::string& key)
{
    return std::ranges::count(
               std::array{"cos_sim", "dot", "euclidean", "manhattan", "max", "similarity"}, key) >
           0;
}

/// Scores as MTEB names them today: "cosine_ap".
Json flat(const Json& scores)
{
    Json all = Json::object();
    for (const auto& [key, value] : scores.items())
        if (is_similarity(key) && value.is_object())
            for (const auto& [name, number] : value.items())
                all[(key == "cos_sim" ? "cosine" : key) + "_" + name] = number;
        else
            all[key] = value;
    return all;
}

/// {"mteb_dataset_name", "test": {"cos_sim": {"ap": .5}}} or {..., "test": {"en": {"accuracy": .5}}}, as MTEB wrote it before
/// 1.11.
File old_file(const Json& result)
{
    File file{result.at("mteb_dataset_name"),
              result.value("dataset_revision", Json()),
              result.value("mteb_version", Json()),
              {}};
    for (const auto& [split, scores] : result.items()) {
        if (!scores.is_object())
            continue;
        const bool has_subsets = std::ranges::any_of(scores.items(), [](const auto& one) {
            return one.value().is_object() && !is_similarity(one.key());
        });
        if (!has_subsets)
            file.parts.push_back({"default", split, flat(scores)});
        else
            for (const auto& [subset, of_subset] : scores.items())
                if (of_subset.is_object()) // and not the time
                    file.parts.push_back({subset, split, flat(of_subset)});
    }
    return file;
}

File file_of(const Json& result)
{
    if (result.contains("mteb_dataset_name"))
        return old_file(result);
    File file{result.value("task_name", ""),
              result.value("dataset_revision", Json()),
              result.value("mteb_version", Json()),
              {}};
    const Json all = result.value("scores", Json::object());
    for (const auto& [split, parts] : all.items())
        for (const Json& scores : parts)
            file.parts.push_back({scores.value("hf_subset", "default"), split, flat(scores)});
    return file;
}

/// MTEB's name of a metric of ours; empty: it has none.
std::string key_of(const results::TaskRecord& task, const std::string& path)
{
    constexpr std::string_view prefix = "mteb.";
    if (path.starts_with(prefix))
        return path.substr(prefix.size());
    const bool is_another = results::find_metric(task.metrics, "mteb." + path) != nullptr;
    return is_another ? std::string() : path;
}

/// Our metrics of a task, as far as MTEB's scores have them. Of a task of MTEB's the metric that it names is the main score.
Json metrics_from(const results::TaskRecord& task, const Json& scores)
{
    const bool has_main = task.description.contains("/keys/mteb"_json_pointer) &&
                          task.description.contains("/keys/metric"_json_pointer) &&
                          scores.value("main_score", Json()).is_number();
    Json metrics = Json::object();
    for (const results::Metric& metric : task.metrics) {
        std::string key = key_of(task, metric.path);
        if ((key == "pearson" || key == "spearman") && scores.contains("cosine_" + key))
            key = "cosine_" + key;
        if (has_main && metric.path == task.headline)
            key = "main_score";
        std::string pointer = "/" + metric.path;
        std::ranges::replace(pointer, '.', '/');
        if (const auto at = scores.find(key); at != scores.end() && at->is_number())
            metrics[Json::json_pointer(pointer)] = at->get<double>() * metric.scale();
    }
    return metrics;
}

/// Whose results a file has.
struct Model {
    std::string name;
    std::string version; ///< revision, and the folder of an experiment
    auto operator<=>(const Model&) const = default;
};

Model model_of(const fs::path& file, const fs::path& folder)
{
    for (fs::path at = file.parent_path();; at = at.parent_path()) {
        if (fs::exists(at / "model_meta.json")) {
            const base::MappedFile meta(at / "model_meta.json");
            const Json about = parse_results(meta.bytes(), (at / "model_meta.json").string());
            const std::string inside = fs::relative(file.parent_path(), at).string();
            const Json name = about.value("name", Json());
            return {name.is_string() ? name.get<std::string>()
                                     : at.parent_path().filename().string(),
                    at.filename().string() + (inside == "." ? "" : "/" + inside)};
        }
        if (at == folder || at == at.root_path() || at.empty())
            break;
    }
    const fs::path revision = file.parent_path();
    std::string name = fs::weakly_canonical(revision).parent_path().filename().string();
    for (std::size_t at = 0; (at = name.find("__", at)) != name.npos;)
        name.replace(at, 2, "/");
    return {name, revision.filename().string()};
}

std::vector<fs::path> result_files(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.path().extension() == ".json" &&
            entry.path().filename() != "model_meta.json")
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// The label of each model.
std::map<Model, std::string> labels_of(const std::set<Model>& models, const std::string& label)
{
    std::map<std::string, std::size_t> versions;
    for (const Model& model : models)
        ++versions[model.name];
    if (!label.empty() && models.size() > 1)
        throw base::UsageError(
            "--encoder {}: there are results of {} models or revisions. Leave it "
            "out, and each is called as it calls itself",
            label, models.size());
    std::map<Model, std::string> labels;
    for (const Model& model : models)
        labels[model] = !label.empty()              ? label
                        : versions[model.name] == 1 ? model.name
                                                    : model.name + "@" + model.version;
    return labels;
}

} // namespace

std::vector<results::Cell> import_mteb(const fs::path& folder,
                                       const std::string& label,
                                       std::span<const results::TaskRecord> tasks,
                                       const MtebPart& mteb_part,
                                       std::vector<std::string>& problems,
                                       std::span<const results::MeanOfTasks> means)
{
    const std::vector<fs::path> files = result_files(folder);
    std::vector<Model> models;
    std::ranges::transform(files, std::back_inserter(models),
                           [&](const fs::path& file) { return model_of(file, folder); });
    const auto labels = labels_of({models.begin(), models.end()}, label);
    std::vector<results::Cell> cells;
    std::set<std::string> unknown;
    for (std::size_t at = 0; at < files.size(); ++at) {
        const std::string name = fs::relative(files[at], folder).string();
        const base::MappedFile bytes(files[at]);
        File file;
        try {
            file = file_of(parse_results(bytes.bytes(), name));
        } catch (const base::Error& e) {
            problems.push_back(fmt::format("left out: {}", e.what()));
            continue;
        }
        const auto mean = std::ranges::find(means, file.task, &results::MeanOfTasks::name);
        if (mean != means.end() && std::ranges::all_of(mean->tasks, [&](const std::string& task) {
                return fs::exists(files[at].parent_path() / (task + ".json"));
            }))
            continue;
        const auto own = std::ranges::find(tasks, file.task, &results::TaskRecord::name);
        bool is_known = false;
        for (const Part& part : file.parts) {
            auto task = mteb_part(file.task, part.subset, part.split);
            if (!task && own != tasks.end() && file.parts.size() == 1 && part.split == "test")
                task = *own;
            if (!task)
                continue;
            is_known = true;
            Json metrics = metrics_from(*task, part.scores);
            if (!task->headline_metric().value_in(metrics)) {
                problems.push_back(fmt::format("{}, {} of '{}' has no main score, or none that is "
                                               "computed here, and is left out",
                                               part.subset, part.split, name));
                continue;
            }
            if (!task->of_mteb("task").is_null()) {
                Json& facts = task->description["keys"]["mteb"];
                for (const auto& [key, value] :
                     {std::pair("revision", file.revision), std::pair("version", file.mteb_version),
                      std::pair("languages", part.scores.value("languages", Json()))})
                    if (!value.is_null())
                        facts[key] = value;
            }
            cells.push_back(imported(*task, std::move(metrics), labels.at(models[at]),
                                     files[at].filename().string(), bytes.bytes()));
        }
        if (!is_known)
            unknown.insert(file.task.empty() ? name : file.task);
    }
    if (!unknown.empty())
        problems.push_back(
            fmt::format("left out, as the tasks are not known: {} (those of a Python file are by "
                        "--data, where they were fetched)",
                        fmt::join(unknown, ", ")));
    if (cells.empty())
        throw base::UsageError("'{}' has no result of MTEB of a task that is known here",
                               folder.string());
    return cells;
}

} // namespace senteval::exchange
