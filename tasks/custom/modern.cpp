#include "tasks/custom/modern.hpp"

#include "base/error.hpp"
#include "base/home.hpp"
#include "base/names.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/dataset_task.hpp"
#include "tasks/protocols/bitext.hpp"
#include "tasks/protocols/clustering.hpp"
#include "tasks/protocols/few_shot.hpp"
#include "tasks/protocols/pair_threshold.hpp"
#include "tasks/protocols/search.hpp"
#include "tasks/protocols/summarization.hpp"
#include "tasks/readers/mteb.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace senteval::tasks {
namespace {

using core::Value;

enum class Modern {
    search,
    reranking,
    clustering,
    pair_threshold,
    few_shot,
    multilabel,
    bitext,
    summarization
};

constexpr std::array<std::pair<std::string_view, Modern>, 8> modern_names{{
    {"search", Modern::search},
    {"reranking", Modern::reranking},
    {"clustering", Modern::clustering},
    {"pair-threshold", Modern::pair_threshold},
    {"few-shot", Modern::few_shot},
    {"multilabel", Modern::multilabel},
    {"bitext", Modern::bitext},
    {"summarization", Modern::summarization},
}};

/// Which rows are clustered.
enum class Sampling { all, mteb, sets };
constexpr std::array<std::pair<std::string_view, Sampling>, 3> sampling_names{
    {{"all", Sampling::all}, {"mteb", Sampling::mteb}, {"sets", Sampling::sets}}};

struct Description {
    std::string name, train, test, corpus, queries, judgements, candidates, metric;
    std::string first, second, target; ///< fields; empty: the protocol's
    FewShotRules few_shot;
    SearchRules search;
    Sampling sampling = Sampling::all;
    std::optional<double> max_fraction = 0.04; ///< nothing: all rows as they stand
    std::optional<std::size_t> max_documents;
    BootstrapRules bootstraps;
    std::vector<std::string> accept;
};

struct ModernKey {
    std::string_view name;
    std::vector<Modern> protocols; ///< none: all
    std::function<void(Description&, const Value&)> set;
    std::string_view what;
};

template <typename T, typename Read>
auto set(T Description::*member, Read read)
{
    return [member, read](Description& task, const Value& value) { task.*member = read(value); };
}

template <typename Rules, typename T, typename Read>
auto set(Rules Description::*rules, T Rules::*member, Read read)
{
    return [rules, member, read](Description& task, const Value& value) {
        task.*rules.*member = read(value);
    };
}

std::string text_in(const Value& value)
{
    return value.string();
}

std::string path_in(const Value& value)
{
    return base::expand_home(value.string()).string();
}

bool flag_in(const Value& value)
{
    return value.boolean();
}

std::size_t count_in(const Value& value)
{
    constexpr std::int64_t most = 1'000'000'000;
    if (value.integer() < 1 || value.integer() > most)
        value.refuse("a number from 1 to a milliard");
    return static_cast<std::size_t>(value.integer());
}

std::optional<double> share_in(const Value& value)
{
    if (!(value.real() >= 0 && value.real() <= 1))
        value.refuse("a share of the rows, at most 1, or 0 for all as they stand");
    return value.real() > 0 ? std::optional(value.real()) : std::nullopt;
}

std::vector<std::size_t> cutoffs_in(const Value& value)
{
    std::vector<std::size_t> all;
    for (const Value& one : value.elements())
        all.push_back(count_in(one));
    if (all.empty())
        value.refuse("a list of numbers");
    return all;
}

std::vector<std::string> names_in(const Value& value)
{
    std::vector<std::string> all;
    for (const Value& one : value.elements())
        all.push_back(one.string());
    return all;
}

const std::vector<ModernKey>& keys()
{
    using enum Modern;
    using D = Description;
    const std::vector<Modern> learned = {few_shot, multilabel};
    const std::vector<Modern> ranked = {search, reranking};
    const std::vector<Modern> rows = {clustering, pair_threshold, few_shot,     multilabel,
                                      bitext,     reranking,      summarization};
    static const std::vector<ModernKey> all = {
        {"name", {}, set(&D::name, text_in), "what the task is called; no name of another task"},
        {"protocol", {}, [](D&, const Value&) {}, "one of those that the line begins with"},
        {"train", learned, set(&D::train, path_in), "file to learn from"},
        {"test", rows, set(&D::test, path_in),
         "file to be tested on; of reranking: rows of query, positive and negative (lists)"},
        {"corpus", ranked, set(&D::corpus, path_in), "documents: _id, title (optional), text"},
        {"queries", ranked, set(&D::queries, path_in), "_id, text"},
        {"judgements", ranked, set(&D::judgements, path_in),
         "query-id, corpus-id, score (relevant from 1)"},
        {"candidates",
         {reranking},
         set(&D::candidates, path_in),
         "query-id, corpus-ids (a list): what is to be ordered"},
        {"first",
         {clustering, pair_threshold, few_shot, multilabel, bitext},
         set(&D::first, text_in),
         "field of the text, or of the first of a pair (default: text; sentences for clustering, "
         "sentence1 for pairs)"},
        {"second",
         {pair_threshold, bitext},
         set(&D::second, text_in),
         "field of the second text of a pair (default: sentence2)"},
        {"target",
         {clustering, pair_threshold, few_shot, multilabel},
         set(&D::target, text_in),
         "field of the label, of multilabel a list (default: label; labels for clustering and "
         "pairs)"},
        {"samples_per_label", learned,
         set(&D::few_shot, &FewShotRules::samples_per_label, count_in),
         "items of each label to learn from (default: 8)"},
        {"experiments", learned, set(&D::few_shot, &FewShotRules::experiments, count_in),
         "how often (default: 10)"},
        {"folds",
         {few_shot},
         set(&D::few_shot, &FewShotRules::folds, count_in),
         "without 'train': folds of 'test', each learned from a few items of the others"},
        {"converged",
         {few_shot},
         set(&D::few_shot, &FewShotRules::converged, flag_in),
         "true: the minimum of the loss in place of scikit-learn's 100 steps (default: false)"},
        {"sampling",
         {clustering},
         set(&D::sampling, [](const Value& value) { return value.choice(sampling_names); }),
         "all (default): all rows, at each seed; mteb: MTEB's drawn rows; sets: each row is a list "
         "of texts with a list of labels"},
        {"max_fraction",
         {clustering},
         set(&D::max_fraction, share_in),
         "of mteb: share of the rows, drawn; 0: all, in their order (default: 0.04)"},
        {"max_documents",
         {clustering},
         set(&D::max_documents, count_in),
         "of mteb: number of rows in place of a share"},
        {"cluster_size",
         {clustering},
         set(&D::bootstraps, &BootstrapRules::drawn, count_in),
         "of mteb: rows drawn with replacement (default: 16384)"},
        {"clusterings",
         {clustering},
         set(&D::bootstraps, &BootstrapRules::clusterings, count_in),
         "of mteb: how often (default: 10)"},
        {"levels",
         {clustering},
         set(&D::bootstraps, &BootstrapRules::levels, count_in),
         "of mteb: levels of labels, from the coarsest (default: all)"},
        {"cutoffs", ranked, set(&D::search, &SearchRules::cutoffs, cutoffs_in),
         "ranks k of the metrics (default: 1, 3, 5, 10, 20, 100, 1000)"},
        {"ignore_identical_ids", ranked,
         set(&D::search, &SearchRules::ignore_identical_ids, flag_in),
         "true: a document with the query's id is not found (default: false)"},
        {"skip_first_result", ranked, set(&D::search, &SearchRules::skip_first_result, flag_in),
         "true: the best document does not count (default: false)"},
        {"metric",
         {},
         set(&D::metric, text_in),
         "what tables show: a key of the result, such as ndcg_at_10"},
        {"accept",
         {},
         set(&D::accept, names_in),
         "data warnings that are meant so and mark no result: a list of their names"},
    };
    return all;
}

bool has(const ModernKey& key, Modern protocol)
{
    return key.protocols.empty() || std::ranges::count(key.protocols, protocol) > 0;
}

Modern protocol_in(const core::Table& table)
{
    return table.required("protocol").choice(modern_names);
}

Description read(const core::Table& table, Modern protocol)
{
    std::vector<std::string> names;
    for (const ModernKey& key : keys())
        if (has(key, protocol))
            names.emplace_back(key.name);
    table.allow_only(
        names, fmt::format("key of the protocol '{}'", base::name_in(modern_names, protocol)));
    Description description;
    for (const ModernKey& key : keys())
        if (const Value* value = table.find(key.name))
            key.set(description, *value);
    return description;
}

void require(const core::Table& table, std::initializer_list<std::string_view> needed)
{
    for (const std::string_view key : needed)
        if (table.find(key) == nullptr)
            table.fail("the protocol '{}' needs the key '{}'", table.text("protocol"), key);
}

Fields fields_of(const Description& task, Fields usual)
{
    return {task.first.empty() ? usual.first : task.first,
            task.second.empty() ? usual.second : task.second,
            task.target.empty() ? usual.target : task.target};
}

/// Fields that must be different ones, as far as the protocol reads them.
Fields distinct(const core::Table& table, Fields fields)
{
    if (fields.first == fields.second || fields.first == fields.target ||
        (fields.second == fields.target && !fields.target.empty()))
        table.fail("'first', 'second' and 'target' are {}, {} and {}: each must be a field of its "
                   "own",
                   fields.first, fields.second.empty() ? "-" : fields.second,
                   fields.target.empty() ? "-" : fields.target);
    return fields;
}

/// Keys of one kind of sampling have no effect on another.
void check_sampling(const core::Table& table, const Description& task)
{
    for (const char* key :
         {"max_fraction", "max_documents", "cluster_size", "clusterings", "levels"})
        if (task.sampling != Sampling::mteb && table.find(key) != nullptr)
            table.fail("'{}' is for sampling = \"mteb\": leave one of them out", key);
    if (table.find("max_fraction") != nullptr && table.find("max_documents") != nullptr)
        table.fail("'max_documents' is in place of 'max_fraction': leave one of them out");
}

struct Parts {
    Source source;
    Protocol protocol;
    std::string headline;
};

Parts search_parts(const core::Table& table, Description task, bool reranks)
{
    task.search.reranks = reranks;
    const std::size_t usual = reranks ? 1000 : 10;
    const auto& cutoffs = task.search.cutoffs;
    const std::string headline =
        fmt::format("{}_at_{}", reranks ? "map" : "ndcg",
                    std::ranges::count(cutoffs, usual) > 0 ? usual : std::ranges::max(cutoffs));
    if (reranks && !task.test.empty())
        return {candidate_lists_source(task.test), search_protocol(task.search), headline};
    require(table, {"corpus", "queries", "judgements"});
    if (reranks)
        require(table, {"candidates"});
    return {search_source({task.corpus, task.queries, task.judgements, task.candidates}),
            search_protocol(task.search), headline};
}

Parts clustering_parts(const Description& task)
{
    const Fields fields = fields_of(task, {"sentences", "", "labels"});
    switch (task.sampling) {
    case Sampling::all:
        return {cluster_source(task.test, fields), clustering_protocol(), "v_measure"};
    case Sampling::sets:
        return {cluster_sets_source(task.test, fields), clustering_of_sets_protocol(), "v_measure"};
    case Sampling::mteb:
        break;
    }
    return {drawn_cluster_source(task.test, fields, task.max_fraction, task.max_documents),
            bootstrapped_clustering_protocol(task.bootstraps), "v_measure"};
}

Parts parts_of(const core::Table& table, const Description& task, Modern protocol)
{
    const Fields text = fields_of(task, {"text", "", "label"});
    const Fields pair = fields_of(task, {"sentence1", "sentence2", "labels"});
    const Fields translation = fields_of(task, {"sentence1", "sentence2", ""});
    switch (protocol) {
    case Modern::search:
    case Modern::reranking:
        return search_parts(table, task, protocol == Modern::reranking);
    case Modern::clustering:
        require(table, {"test"});
        check_sampling(table, task);
        (void)distinct(table, fields_of(task, {"sentences", "", "labels"}));
        return clustering_parts(task);
    case Modern::pair_threshold:
        require(table, {"test"});
        return {pair_label_source(task.test, distinct(table, pair)), pair_threshold_protocol(),
                "cosine_ap"};
    case Modern::few_shot:
        require(table, {"test"});
        if (task.few_shot.folds == 0)
            require(table, {"train"});
        else if (!task.train.empty() || task.few_shot.folds == 1)
            table.fail("'folds' are two or more, of 'test', for a task without 'train'");
        return {labelled_source(task.train, task.test, distinct(table, text)),
                few_shot_protocol(task.few_shot), "accuracy"};
    case Modern::multilabel:
        require(table, {"train", "test"});
        return {label_set_source(task.train, task.test, distinct(table, text)),
                multilabel_protocol(task.few_shot), "accuracy"};
    case Modern::bitext:
        require(table, {"test"});
        return {translation_source(task.test, distinct(table, translation)), bitext_protocol(),
                "f1"};
    case Modern::summarization:
        require(table, {"test"});
        break;
    }
    return {summary_source(task.test), summarization_protocol(), "cosine_spearman"};
}

base::Json keys_as_json(const core::Table& table)
{
    base::Json keys = base::Json::object();
    for (const Value& value : table.values())
        keys[value.key()] = value.json();
    return {{"base", (std::filesystem::current_path() / table.base()).string()}, {"keys", keys}};
}

} // namespace

