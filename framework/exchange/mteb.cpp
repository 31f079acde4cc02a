#include "exchange/mteb.hpp"

#include "base/fingerprint.hpp"
#include "base/unicode.hpp"
#include "compare/results.hpp"
#include "measures/classes.hpp"
#include "results/classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace senteval::exchange {
namespace {

using base::Json;

constexpr std::size_t revision_digits = 12;

/// Six decimals, as MTEB rounds scores; null for NaN.
Json rounded(double value)
{
    return std::isnan(value) ? Json() : Json(std::round(value * 1e6) / 1e6);
}

/// A name as a part of a path: "/" is "__" and a space "_" (MTEB's rule), a control character, too; "." and ".." are
/// no names, and what is longer than a file system takes is cut and ends with its fingerprint.
std::string path_part(const std::string& name)
{
    constexpr std::size_t longest = 200; // bytes, of 255
    std::string part;
    for (const char c : name)
        part += c == '/' ? std::string("__")
                         : std::string(1, c == ' ' || (c >= 0 && c < ' ') || c == '\x7f' ? '_' : c);
    if (part.size() > longest)
        return fmt::format("{}-{}", base::first_characters(part, longest),
                           base::fingerprint(part).substr(0, revision_digits));
    return part == "." || part == ".." || part.empty() ? "_" + part : part;
}

/// Whether it is one by its protocol, or, where it was imported, by its task.
bool is_unlearned_similarity(const results::Cell& cell)
{
    const results::TaskRecord& task = cell.result.task;
    return cell.result.protocol.kind() == "similarity" ||
           (cell.result.imported &&
            (task.headline.starts_with("all.") || task.name.ends_with("Unsupervised")));
}

/// Tasks that MTEB calls otherwise: what it gives these names learns nothing.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> mteb_names{{
    {"STSBenchmarkUnsupervised", "STSBenchmark"},
    {"SICKRelatednessUnsupervised", "SICK-R"},
    {"STSBenchmark", "STSBenchmarkLearned"},
}};

/// What a part of a task of MTEB's says of itself, else `otherwise`.
Json said(const results::TaskRecord& task, const char* fact, Json otherwise)
{
    Json value = task.of_mteb(fact);
    return value.is_null() ? std::move(otherwise) : std::move(value);
}

std::string mteb_name(const results::TaskRecord& task)
{
    for (const auto& [name, of_mteb] : mteb_names)
        if (task.name == name)
            return std::string(of_mteb);
    return said(task, "task", task.name);
}

/// The correlations over all pairs; nothing where an imported result has none.
std::optional<Json> similarity_scores(const results::Cell& cell)
{
    const results::TaskRecord& task = cell.result.task;
    const std::string kind = cell.result.protocol.similarity();
    Json scores;
    for (const std::string measure : {"pearson", "spearman"}) {
        const bool has_parts = task.headline.starts_with("all.");
        const results::Metric metric{has_parts ? fmt::format("all.{}.all", measure) : measure, "",
                                     ""};
        const auto value = metric.value_in(cell.result.metrics);
        scores[measure] = value ? rounded(*value) : Json();
        if (kind != "dot")
            scores[kind + "_" + measure] = scores[measure];
    }
    if (cell.result.imported && scores["spearman"].is_null())
        return std::nullopt;
    const Json of_mteb = cell.result.metrics.value("mteb", Json::object());
    for (const auto& [key, value] : of_mteb.items())
        scores[key] = value.is_number() ? rounded(value.get<double>()) : Json();
    const bool is_pearson = !task.of_mteb("task").is_null() && task.headline == "pearson";
    scores["main_score"] = Json(scores[is_pearson ? "pearson" : "spearman"]);
    return scores;
}

Json class_scores(const results::Cell& cell, double accuracy)
{
    Json scores = {{"accuracy", rounded(accuracy)}};
    const results::Outcomes& outcomes = cell.items.outcomes;
    if (outcomes.kind == "class" && !outcomes.rows.empty() && !outcomes.classes.empty()) {
        results::Classes of_items;
        of_items.add(outcomes.rows);
        const auto report =
            measures::class_report(of_items.gold, of_items.predicted, outcomes.classes.size());
        for (const auto& [suffix, mean] :
             {std::pair("", report.macro), std::pair("_weighted", report.weighted)}) {
            scores[fmt::format("f1{}", suffix)] = rounded(mean.f1);
            scores[fmt::format("precision{}", suffix)] = rounded(mean.precision);
            scores[fmt::format("recall{}", suffix)] = rounded(mean.recall);
        }
    }
    scores["ap"] = nullptr;
    scores["ap_weighted"] = nullptr;
    return scores;
}

/// Means over seeds of the numbers that all have.
Json mean_of(const std::vector<Json>& experiments)
{
    Json mean = experiments.front();
    for (auto& [key, value] : mean.items()) {
        double sum = 0;
        for (const Json& one : experiments)
            sum += one.contains(key) && one.at(key).is_number() ? one.at(key).get<double>()
                                                                : std::nan("");
        value = rounded(sum / static_cast<double>(experiments.size()));
    }
    return mean;
}

