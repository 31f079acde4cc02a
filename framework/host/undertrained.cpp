#include "host/undertrained.hpp"

#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/home.hpp"
#include "paragram_model/architecture.hpp"
#include "paragram_model/model_file.hpp"
#include "run/official.hpp"
#include "task/data_folder.hpp"
#include "task/data_root.hpp"
#include "tasks/custom/custom.hpp"
#include "train/start_vectors.hpp"
#include "word_vectors/table.hpp"

#include <senteval/encoder.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <unordered_map>

namespace senteval::host {
namespace {

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
std::string group_of(const std::string& metric)
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

} // namespace

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
            const auto words = words_of(*runs.front(), *loaded, group_of(ranking.metric));
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

} // namespace senteval::host
