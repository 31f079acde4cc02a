#include "compare/results.hpp"
#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/home.hpp"
#include "core/json.hpp"
#include "core/nan.hpp"
#include "host/commands.hpp"
#include "host/output.hpp"
#include "host/results_folder.hpp"
#include "paragram_model/architecture.hpp"
#include "paragram_model/model_file.hpp"
#include "run/official.hpp"
#include "stats/correlation.hpp"
#include "task/data_folder.hpp"
#include "task/data_root.hpp"
#include "tasks/custom/custom.hpp"
#include "train/start_vectors.hpp"
#include "word_vectors/table.hpp"

#include <senteval/encoder.hpp>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace senteval::host {
namespace {

struct UndertrainedDataset {
    std::string name; ///< task and metric
    double share =
        0; ///< of its distinct words, those that occurred too seldom in the training pairs
    double deviation = 0; ///< of Pearson's r from the 75th percentile of the shared task
};

/// Counts of the words of a model.
std::unordered_map<std::string, std::uint32_t> counts_of(const std::string& model)
{
    const std::filesystem::path file = core::expand_home(model);
    const train::StartVectors vectors(file, 1, {}, {});
    std::unordered_map<std::string, std::uint32_t> counts;
    try {
        const std::vector<std::uint32_t> of_rows = paragram::ModelFile(file).counts();
        for (std::size_t row = 0; row < of_rows.size(); ++row)
            counts.emplace(vectors.word(row), of_rows[row]);
    } catch (const sdk::Error& error) {
        throw core::UsageError(
            "{}: is no model of 'senteval train' that tells how often it met its "
            "words: {}",
            model, error.what());
    }
    return counts;
}

/// The distinct words of the test items of a group ("MSRpar"), or of all of them.
std::set<std::string>
words_of(const run::Cell& cell, const task::LoadedTask& task, const std::string& group)
{
    std::set<std::string> words;
    const task::Outcomes& outcomes = cell.items.outcomes;
    for (const task::ItemOutcome& row : outcomes.rows) {
        if (!group.empty() && outcomes.groups[row.group] != group)
            continue;
        const task::ItemText item = task.item(row.item);
        for (const text::Sentence& sentence : {item.first, item.second})
            word_vectors::for_each_token(sentence.text, [&](std::string_view token) {
                words.insert(paragram::normalised(token));
            });
    }
    return words;
}

/// "MSRpar" of "MSRpar.pearson", nothing of "pearson".
std::string subset_of(const std::string& metric)
{
    const std::size_t dot = metric.rfind('.');
    return dot == metric.npos ? std::string() : metric.substr(0, dot);
}

/// Whether the fingerprint of `model` is among those of the files that a result's encoder was made of.
bool is_made_of(const core::Json& document, const std::string& fingerprint)
{
    for (const core::Json& prints : document.at("encoder").value("files", core::Json::object()))
        if (prints == fingerprint ||
            (prints.is_array() &&
             std::ranges::find(prints, core::Json(fingerprint)) != prints.end()))
            return true;
    return false;
}

void require_results_of(const std::string& model, const compare::Row& row)
{
    const std::string fingerprint = core::fingerprint_file(core::expand_home(model));
    for (const compare::Runs& runs : row.tasks)
        if (!runs.empty() && !is_made_of(runs.front()->document, fingerprint))
            throw core::UsageError("the results of '{}' were not made with the model {}: its "
                                   "fingerprint is not among those of their files; --encoders "
                                   "chooses its row",
                                   row.label, model);
}

std::vector<UndertrainedDataset> undertrained_datasets(const std::string& model,
                                                       const compare::Results& results,
                                                       const std::string& data,
                                                       std::uint32_t least)
{
    require_results_of(model, results.rows().front());
    const auto counts = counts_of(model);
    const task::Tasks catalog = tasks::all_tasks({});
    std::vector<UndertrainedDataset> datasets;
    for (std::size_t number = 0; number < results.tasks().size(); ++number) {
        const compare::Runs& runs = results.rows().front().tasks[number];
        const auto task = std::ranges::find_if(
            catalog, [&](const auto& one) { return one->info().name == results.tasks()[number]; });
        if (runs.empty() || task == catalog.end())
            continue;
        std::unique_ptr<task::LoadedTask> loaded;
        for (const run::OfficialRanking& ranking : run::official_rankings()) {
            task::Metric metric;
            metric.path = ranking.metric;
            const auto value = metric.value_in(runs.front()->document.at("metrics"));
            if (ranking.task != results.tasks()[number] || !value)
                continue;
            if (!loaded) {
                task::DataFolder folder(task::data_root(core::expand_home(data)));
                loaded = (*task)->load(folder);
            }
            const auto words = words_of(*runs.front(), *loaded, subset_of(ranking.metric));
            const auto seldom = std::ranges::count_if(words, [&](const std::string& word) {
                const auto at = counts.find(word);
                return at == counts.end() || at->second < least;
            });
            datasets.push_back({ranking.task + " " + ranking.metric,
                                static_cast<double>(seldom) / static_cast<double>(words.size()),
                                *value - ranking.upper_quartile});
        }
    }
    if (datasets.size() < 3)
        throw core::UsageError(
            "the results have {} datasets whose official ranking is known; three are needed to "
            "correlate",
            datasets.size());
    return datasets;
}

using core::Json;

struct AnalyseOptions {
    ResultsOptions results;
    bool json = false;
    std::string model;
    std::string data;
    std::uint32_t least = 100;
};

std::string four_digits(double value)
{
    return std::isnan(value) ? "-" : fmt::format("{:.4f}", value);
}

/// The tasks of a row that take part and whose test items its encoder was trained on: {"STS12": "3 of
/// 750", ...}.
Json training_overlaps(const compare::Results& results,
                       const compare::Row& row,
                       bool (*takes_part)(const run::Cell&))
{
    Json overlaps = Json::object();
    for (std::size_t task = 0; task < results.tasks().size(); ++task)
        if (const compare::Runs& runs = row.tasks[task]; !runs.empty() && takes_part(*runs.front()))
            if (const std::string seen = compare::training_overlap(runs); !seen.empty())
                overlaps[results.tasks()[task]] = seen;
    return overlaps;
}

/// A line that says what † means, or nothing.
std::string note_of(const Json& overlaps)
{
    std::string tasks;
    for (const auto& [task, seen] : overlaps.items())
        tasks +=
            fmt::format("{}{} of {}", tasks.empty() ? "" : ", ", seen.get<std::string>(), task);
    return tasks.empty() ? ""
                         : fmt::format("  †: trained on sentences of test items ({}): no scores on "
                                       "unseen text\n",
                                       tasks);
}

// ---- Pearson's r by sentence length (Wieting et al. 2016, table 7) -----------------------------------------

constexpr std::uint32_t shortest = 4;
constexpr std::uint32_t longest = 10;
constexpr std::size_t bins = longest - shortest + 1;

std::string name_of_bin(std::size_t bin)
{
    const std::size_t tokens = bin + shortest;
    return tokens == shortest  ? fmt::format("<={}", tokens)
           : tokens == longest ? fmt::format(">={}", tokens)
                               : std::to_string(tokens);
}

/// Gold scores and similarities of pairs.
struct Bin {
    std::vector<double> gold;
    std::vector<double> predicted;
};

bool has_scores(const run::Cell& cell)
{
    return cell.items.outcomes.kind == "score";
}

/// The pairs of all tasks of a row, by the tokens of the longer sentence; of several seeds the first.
std::array<Bin, bins> binned(const compare::Row& row)
{
    std::array<Bin, bins> result;
    for (const compare::Runs& runs : row.tasks) {
        if (runs.empty() || !has_scores(*runs.front()))
            continue;
        const run::Items& items = runs.front()->items;
        for (std::size_t i = 0; i < items.outcomes.rows.size(); ++i) {
            const run::ItemTraits& traits = items.traits[i];
            const std::uint32_t tokens = std::max(traits.tokens_first, traits.tokens_second);
            Bin& bin = result[std::clamp(tokens, shortest, longest) - shortest];
            bin.gold.push_back(items.outcomes.rows[i].gold);
            bin.predicted.push_back(items.outcomes.rows[i].prediction);
        }
    }
    return result;
}

void show_lengths(AnalyseOptions options, int& exit_code)
{
    if (options.results.tasks.empty())
        options.results.tasks = {"STS12", "STS13", "STS14", "STS15"}; // on one scale
    const compare::Results results = load_results(options.results, exit_code);
    Json all = Json::array();
    for (const compare::Row& row : results.rows()) {
        const Json overlaps = training_overlaps(results, row, has_scores);
        Json json = {{"encoder", row.label}, {"lengths", Json::array()}, {"trained_on", overlaps}};
        std::string text = fmt::format("{}{}\n  tokens   pairs  Pearson's r\n", row.label,
                                       overlaps.empty() ? "" : "†");
        const auto by_length = binned(row);
        for (std::size_t bin = 0; bin < bins; ++bin) {
            const double r = stats::pearson(by_length[bin].predicted, by_length[bin].gold).r;
            text += fmt::format("  {:>6} {:>7}  {:>11}\n", name_of_bin(bin),
                                by_length[bin].gold.size(), four_digits(r));
            json["lengths"].push_back({{"tokens", name_of_bin(bin)},
                                       {"pairs", by_length[bin].gold.size()},
                                       {"pearson", r}});
        }
        all.push_back(std::move(json));
        if (!options.json)
            emit("{}{}", text, note_of(overlaps));
    }
    if (options.json)
        emit_json(all);
}

// ---- Where results stand among the systems of the shared tasks (table 4) -----------------------------------

bool has_standing(const run::Cell& cell)
{
    return cell.document.contains("standing");
}

void show_standing(const AnalyseOptions& options, int& exit_code)
{
    const compare::Results results = load_results(options.results, exit_code);
    Json all = Json::array();
    for (const compare::Row& row : results.rows()) {
        Json json = {{"encoder", row.label}, {"datasets", Json::array()}};
        std::string text =
            fmt::format("{}\n  {:<44} median     75 %     best   result\n", row.label, "");
        for (std::size_t task = 0; task < results.tasks().size(); ++task) {
            const Json standing = row.tasks[task].empty()
                                      ? Json()
                                      : row.tasks[task].front()->document.value("standing", Json());
            const std::string seen = compare::training_overlap(row.tasks[task]);
            for (const auto& [metric, place] : standing.items()) {
                if (!place.is_object() || !place.contains("place"))
                    continue;
                task::Metric described;
                described.path = metric;
                const double value =
                    described.value_in(row.tasks[task].front()->document.at("metrics"))
                        .value_or(core::nan);
                const std::string name = results.tasks()[task] + " " + metric;
                text += fmt::format("  {:<44} {:.3f}    {:.3f}    {:.3f}   {}{} {}\n", name,
                                    place.at("median").get<double>(),
                                    place.at("upper_quartile").get<double>(),
                                    place.at("best").get<double>(), four_digits(value),
                                    seen.empty() ? " " : "†", place.at("place").get<std::string>());
                Json entry = place;
                entry["dataset"] = name;
                entry["value"] = value;
                entry["trained_on"] = seen;
                json["datasets"].push_back(std::move(entry));
            }
        }
        if (json["datasets"].empty())
            text += "  no result on a published set of a shared task that is known\n";
        text += note_of(training_overlaps(results, row, has_standing));
        all.push_back(std::move(json));
        if (!options.json)
            emit("{}", text);
    }
    if (options.json)
        emit_json(all);
}

// ---- Under-trained words (section 5.1) -------------------------------------------------------------------

void show_undertrained(const AnalyseOptions& options, int& exit_code)
{
    const compare::Results results = load_results(options.results, exit_code);
    if (results.rows().size() != 1)
        throw core::UsageError("the results are of {} rows; --encoders chooses that of the model",
                               results.rows().size());
    const auto datasets =
        undertrained_datasets(options.model, results, options.data, options.least);
    std::vector<double> shares;
    std::vector<double> deviations;
    Json json = {{"least", options.least}, {"datasets", Json::array()}};
    std::string text =
        fmt::format("  {:<32} seen less than {} times   r - 75 %\n", "", options.least);
    for (const UndertrainedDataset& one : datasets) {
        shares.push_back(one.share);
        deviations.push_back(one.deviation);
        text += fmt::format("  {:<32} {:>22.1f} %   {:+.4f}\n", one.name, 100 * one.share,
                            one.deviation);
        json["datasets"].push_back(
            {{"dataset", one.name}, {"share", one.share}, {"deviation", one.deviation}});
    }
    const stats::Correlation found = stats::spearman(shares, deviations);
    json["spearman"] = found.r;
    json["p_value"] = found.p_value;
    if (options.json)
        emit_json(json);
    else
        emit("{}\nSpearman's rho of share and deviation over {} datasets: {} (p {})\n", text,
             datasets.size(), four_digits(found.r), four_digits(found.p_value));
}

CLI::App* add_analysis(CLI::App& command,
                       const std::string& name,
                       const std::string& help,
                       AnalyseOptions& options)
{
    CLI::App* analysis = command.add_subcommand(name, help);
    analysis->add_flag("--json", options.json, "Write JSON");
    return analysis;
}

} // namespace