/// Results of its protocols have its keys; those under "mteb" are its own where ours differ.
Json scores_by_mteb(const results::Cell& cell)
{
    const Json& metrics = cell.result.metrics;
    Json scores = Json::object();
    for (const results::Metric& metric : cell.result.task.metrics)
        if (const auto value = metric.value_in(metrics); value && !metric.path.starts_with("mteb."))
            scores[metric.path] = rounded(*value / metric.scale());
    if (metrics.contains("mteb"))
        for (const auto& [key, value] : metrics.at("mteb").items())
            scores[key] = value.is_number() ? rounded(value.get<double>()) : Json();
    for (const char* const key : {"ap", "ap_weighted"}) // of two classes
        if (metrics.contains(key))
            scores[key] = rounded(metrics.at(key).get<double>() / 100);
    if (cell.result.protocol.kind() == "bitext")
        scores["recall"] = scores.at("accuracy");
    if (cell.result.protocol.kind() == "summarization")
        for (const std::string measure : {"pearson", "spearman"})
            scores[measure] = scores.at("cosine_" + measure);
    if (scores.contains("recall_at_1"))
        scores["accuracy"] = scores.at("recall_at_1");
    const Json& details = cell.result.details;
    const std::size_t clusterings = cell.result.protocol.clusterings();
    for (const char* const key : {"v_measures", "ami_scores"}) {
        std::size_t number = 0;
        for (const Json& value : details.value(key, Json::array())) {
            Json& list = clusterings == 0
                             ? scores[key]
                             : scores[key][fmt::format("Level {}", number++ / clusterings)];
            list.push_back(rounded(value.get<double>()));
        }
    }
    if (details.contains("experiments"))
        for (Json experiment : details.at("experiments")) {
            for (auto& [key, value] : experiment.items())
                value = rounded(value.get<double>() / 100);
            scores["scores_per_experiment"].push_back(std::move(experiment));
        }
    const results::TaskRecord& task = cell.result.task;
    std::string main = task.headline.substr(task.headline.starts_with("mteb.") ? 5 : 0);
    if (scores.contains("max_ap") && !task.headline.starts_with("mteb.")) // no metric of ours
        main = "max_ap";
    scores["main_score"] = scores.at(main);
    return scores;
}

/// The scores of a task; nothing where MTEB's main score cannot be had.
std::optional<Json> scores_of(const compare::Runs& runs)
{
    const results::Cell& first = *runs.front();
    if (is_unlearned_similarity(first))
        return similarity_scores(first);
    if (first.result.protocol.is_of_mteb())
        return scores_by_mteb(first);
    const results::Metric& headline = first.result.task.headline_metric();
    const bool is_accuracy = headline.source.statistic == "accuracy";
    std::vector<Json> experiments;
    for (const results::Cell* cell : runs) {
        const auto value = headline.value_in(cell->result.metrics);
        const double score = value.value_or(std::nan("")) / headline.scale();
        experiments.push_back(is_accuracy ? class_scores(*cell, score)
                                          : Json({{headline.path, rounded(score)}}));
    }
    Json scores = mean_of(experiments);
    const Json main = scores.begin().value();
    if (is_accuracy)
        scores["scores_per_experiment"] = experiments;
    scores["main_score"] = main;
    return scores;
}

/// Takes MTEB's main score of a part of a task; false where it is none of the scores.
bool take_main_score(const results::TaskRecord& task, Json& scores)
{
    const Json name = task.of_mteb("main_score");
    if (name.is_null())
        return true;
    const auto at = scores.find(name.get<std::string>());
    if (at == scores.end())
        return false;
    scores["main_score"] = Json(*at);
    return true;
}

/// Seconds since 1970 of "2026-01-31T12:00:00Z"; null for anything else.
Json posix_time(const std::string& date)
{
    std::tm time{};
    if (strptime(date.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time) == nullptr)
        return {};
    return static_cast<double>(timegm(&time));
}

/// Without scores.
Json task_file(const results::Result& first, const std::string& name)
{
    const std::string data = first.data.files.dump();
    return {
        {"dataset_revision", said(first.task, "revision",
                                  "local-" + base::fingerprint(data).substr(0, revision_digits))},
        {"task_name", name},
        {"mteb_version", said(first.task, "version", nullptr)},
        {"scores", Json::object()},
        {"evaluation_time", first.imported ? Json() : Json(0.0)},
        {"kg_co2_emissions", nullptr},
        {"date", posix_time(first.run.date)},
        {"evaluation_phases", nullptr}};
}

/// MTEB's file of a mean of tasks, from theirs, which say their own time.
Json mean_file(const std::string& name, const std::vector<Json>& files)
{
    std::vector<Json> parts;
    for (const Json& one : files)
        parts.push_back(one.at("scores").front().at(0));
    Json scores = mean_of(parts);
    scores["hf_subset"] = "default";
    scores["languages"] = parts.front().at("languages");
    Json file = files.front();
    file.update({{"task_name", name},
                 {"dataset_revision", "1"}, // of all of them
                 {"scores", {{"test", {scores}}}},
                 {"evaluation_time", nullptr}});
    return file;
}

