// The analyses of Wieting et al. (2016).
#include "annex/commands.hpp"
#include "annex/trained_words.hpp"
#include "base/error.hpp"
#include "base/home.hpp"
#include "base/json.hpp"
#include "base/nan.hpp"
#include "base/unicode.hpp"
#include "compare/results.hpp"
#include "host/annex.hpp"
#include "host/output.hpp"
#include "host/results_folder.hpp"
#include "paragram_model/architecture.hpp"
#include "report/table.hpp"
#include "run/official.hpp"
#include "stats/correlation.hpp"
#include "task/data_folder.hpp"
#include "tasks/custom/custom.hpp"
#include "word_vectors/table.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace senteval::annex {
namespace {

using base::Json;

/// A key of the objects, and the heading of its column.
using Columns = std::vector<std::pair<const char*, std::string>>;

std::string four_digits(const Json& value)
{
    return value.is_number() && !std::isnan(value.get<double>())
               ? fmt::format("{:.4f}", value.get<double>())
               : "-";
}

/// A line for each object.
void emit_table(const Json& objects, const Columns& columns)
{
    report::TextTable table(1);
    for (const auto& [key, heading] : columns)
        table.front().push_back({heading});
    for (const Json& object : objects) {
        table.emplace_back();
        for (const auto& [key, heading] : columns) {
            const Json& value = object.at(key);
            table.back().push_back({value.is_string()           ? value.get<std::string>()
                                    : value.is_number_integer() ? base::to_text(value)
                                                                : four_digits(value)});
        }
    }
    host::emit("{}\n", report::to_terminal(table, host::table_style()));
}

constexpr const char* meaning_of_dagger =
    "†: trained on sentences of test items, so no scores on unseen text\n";

// ---- Pearson's r by sentence length (table 7) --------------------------------------------------------------

constexpr std::uint32_t shortest = 4;
constexpr std::uint32_t longest = 10;
constexpr std::size_t bins = longest - shortest + 1;

/// The pairs of all tasks of a row, by the tokens of the longer sentence; of several seeds the first.
Json lengths_of(const compare::Results& results, const compare::Row& row)
{
    std::array<std::vector<double>, bins> gold;
    std::array<std::vector<double>, bins> predicted;
    Json json = {
        {"encoder", row.label}, {"lengths", Json::array()}, {"trained_on", Json::object()}};
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        const compare::Runs& runs = row.tasks[task];
        if (runs.empty() || runs.front()->items.outcomes.kind != "score")
            continue;
        if (const std::string seen = compare::training_overlap(runs); !seen.empty())
            json["trained_on"][results.tasks()[task]] = seen;
        const results::Items& items = runs.front()->items;
        for (std::size_t i = 0; i < items.outcomes.rows.size(); ++i) {
            const results::ItemTraits& traits = items.traits[i];
            const std::uint32_t tokens = std::max(traits.tokens_first, traits.tokens_second);
            const std::size_t bin = std::clamp(tokens, shortest, longest) - shortest;
            gold[bin].push_back(items.outcomes.rows[i].gold);
            predicted[bin].push_back(items.outcomes.rows[i].prediction);
        }
    }
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const std::size_t tokens = bin + shortest;
        json["lengths"].push_back({{"tokens", (tokens == shortest  ? "<="
                                               : tokens == longest ? ">="
                                                                   : "") +
                                                  std::to_string(tokens)},
                                   {"pairs", gold[bin].size()},
                                   {"pearson", stats::pearson(predicted[bin], gold[bin]).r}});
    }
    return json;
}

// ---- Where results stand among the systems of the shared tasks (table 4) -----------------------------------

Json standing_of(const compare::Results& results, const compare::Row& row)
{
    Json json = {{"encoder", row.label}, {"datasets", Json::array()}};
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        if (row.tasks[task].empty())
            continue;
        const results::Result& result = row.tasks[task].front()->result;
        if (!result.standing)
            continue;
        for (const auto& [metric, place] : result.standing->places) {
            results::Metric described;
            described.path = metric;
            Json entry = results::to_json(place);
            entry["dataset"] = results.tasks()[task] + " " + metric;
            entry["value"] = described.value_in(result.metrics).value_or(base::nan);
            entry["trained_on"] = compare::training_overlap(row.tasks[task]);
            json["datasets"].push_back(std::move(entry));
        }
    }
    return json;
}