void add_analyse_command(CLI::App& app, int& exit_code)
{
    CLI::App* command = app.add_subcommand("analyse", "The analyses of Wieting et al. (2016)");
    command->require_subcommand(1);
    const auto options = std::make_shared<AnalyseOptions>();
    CLI::App* lengths =
        add_analysis(*command, "lengths",
                     "Pearson's r by the tokens of the longer sentence, over all pairs of "
                     "STS12-15, or of --tasks, which should be on one scale",
                     *options);
    add_results_options(*lengths, options->results);
    lengths->callback([options, &exit_code] {
        exit_code = 0;
        show_lengths(*options, exit_code);
    });
    CLI::App* standing =
        add_analysis(*command, "standing",
                     "Where results stand among the systems of the SemEval tasks: median, "
                     "75th percentile, best",
                     *options);
    add_results_options(*standing, options->results);
    standing->callback([options, &exit_code] {
        exit_code = 0;
        show_standing(*options, exit_code);
    });
    CLI::App* undertrained =
        add_analysis(*command, "undertrained",
                     "Words of each dataset that were hardly trained, against the "
                     "distance from the 75th percentile",
                     *options);
    undertrained->add_option("--model", options->model, "The model that the results are of")
        ->required()
        ->type_name("FILE");
    undertrained->add_option("--data", options->data, "Folder of the datasets")
        ->required()
        ->type_name("DIR");
    undertrained
        ->add_option("--least", options->least, "Occurrences in the training pairs that are enough")
        ->capture_default_str();
    add_results_options(*undertrained, options->results);
    undertrained->callback([options, &exit_code] {
        exit_code = 0;
        show_undertrained(*options, exit_code);
    });
}

} // namespace senteval::host