bool is_modern(const core::Table& table)
{
    const Value* const protocol = table.find("protocol");
    if (protocol == nullptr)
        return false;
    std::array<std::pair<std::string_view, bool>, protocol_names.size() + modern_names.size()> all;
    const auto end = std::ranges::transform(protocol_names, all.begin(), [](const auto& one) {
                         return std::pair(one.first, false);
                     }).out;
    std::ranges::transform(modern_names, end,
                           [](const auto& one) { return std::pair(one.first, true); });
    return protocol->choice(all);
}

std::unique_ptr<task::Task> make_modern_task(const core::Table& table)
{
    const Modern protocol = protocol_in(table);
    const Description task = read(table, protocol);
    check_name(task.name, table.where());
    check_accepted(task.accept, task.name, table.where());
    Parts parts = parts_of(table, task, protocol);
    if (!task.metric.empty()) {
        if (results::find_metric(parts.protocol.metrics, task.metric) == nullptr) {
            std::vector<std::string> known;
            for (const results::Metric& metric : parts.protocol.metrics)
                known.push_back(metric.path);
            table.fail("there is no metric '{}' here.{} There are {}", task.metric,
                       base::did_you_mean(task.metric, known), fmt::join(known, ", "));
        }
        parts.headline = task.metric;
    }
    parts.source.base = table.base();
    parts.source.accepted = task.accept;
    parts.source.description = keys_as_json(table);
    return make_task(task.name, {"custom"}, std::move(parts.source), std::move(parts.protocol),
                     parts.headline);
}

std::vector<std::pair<std::string, std::string>> keys_of_modern_task()
{
    std::vector<std::pair<std::string, std::string>> all;
    for (const ModernKey& key : keys()) {
        std::vector<std::string_view> of;
        for (const auto& [name, protocol] : modern_names)
            if (has(key, protocol))
                of.push_back(name);
        all.emplace_back(key.name, of.size() == modern_names.size()
                                       ? std::string(key.what)
                                       : fmt::format("{}: {}", fmt::join(of, ", "), key.what));
    }
    return all;
}

} // namespace senteval::tasks
