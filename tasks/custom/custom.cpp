#include "tasks/custom/custom.hpp"

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/unicode.hpp"
#include "task/selection.hpp"
#include "tasks/catalog.hpp"
#include "tasks/custom/columns.hpp"
#include "tasks/custom/mteb_catalogue.hpp"
#include "tasks/data_warnings.hpp"
#include "tasks/dataset_task.hpp"
#include "tasks/protocols/classification.hpp"
#include "tasks/protocols/mteb.hpp"
#include "tasks/protocols/relatedness.hpp"
#include "tasks/protocols/similarity.hpp"
#include "tasks/readers/mteb.hpp"

#include <senteval/printable.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

template <typename... Args>
[[noreturn]] void fail(const CustomTask& task, fmt::format_string<Args...> format, Args&&... args)
{
    throw base::UsageError("{}{}task '{}': {}", task.where, task.where.empty() ? "" : ": ",
                           sdk::printable_line(task.name, 100),
                           fmt::format(format, std::forward<Args>(args)...));
}

constexpr std::size_t longest_name = 100; // it becomes part of a file's name
constexpr std::string_view not_in_names = ", /\\*?";

void check_name(const CustomTask& task)
{
    const std::string& name = task.name;
    if (name.empty())
        fail(task, "it has no name: give it one with the key 'name'");
    if (sdk::printable_line(name, name.size()) != name)
        fail(task, "a name may not contain control characters, or others that cannot be seen");
    if (name.find_first_of(not_in_names) != std::string::npos)
        fail(task, "a name may not contain commas, slashes, white space, '*' or '?'");
    if (name.front() == '.' || name.front() == '-')
        fail(task, "a name may not begin with '.' or '-'");
    if (name.size() > longest_name)
        fail(task, "a name may not be longer than {} bytes", longest_name);
}

/// Whether the test file has what another file has else: candidates of each query, or folds to learn from.
bool has_test_alone(const CustomTask& task)
{
    return task.few_shot.folds > 0 ||
           (task.protocol == CustomProtocol::reranking && !task.test.empty());
}

void check_files(const CustomTask& task)
{
    for (const std::string_view key : missing_keys(task))
        if (key == "test" || !has_test_alone(task))
            fail(task, "the protocol '{}' needs the key '{}'",
                 base::name_in(protocol_names, task.protocol), key);
    if (!task.dev.empty() && task.test.empty())
        fail(task, "'dev' without 'test': nothing would be tested");
    if (task.few_shot.folds == 1 || (task.few_shot.folds > 0 && !task.train.empty()))
        fail(task, "'folds' are two or more, of 'test', for a task without 'train'");
}

void check_labels(const CustomTask& task)
{
    const auto& labels = task.labels;
    if (labels.size() == 1)
        fail(task, "'labels' names one class, and a classifier needs two");
    for (auto label = labels.begin(); label != labels.end(); ++label)
        if (std::find(label + 1, labels.end(), *label) != labels.end())
            fail(task, "'labels' names '{}' twice", *label);
    if (!labels.empty() && !task.positive.empty() && !std::ranges::count(labels, task.positive))
        fail(task, "'positive' is '{}', which is none of the 'labels'", task.positive);
}

void check_scale(const CustomTask& task)
{
    if (task.lowest_score.has_value() != task.highest_score.has_value())
        fail(task, "'lowest_score' and 'highest_score' are given together or not at all");
    if (task.lowest_score && !(*task.lowest_score < *task.highest_score))
        fail(task, "the lowest score must be below the highest");
}

/// Keys of one kind of sampling have no effect on another.
void check_sampling(const CustomTask& task)
{
    const auto is_given = [&](const char* key) { return task.written.contains(key); };
    for (const char* key :
         {"max_fraction", "max_documents", "cluster_size", "clusterings", "levels", "earlier"})
        if (task.protocol == CustomProtocol::clustering && task.sampling != Sampling::mteb &&
            is_given(key))
            fail(task, "'{}' is for sampling = \"mteb\": leave one of them out", key);
    if (is_given("max_fraction") && is_given("max_documents"))
        fail(task, "'max_documents' is in place of 'max_fraction': leave one of them out");
}

void check_columns(const CustomTask& task)
{
    const std::array columns = {task.first, task.second, task.target, task.split};
    for (std::size_t one = 0; one < columns.size(); ++one)
        for (std::size_t other = one + 1; other < columns.size(); ++other)
            if (columns[one] == columns[other] && !columns[one].empty())
                fail(task,
                     "'{}' and '{}' are the same column, '{}': say of each where it is "
                     "('senteval tasks --keys' has those that are not given)",
                     column_keys[one], column_keys[other], columns[one]);
}