/// Adds the scores of a task, or of a part of it.
void add_scores(const compare::Runs& runs, Json scores, Json& file)
{
    const results::TaskRecord& task = runs.front()->result.task;
    scores["hf_subset"] = said(task, "subset", "default");
    scores["languages"] = said(task, "languages", {"eng-Latn"});
    for (const results::Cell* cell : runs)
        if (Json& seconds = file.at("evaluation_time"); !seconds.is_null())
            seconds = seconds.get<double>() + cell->result.run.total_seconds();
    if (const std::string seen = compare::training_overlap(runs); !seen.empty())
        scores["test_items_trained_on"] = seen;
    if (const auto doubts = compare::data_warnings_of(runs);
        !doubts.empty()) // who ranks it is to know
        scores["data_doubts"] = doubts;
    for (const results::Caution& caution : compare::cautions_of(runs))
        scores["cautions"].push_back(caution.text);
    file["scores"][said(task, "split", "test").get<std::string>()].push_back(std::move(scores));
}

Json model_meta(const compare::Row& row, const std::string& revision)
{
    Json meta = {{"name", row.encoder}, {"revision", revision}};
    for (const char* unknown :
         {"loader", "release_date", "languages", "n_parameters", "memory_usage_mb", "max_tokens"})
        meta[unknown] = nullptr;
    meta["embed_dim"] = row.dimension > 0 ? Json(row.dimension) : Json();
    for (const char* unknown :
         {"license", "open_weights", "public_training_code", "public_training_data", "reference",
          "similarity_fn_name", "use_instructions", "training_datasets"})
        meta[unknown] = nullptr;
    meta["framework"] = Json::array();
    return meta;
}

/// MTEB's word for a task that a model is not new to.
void add_training_set(const std::string& task, Json& meta)
{
    Json& sets = meta["training_datasets"];
    if (sets.is_null())
        sets = Json::array();
    if (std::find(sets.begin(), sets.end(), task) == sets.end())
        sets.push_back(task);
}

std::string revision_of(const compare::Row& row)
{
    const auto runs = std::find_if(row.tasks.begin(), row.tasks.end(),
                                   [](const compare::Runs& any) { return !any.empty(); });
    return runs->front()->result.encoder.fingerprint.substr(0, revision_digits);
}

} // namespace

std::vector<MtebFile> to_mteb(const compare::Results& results,
                              std::vector<std::string>& problems,
                              std::span<const results::MeanOfTasks> means)
{
    std::vector<MtebFile> files;
    std::map<std::filesystem::path, std::size_t> places;
    const auto file_at = [&](const std::filesystem::path& path, const auto& make) -> Json& {
        const auto [place, is_new] = places.emplace(path, files.size());
        if (is_new)
            files.push_back({path, make()});
        return files[place->second].content;
    };
    for (const compare::Row& row : results.rows()) {
        const std::string revision = revision_of(row);
        const auto model = std::filesystem::path(path_part(row.encoder)) / revision;
        const auto meta = [&]() -> Json& {
            return file_at(model / "model_meta.json", [&] { return model_meta(row, revision); });
        };
        meta();
        const auto folder =
            row.variant.empty() ? model : model / "experiments" / path_part(row.variant);
        for (std::size_t task = 0; task < results.tasks().size(); ++task) {
            if (row.tasks[task].empty())
                continue;
            const results::Result& first = row.tasks[task].front()->result;
            const std::string name = mteb_name(first.task);
            if (!compare::training_overlap(row.tasks[task]).empty())
                add_training_set(name, meta());
            auto scores = scores_of(row.tasks[task]);
            if (scores && !take_main_score(first.task, *scores))
                problems.push_back(fmt::format("{} of '{}' is left out: MTEB's main score of it, "
                                               "{}, is not computed here",
                                               results.tasks()[task], row.label,
                                               first.task.of_mteb("main_score").dump()));
            else if (scores)
                add_scores(row.tasks[task], std::move(*scores),
                           file_at(folder / (path_part(name) + ".json"),
                                   [&] { return task_file(first, name); }));
            else
                problems.push_back(fmt::format("{} of '{}' is left out: it has no correlation over "
                                               "all pairs, which MTEB's score is",
                                               results.tasks()[task], row.label));
        }
        for (const auto& [mean, tasks] : means) {
            std::vector<Json> its;
            for (const std::string& task : tasks)
                if (const auto at = places.find(folder / (path_part(task) + ".json"));
                    at != places.end())
                    its.push_back(files[at->second].content);
            if (its.size() == tasks.size())
                file_at(folder / (path_part(mean) + ".json"), [&] { return mean_file(mean, its); });
        }
    }
    return files;
}

} // namespace senteval::exchange
