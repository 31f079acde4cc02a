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

/// A task of MTEB by our name, and the affixes of MTEB's names in the paths of our metrics. Nothing is learned there.
struct Renamed {
    std::string_view mteb;
    std::string_view task;
    std::string_view prefix; ///< of its metrics
    std::string_view suffix;
};
constexpr Renamed renamed[] = {
    {"STS12", "STS12", "all.", ".all"}, {"STS13", "STS13", "all.", ".all"},
    {"STS14", "STS14", "all.", ".all"}, {"STS15", "STS15", "all.", ".all"},
    {"STS16", "STS16", "all.", ".all"}, {"STSBenchmark", "STSBenchmarkUnsupervised", "", ""},
};

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
std::string key_of(const results::TaskRecord& task, std::string path, const Renamed* renaming)
{
    const auto is_described = [&](const std::string& other) {
        return results::find_metric(task.metrics, other) != nullptr;
    };
    if (renaming != nullptr) {
        if (!path.starts_with(renaming->prefix) || !path.ends_with(renaming->suffix))
            return {};
        path = path.substr(renaming->prefix.size(),
                           path.size() - renaming->prefix.size() - renaming->suffix.size());
        return path == "pearson" || path == "spearman" ? path : std::string();
    }
    if (path.starts_with("mteb."))
        return path.substr(std::string_view("mteb.").size());
    return is_described("mteb." + path) ? std::string() : path; // MTEB's is another number
}

/// Our metrics of a task, as far as MTEB's scores have them. Of a part of MTEB's the headline is the main score.
Json metrics_from(const results::TaskRecord& task, const Renamed* renaming, const Json& scores)
{
    Json metrics = Json::object();
    for (const results::Metric& metric : task.metrics) {
        std::string key = key_of(task, metric.path, renaming);
        if ((key == "pearson" || key == "spearman") && scores.contains("cosine_" + key))
            key = "cosine_" + key;
        if (!task.of_mteb("task").is_null() && task.of_mteb("main_score").is_null() &&
            metric.path == task.headline && !scores.contains(key))
            key = "main_score";
        std::string pointer = "/" + metric.path;
        std::ranges::replace(pointer, '.', '/');
        if (const auto at = scores.find(key); at != scores.end() && at->is_number())
            metrics[Json::json_pointer(pointer)] = at->get<double>() * metric.scale();
    }
    return metrics;
}

/// Makes the headline another metric where its value is not there.
void move_headline(results::TaskRecord& task, const Json& metrics)
{
    const auto has_value = [&](const results::Metric& metric) {
        return metric.value_in(metrics).has_value();
    };
    if (!has_value(task.headline_metric()))
        task.headline = std::ranges::find_if(task.metrics, has_value)->path;
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
                                       std::vector<std::string>& problems)
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
        const auto* const renaming = std::ranges::find(renamed, file.task, &Renamed::mteb);
        const bool is_renamed = renaming != std::end(renamed);
        const auto own =
            std::ranges::find(tasks, is_renamed ? renaming->task : std::string_view(file.task),
                              &results::TaskRecord::name);
        const bool is_own =
            own != tasks.end() && file.parts.size() == 1 && file.parts[0].split == "test";
        for (const Part& part : file.parts) {
            auto task = is_own ? std::optional(*own)
                               : mteb_part(file.task, part.subset, part.split, file.parts.size());
            if (!task) {
                unknown.insert(file.task.empty() ? name : file.task);
                break;
            }
            Json metrics =
                metrics_from(*task, is_renamed && is_own ? renaming : nullptr, part.scores);
            if (metrics.empty() || (!is_own && !task->headline_metric().value_in(metrics))) {
                problems.push_back(fmt::format("{}, {} of '{}' has none of the task's metrics, "
                                               "or no main score, and is left out",
                                               part.subset, part.split, name));
                continue;
            }
            move_headline(*task, metrics);
            if (!is_own) {
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
    }
    if (!unknown.empty())
        problems.push_back(
            fmt::format("left out, as the tasks are not known: {}", fmt::join(unknown, ", ")));
    if (cells.empty())
        throw base::UsageError("'{}' has no result of MTEB of a task that is known here",
                               folder.string());
    return cells;
}

} // namespace senteval::exchange