void check(const CustomTask& task)
{
    check_name(task);
    check_files(task);
    check_labels(task);
    check_scale(task);
    check_sampling(task);
    check_columns(task);
    if (task.separator && task.format.value_or(text::RecordForm::csv) != text::RecordForm::csv)
        fail(task, "'separator' is of CSV: leave 'format' out");
    for (const std::string& name : task.accept)
        if (!std::ranges::count(warning_names, name))
            fail(task, "'accept' names no warning '{}'.{} There are {}", name,
                 base::did_you_mean(name, warning_names), fmt::join(warning_names, ", "));
}

/// Says how the files of columns are read: what the numbers depend on beside their bytes.
base::Json reading_of(const CustomTask& task)
{
    base::Json reading = {{"header", task.header}, {"first", task.first}};
    if (!task.second.empty())
        reading["second"] = task.second;
    reading["target"] = task.target;
    if (!task.split.empty())
        reading["split"] = task.split;
    reading["encoding"] = base::name_in(encoding_names, task.encoding);
    if (task.format)
        reading["format"] = base::name_in(format_names, *task.format);
    if (task.separator)
        reading["separator"] = base::name_in(separator_names, *task.separator);
    if (task.decimal)
        reading["decimal"] = base::name_in(decimal_names, *task.decimal);
    if (!task.labels.empty())
        reading["labels"] = task.labels;
    if (!task.positive.empty())
        reading["positive"] = task.positive;
    reading["tokenise"] = base::name_in(
        tokeniser_names, task.tokenise == Tokeniser::as_is ? Tokeniser::none : task.tokenise);
    reading["lowercase"] = task.lowercase;
    if (task.is_verbatim())
        reading["verbatim"] = true;
    return reading;
}

/// A source and a protocol, and the metric that tables show; empty: the protocol's first.
struct Parts {
    Source source;
    Protocol protocol;
    std::string headline = {};
};

Parts column_parts(const CustomTask& task, Protocol protocol)
{
    protocol.settings = [inner = std::move(protocol.settings),
                         reading = reading_of(task)](const task::Settings& settings) {
        base::Json json = inner(settings);
        json["reading"] = reading;
        return json;
    };
    return {column_source(task), std::move(protocol)};
}

Protocol classifier_of(const CustomTask& task)
{
    ClassificationRules rules;
    rules.converges = true;
    rules.macro_f1 = true;
    if (const std::string label = task.f1_label(); !label.empty())
        rules.f1 = fmt::format("F1 of '{}'", label);
    if (task.test.empty())
        return inner_kfold_classification(rules);
    if (!task.dev.empty())
        return split_classification(rules);
    rules.fixed_folds = true;
    return kfold_classification(rules);
}

Parts search_parts(const CustomTask& task)
{
    SearchRules rules = task.search;
    rules.reranks = task.protocol == CustomProtocol::reranking;
    const std::size_t usual = rules.reranks ? 1000 : 10;
    const bool has_usual = std::ranges::count(rules.cutoffs, usual) > 0;
    return {rules.reranks && !task.test.empty()
                ? candidate_lists_source(task.test)
                : search_source({task.corpus, task.queries, task.judgements, task.candidates}),
            search_protocol(rules),
            fmt::format("{}_at_{}", rules.reranks ? "map" : "ndcg",
                        has_usual ? usual : std::ranges::max(rules.cutoffs))};
}

Parts clustering_parts(const CustomTask& task, const Fields& fields)
{
    switch (task.sampling) {
    case Sampling::all:
        return {cluster_source(task.test, fields), clustering_protocol()};
    case Sampling::sets:
        return {cluster_sets_source(task.test, fields), clustering_of_sets_protocol()};
    case Sampling::mteb:
        break;
    }
    return {drawn_cluster_source(task.test, fields, task.bootstraps),
            bootstrapped_clustering_protocol(task.bootstraps)};
}

Parts parts_of(const CustomTask& task)
{
    using enum CustomProtocol;
    const Fields fields{task.first, task.second, task.target};
    switch (task.protocol) {
    case classification:
    case pair_classification:
        return column_parts(task, classifier_of(task));
    case relatedness:
        return column_parts(task, ridge_relatedness({task.lowest_score.value_or(0),
                                                     task.highest_score.value_or(5)}));
    case similarity:
        return column_parts(task, split_similarity());
    case search:
    case reranking:
        return search_parts(task);
    case clustering:
        return clustering_parts(task, fields);
    case pair_threshold:
        return {pair_label_source(task.test, fields), pair_threshold_protocol()};
    case few_shot:
        return {labelled_source(task.train, task.test, fields), few_shot_protocol(task.few_shot)};
    case multilabel:
        return {label_set_source(task.train, task.test, fields),
                multilabel_protocol(task.few_shot)};
    case bitext:
        return {translation_source(task.test, fields), bitext_protocol()};
    case summarization:
        break;
    }
    return {summary_source(task.test), summarization_protocol()};
}