// ---- Under-trained words (section 5.1) -------------------------------------------------------------------

struct AnalyseOptions {
    host::ResultsOptions results;
    bool json = false;
    std::string model;
    std::string data;
    std::uint32_t least = 100;
};

/// The distinct words of the test items of a group ("MSRpar"), or of all of them.
std::set<std::string>
words_of(const results::Cell& cell, const task::LoadedTask& task, const std::string& group)
{
    std::set<std::string> words;
    const results::Outcomes& outcomes = cell.items.outcomes;
    for (const results::ItemOutcome& row : outcomes.rows) {
        if (!group.empty() && outcomes.groups[row.group] != group)
            continue;
        const task::ItemText item = task.item(row.item);
        for (const text::Sentence& sentence : {item.first, item.second})
            base::for_each_word(sentence.text, [&](std::string_view token) {
                words.insert(paragram::normalised(token));
            });
    }
    return words;
}

/// For each dataset, the share of its distinct words that occurred too seldom in the training pairs, and the deviation
/// of Pearson's r from the 75th percentile of the shared task.
Json undertrained_datasets(const AnalyseOptions& options, const compare::Results& results)
{
    const TrainedWords model = read_trained_words(base::expand_home(options.model));
    if (model.counts.empty())
        throw base::UsageError("{}: is no model of 'senteval train'", options.model);
    std::unordered_map<std::string, std::uint32_t> counts;
    for (std::size_t word = 0; word < model.words.size(); ++word)
        counts.emplace(model.words[word], model.counts[word]);
    const task::Tasks catalog = tasks::all_tasks({});
    Json datasets = Json::array();
    for (std::size_t number = 0; number < results.tasks().size(); ++number) {
        const std::string& name = results.tasks()[number];
        const compare::Runs& runs = results.rows().front().tasks[number];
        const auto task = std::ranges::find_if(
            catalog, [&](const auto& one) { return one->info().name == name; });
        if (runs.empty() || task == catalog.end() || !runs.front()->result.standing)
            continue;
        task::DataFolder folder(task::data_root(base::expand_home(options.data)));
        const auto loaded = (*task)->load(folder);
        for (const run::OfficialRanking& ranking : run::official_rankings()) {
            results::Metric metric;
            metric.path = ranking.metric;
            const auto value = metric.value_in(runs.front()->result.metrics);
            if (ranking.task != name || !value)
                continue;
            const std::size_t dot = ranking.metric.rfind('.'); // of "MSRpar.pearson"
            const auto words =
                words_of(*runs.front(), *loaded,
                         dot == std::string::npos ? "" : ranking.metric.substr(0, dot));
            const auto seldom = std::ranges::count_if(words, [&](const std::string& word) {
                const auto at = counts.find(word);
                return at == counts.end() || at->second < options.least;
            });
            datasets.push_back(
                {{"dataset", ranking.task + " " + ranking.metric},
                 {"share", static_cast<double>(seldom) / static_cast<double>(words.size())},
                 {"deviation", *value - ranking.upper_quartile}});
        }
    }
    return datasets;
}