std::string headline_of(const CustomTask& task, const Parts& parts)
{
    const auto& metrics = parts.protocol.metrics;
    if (task.metric.empty())
        return parts.headline.empty() ? metrics.front().path : parts.headline;
    if (results::find_metric(metrics, task.metric) != nullptr)
        return task.metric;
    std::vector<std::string> known;
    if (task.classifies() && task.f1_label().empty())
        known.emplace_back("f1"); // which is computed where it is asked for
    for (const results::Metric& metric : metrics)
        known.push_back(metric.path);
    fail(task, "there is no metric '{}' here.{} There are {}", task.metric,
         base::did_you_mean(task.metric, known), fmt::join(known, ", "));
}

/// Warns where a number is not the one that MTEB has: of other files, or another metric.
void look_at_mteb(const base::Json& of_mteb, bool has_metric, Dataset& dataset)
{
    if (!of_mteb.is_object())
        return;
    if (of_mteb.contains("changed"))
        dataset.data_warnings.push_back(
            {"changed", "the files are not those that were fetched: senteval data verify"});
    if (const base::Json main = of_mteb.value("main_score", base::Json());
        main.is_string() && !has_metric)
        dataset.data_warnings.push_back(
            {"main_score", fmt::format("MTEB's main score, {}, is not computed here: the headline "
                                       "is another",
                                       main.get<std::string>())});
    if (!of_mteb.value("revision", base::Json()).is_string())
        return;
    const MtebTask* const task = find_mteb_task(of_mteb.value("task", ""));
    const auto revision = of_mteb.at("revision").get<std::string>();
    const std::string known = task == nullptr ? revision : task->text("revision");
    if (!known.starts_with(revision) && !revision.starts_with(known)) // either may be short
        dataset.data_warnings.push_back(
            {"revision", fmt::format("the files are of revision {:.10}, MTEB's numbers of {:.10}",
                                     revision, known)});
}

Parts checked_parts(const CustomTask& given)
{
    const CustomTask task = with_usual_columns(given);
    check(task);
    Parts parts = parts_of(task);
    parts.headline = headline_of(task, parts);
    parts.source.read = [read = std::move(parts.source.read), of_mteb = task.mteb,
                         has_metric = !task.metric.empty()](task::DataFolder& data) {
        Dataset dataset = read(data);
        look_at_mteb(of_mteb, has_metric, dataset);
        return dataset;
    };
    parts.source.base = task.base;
    parts.source.accepted = task.accept;
    parts.source.tolerated_copies = task.tolerated_copies.value_or(0);
    parts.source.description = to_json(given);
    return parts;
}

} // namespace

std::unique_ptr<task::Task> make_custom_task(const CustomTask& task)
{
    Parts parts = checked_parts(task);
    return make_task(task.name, {"custom"}, std::move(parts.source), std::move(parts.protocol),
                     parts.headline);
}

std::string name_from(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(".-"), text.size()));
    std::string name = sdk::printable_line(text, text.size());
    std::ranges::replace_if(
        name, [](char c) { return not_in_names.find(c) != std::string_view::npos; }, '-');
    return std::string(base::first_characters(name, longest_name));
}

Source source_of(const CustomTask& task)
{
    return checked_parts(task).source;
}

namespace {

/// As --tasks looks them up.
std::set<std::string> taken_names(const task::Tasks& tasks)
{
    std::set<std::string> taken = {"custom"};
    for (const std::string& group : task::groups_of(tasks))
        taken.insert(base::folded(group));
    for (const auto& task : tasks) {
        taken.insert(base::folded(task->info().name));
        for (const std::string& alias : task->info().aliases)
            taken.insert(base::folded(alias));
    }
    return taken;
}

} // namespace

bool is_taken(const std::string& name)
{
    static const std::set<std::string> taken = taken_names(catalog({}));
    return taken.contains(base::folded(name));
}

task::Tasks all_tasks(std::span<const core::Table> described, const SimilarityFunction& similarity)
{
    task::Tasks tasks = catalog(similarity);
    std::set<std::string> taken = taken_names(tasks);
    for (const core::Table& table : described) {
        const std::string name = table.text("name");
        if (!taken.insert(base::folded(name)).second)
            throw base::UsageError("{}: task '{}': there is a task or group of that name already: "
                                   "give it another one (a folder of --mteb by renaming it)",
                                   table.where(), sdk::printable_line(name, 100));
        tasks.push_back(make_custom_task(read_description(table)));
    }
    return tasks;
}

} // namespace senteval::tasks