void show_undertrained(const AnalyseOptions& options, int& exit_code)
{
    const compare::Results results = host::load_results(options.results, exit_code);
    if (results.rows().size() != 1)
        throw base::UsageError("the results are of {} rows; --encoders chooses that of the model",
                               results.rows().size());
    Json json = {{"least", options.least}, {"datasets", undertrained_datasets(options, results)}};
    std::vector<double> shares;
    std::vector<double> deviations;
    for (const Json& one : json["datasets"]) {
        shares.push_back(one["share"]);
        deviations.push_back(one["deviation"]);
    }
    if (shares.size() < 3)
        throw base::UsageError("the results have {} datasets whose official ranking is known; "
                               "three are needed to correlate",
                               shares.size());
    const stats::Correlation found = stats::spearman(shares, deviations);
    json["spearman"] = found.r;
    json["p_value"] = found.p_value;
    if (options.json)
        return host::emit_json(json);
    emit_table(json["datasets"],
               {{"dataset", "dataset"},
                {"share", fmt::format("share of words seen less than {} times", options.least)},
                {"deviation", "r - 75 %"}});
    host::emit("Spearman's rho of share and deviation over {} datasets: {} (p {})\n", shares.size(),
               four_digits(found.r), four_digits(found.p_value));
}

/// Shows an analysis of each row of a store; † marks rows whose encoder was trained on test items.
void show_rows(const AnalyseOptions& options, bool lengths, int& exit_code)
{
    const compare::Results results = host::load_results(options.results, exit_code);
    Json all = Json::array();
    for (const compare::Row& row : results.rows())
        all.push_back(lengths ? lengths_of(results, row) : standing_of(results, row));
    if (options.json)
        return host::emit_json(all);
    bool is_any_seen = false;
    for (Json& row : all) {
        bool is_seen = lengths && !row["trained_on"].empty();
        host::emit("{}{}\n", row["encoder"].get<std::string>(), is_seen ? "†" : "");
        if (lengths)
            emit_table(row["lengths"],
                       {{"tokens", "tokens"}, {"pairs", "pairs"}, {"pearson", "Pearson's r"}});
        else
            for (Json& one : row["datasets"])
                if (one["trained_on"] != "") {
                    is_seen = true;
                    one["place"] = "† " + one["place"].get<std::string>();
                }
        is_any_seen = is_any_seen || is_seen;
        if (!lengths && row["datasets"].empty())
            host::emit("no result on a published set of a shared task that is known\n\n");
        else if (!lengths)
            emit_table(row["datasets"], {{"dataset", "dataset"},
                                         {"median", "median"},
                                         {"upper_quartile", "75 %"},
                                         {"best", "best"},
                                         {"value", "result"},
                                         {"place", "place"}});
    }
    host::emit("{}", is_any_seen ? meaning_of_dagger : "");
}

} // namespace

void add_analyse_command(CLI::App& app, int& exit_code)
{
    CLI::App* command = app.add_subcommand(host::analyse_command.name, host::analyse_command.help);
    command->require_subcommand(1);
    const auto options = std::make_shared<AnalyseOptions>();
    const auto add = [&](const char* name, const char* help, auto show) {
        CLI::App* analysis = command->add_subcommand(name, help);
        analysis->add_flag("--json", options->json, "Write JSON");
        host::add_results_options(*analysis, options->results);
        analysis->callback([options, show, &exit_code] {
            exit_code = 0;
            show(*options, exit_code);
        });
        return analysis;
    };
    add("lengths",
        "Pearson's r by the tokens of the longer sentence, over all pairs of STS12-15, or of "
        "--tasks, which should be on one scale",
        [](AnalyseOptions given, int& code) {
            if (given.results.tasks.empty())
                given.results.tasks = {"STS12", "STS13", "STS14", "STS15"}; // on one scale
            show_rows(given, true, code);
        });
    add("standing",
        "Where results stand among the systems of the SemEval tasks: median, 75th percentile, best",
        [](const AnalyseOptions& given, int& code) { show_rows(given, false, code); });
    CLI::App* undertrained = add("undertrained",
                                 "Words of each dataset that were hardly trained, against the "
                                 "distance from the 75th percentile",
                                 show_undertrained);
    undertrained->add_option("--model", options->model, "The model of the results")
        ->required()
        ->type_name("FILE");
    undertrained->add_option("--data", options->data, "Folder of the datasets")
        ->required()
        ->type_name("DIR");
    undertrained
        ->add_option("--least", options->least,
                     "Least occurrences in the training pairs of a trained word")
        ->capture_default_str();
}

} // namespace senteval::annex
