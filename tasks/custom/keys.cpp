// The keys of a [[task]]: a row of the table is all that the reader, 'senteval tasks --keys', the page and the errors
// know of a key.
#include "base/counted.hpp"
#include "base/home.hpp"
#include "base/names.hpp"
#include "tasks/custom/columns.hpp"
#include "tasks/custom/custom.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace senteval::tasks {
namespace {

using core::Value;
using Protocols = std::vector<CustomProtocol>;

struct Key {
    std::string_view name;
    Protocols protocols;    ///< none: all
    std::string_view usual; ///< where it is not given; empty: nothing
    std::string_view what;
    std::function<void(CustomTask&, const Value&)> read;
    std::function<base::Json(const CustomTask&)> write; ///< null where there is nothing to say
    Protocols needed = {};                              ///< that cannot do without the key

    Key needed_by(Protocols protocols) &&
    {
        needed = std::move(protocols);
        return std::move(*this);
    }
};

template <typename T>
base::Json json_of(const T& value)
{
    if constexpr (std::is_arithmetic_v<T>)
        return value;
    else if constexpr (requires { value.has_value(); })
        return value ? json_of(*value) : base::Json();
    else
        return value.empty() ? base::Json() : base::Json(value);
}

/// A key that `read` understands, kept where `at` says: a member, or one of a member's.
template <typename At, typename Read>
Key key(std::string_view name,
        Protocols protocols,
        std::string_view usual,
        std::string_view what,
        At at,
        Read read)
{
    return {name,
            std::move(protocols),
            usual,
            what,
            [=](CustomTask& task, const Value& value) {
                std::invoke(at, task) = std::invoke(read, value);
            },
            [=](const CustomTask& task) { return json_of(std::invoke(at, task)); }};
}

/// A key that is one of the names of a table.
template <typename T, typename Names>
Key choice(std::string_view name,
           Protocols protocols,
           std::string_view usual,
           std::string_view what,
           T CustomTask::*member,
           const Names& names)
{
    return {name,
            std::move(protocols),
            usual,
            what,
            [=](CustomTask& task, const Value& value) { task.*member = value.choice(names); },
            [=](const CustomTask& task) { return json_of(base::name_in(names, task.*member)); }};
}

template <typename Rules, typename T>
auto in(Rules CustomTask::*rules, T Rules::*member)
{
    return [=](auto& task) -> auto&
    {
        return task.*rules.*member;
    };
}

std::string path_in(const Value& value)
{
    return base::expand_home(value.string()).string();
}

std::string number_or_text(const Value& value)
{
    return value.is_integer() ? std::to_string(value.integer()) : value.string();
}

std::string column_in(const Value& value)
{
    std::string text = number_or_text(value);
    if (text.empty())
        value.refuse("the number or the name of a column");
    return text;
}

/// Reads a whole number from 1 to `most`.
auto count_to(std::int64_t most)
{
    return [most](const Value& value) {
        if (value.integer() < 1 || value.integer() > most)
            value.refuse(fmt::format("a number from 1 to {}", most));
        return static_cast<std::size_t>(value.integer());
    };
}

double score_in(const Value& value)
{
    constexpr double most = 1e6;
    if (!(std::abs(value.real()) <= most))
        value.refuse("a number from -1000000 to 1000000");
    return value.real();
}

std::optional<double> share_in(const Value& value)
{
    if (!(value.real() >= 0 && value.real() <= 1))
        value.refuse("a share, from 0 to 1");
    return value.real() > 0 ? std::optional(value.real()) : std::nullopt;
}

/// Reads a list, or a single element.
template <typename Read>
auto list_of(Read read)
{
    return [read](const Value& value) {
        std::vector<std::invoke_result_t<Read, const Value&>> all;
        for (const Value& one : value.elements())
            all.push_back(std::invoke(read, one));
        return all;
    };
}

std::vector<std::size_t> cutoffs_in(const Value& value)
{
    constexpr std::size_t most = 100;
    const auto all = list_of(count_to(100'000))(value);
    if (all.empty() || all.size() > most)
        value.refuse("a list of 1 to 100 numbers");
    return all;
}

/// Reads a list of lists of numbers, each at most what stands there in `most`.
auto draws_up_to(std::vector<std::int64_t> most)
{
    return [most = std::move(most)](const Value& value) {
        EarlierDraws draws;
        for (const Value& part : value.elements()) {
            const std::vector<Value> numbers = part.elements();
            if (!value.is_list() || !part.is_list() || numbers.size() != most.size())
                value.refuse(
                    fmt::format("a list of lists of {}", base::counted(most.size(), "number")));
            auto& draw = draws.emplace_back();
            for (std::size_t i = 0; i < most.size(); ++i)
                draw.push_back(count_to(most[i])(numbers[i]));
        }
        return draws;
    };
}

base::Json table_in(const Value& value)
{
    if (!value.json().is_object())
        value.refuse("a table");
    return value.json();
}

/// JSON's scalars and lists are TOML's.
std::string toml_of(const base::Json& value)
{
    if (!value.is_object())
        return base::to_text(value);
    std::string members;
    for (const auto& [key, member] : value.items())
        members += (members.empty() ? "" : ", ") + key + " = " + toml_of(member);
    return "{" + members + "}";
}

std::vector<Key> make_keys()
{
    using enum CustomProtocol;
    using T = CustomTask;
    const auto text = &Value::string;
    const auto flag = &Value::boolean;
    const Protocols all;
    const Protocols columns = {classification, pair_classification, relatedness, similarity};
    const Protocols pairs = {pair_classification, relatedness, similarity};
    const Protocols classes = {classification, pair_classification};
    const Protocols scores = {relatedness, similarity};
    const Protocols few_items = {few_shot, multilabel};
    const Protocols ranked = {search, reranking};
    const Protocols clusters = {clustering};
    return {
        key("name", all, "", "name of the task, not that of another one", &T::name, text),
        choice("protocol", all, "classification",
               "classification, pair-classification, relatedness (learned), similarity (nothing is "
               "trained), search, reranking, clustering, pair-threshold, few-shot, multilabel, "
               "bitext or summarization",
               &T::protocol, protocol_names),
        key("of", all, "", "name of the task that is the mean of this one and its other parts",
            &T::of, text),
        key("part", all, "", "name of the part that this one is of it", &T::part, text),
        key("parts", all, "", "number of its parts: a mean of fewer is named by them", &T::parts,
            count_to(1'000'000)),
        key("train", {classification, pair_classification, relatedness, few_shot, multilabel}, "",
            "file to learn from; a classifier without 'test' is tested by nested cross-validation "
            "on it",
            &T::train, path_in)
            .needed_by({classification, pair_classification, relatedness, few_shot, multilabel}),
        key("dev", columns, "",
            "file that chooses settings; without it they are cross-validated on 'train'", &T::dev,
            path_in),
        key("test",
            {classification, pair_classification, relatedness, similarity, reranking, clustering,
             pair_threshold, few_shot, multilabel, bitext, summarization},
            "", "file to be tested on; of reranking: rows of query, positive and negative (lists)",
            &T::test, path_in)
            .needed_by({relatedness, similarity, clustering, pair_threshold, few_shot, multilabel,
                        bitext, summarization}),
        key("corpus", ranked, "", "file of documents: _id, title (optional), text", &T::corpus,
            path_in)
            .needed_by(ranked),
        key("queries", ranked, "", "file of queries: _id, text", &T::queries, path_in)
            .needed_by(ranked),
        key("judgements", ranked, "", "file of query-id, corpus-id and score (relevant from 1)",
            &T::judgements, path_in)
            .needed_by(ranked),
        key("candidates", {reranking}, "",
            "file of query-id and corpus-ids (a list), which are put in order", &T::candidates,
            path_in)
            .needed_by({reranking}),
        choice("format", columns, "by the name of the file",
               "tsv, excel-tab (TSV with CSV's quotes), csv or jsonl; each may be compressed with "
               "gzip",
               &T::format, format_names),
        key("header", columns, "false; true where a column is a name",
            "true: the first line of each file names its columns", &T::header, flag),
        choice("encoding", columns, "utf-8", "utf-8, cp1252 or latin-1, which is read as cp1252",
               &T::encoding, encoding_names),
        choice("separator", columns, "the one that the first line has most",
               "what separates the columns of CSV: a comma, a semicolon, a TAB or a vertical bar",
               &T::separator, separator_names),
        choice("decimal", scores, ".", "decimal mark of the scores: . or ,", &T::decimal,
               decimal_names),
        key("first", columns, "1",
            "column of the sentence, or of the first of a pair: its number from 1, or its name",
            &T::first, column_in),
        key("first", few_items, "text", "field of the text", &T::first, text),
        key("first", clusters, "sentences", "field of the text", &T::first, text),
        key("first", {pair_threshold, bitext}, "sentence1", "field of the first text of a pair",
            &T::first, text),
        key("second", pairs, "2", "column of the second sentence of a pair", &T::second, column_in),
        key("second", {pair_threshold, bitext}, "sentence2", "field of the second text of a pair",
            &T::second, text),
        key("target", {classification}, "2", "column of the label", &T::target, column_in),
        key("target", pairs, "3", "column of the label or score", &T::target, column_in),
        key("target", few_items, "label", "field of the label, of multilabel a list", &T::target,
            text),
        key("target", {clustering, pair_threshold}, "labels", "field of the label", &T::target,
            text),
        key("split", columns, "",
            "column that says which part a row belongs to: train, dev (or validation) or test; "
            "the parts may then be one file",
            &T::split, column_in),
        key("labels", classes, "those of 'train', sorted",
            "all labels, in the order of their classes", &T::labels, list_of(number_or_text)),
        key("positive", classes, "1 where the labels are 0 and 1",
            "label whose F1 is the metric 'f1'", &T::positive, number_or_text),
        key("lowest_score", scores, "", "lower end of the scale: a score below is an error",
            &T::lowest_score, score_in),
        key("highest_score", scores, "", "upper end of it", &T::highest_score, score_in),
        choice("tokenise", columns, "",
               "ptb or moses splits the text into tokens; without, or with none, it stays as it "
               "was written, line breaks and all",
               &T::tokenise, tokeniser_names),
        key("lowercase", columns, "false", "true: in lower case, after the tokeniser",
            &T::lowercase, flag),
        key("samples_per_label", few_items, "8", "items of each label to learn from",
            in(&T::few_shot, &FewShotRules::samples_per_label), count_to(1'000'000)),
        key("experiments", few_items, "10", "how often items are drawn and learned from",
            in(&T::few_shot, &FewShotRules::experiments), count_to(1'000)),
        key("earlier", {multilabel}, "",
            "[rows of 'train'] of each part of the task that MTEB learns before, as its random "
            "draws go on",
            in(&T::few_shot, &FewShotRules::earlier), draws_up_to({100'000'000})),
        key("folds", {few_shot}, "",
            "without 'train': folds of 'test', each learned from a few items of the others",
            in(&T::few_shot, &FewShotRules::folds), count_to(1'000)),
        key("converged", {few_shot}, "false",
            "true: the minimum of the loss in place of scikit-learn's 100 steps",
            in(&T::few_shot, &FewShotRules::converged), flag),
        choice("sampling", clusters, "all",
               "all: all rows, at each seed; mteb: MTEB's drawn rows; sets: each row is a list of "
               "texts with a list of labels",
               &T::sampling, sampling_names),
        key("max_fraction", clusters, "0.04",
            "of mteb: share of the rows, drawn; 0: all, in their order",
            in(&T::bootstraps, &BootstrapRules::share), share_in),
        key("max_documents", clusters, "", "of mteb: number of rows in place of a share",
            in(&T::bootstraps, &BootstrapRules::most), count_to(1'000'000'000)),
        key("cluster_size", clusters, "16384", "of mteb: rows drawn with replacement",
            in(&T::bootstraps, &BootstrapRules::drawn), count_to(1'000'000)),
        key("clusterings", clusters, "10", "of mteb: how often rows are drawn and clustered",
            in(&T::bootstraps, &BootstrapRules::clusterings), count_to(1'000)),
        key("levels", clusters, "all", "of mteb: levels of labels, from the coarsest",
            in(&T::bootstraps, &BootstrapRules::levels), count_to(100)),
        key("earlier", clusters, "",
            "of mteb: [rows, levels] of each part of the task that MTEB clusters before, as its "
            "random draws go on",
            in(&T::bootstraps, &BootstrapRules::earlier), draws_up_to({1'000'000'000, 100})),
        key("cutoffs", ranked, "1, 3, 5, 10, 20, 100, 1000", "ranks k of the metrics",
            in(&T::search, &SearchRules::cutoffs), cutoffs_in),
        key("ignore_identical_ids", ranked, "false",
            "true: a document with the query's id is not found",
            in(&T::search, &SearchRules::ignore_identical_ids), flag),
        key("skip_first_result", ranked, "false", "true: the best document does not count",
            in(&T::search, &SearchRules::skip_first_result), flag),
        key("metric", all, "the protocol's headline",
            "what tables show: a key of the result, such as macro-f1, mse or ndcg_at_5", &T::metric,
            text),
        key("accept", all, "",
            "data warnings that are meant so and mark no result: a list of their names", &T::accept,
            list_of(text)),
        key("tolerated_copies", all, "0",
            "share of the items that may be copies without a data warning", &T::tolerated_copies,
            share_in),
        key("mteb", all, "",
            "what it is of MTEB's, for export: {task, type, subset, split, languages, revision, "
            "version, main_score}, and the prompt of the task for encoders that take instructions",
            &T::mteb, table_in),
    };
}

const std::vector<Key>& keys()
{
    static const std::vector<Key> all = make_keys();
    return all;
}

bool has(const Key& key, CustomProtocol protocol)
{
    return key.protocols.empty() || std::ranges::count(key.protocols, protocol) > 0;
}

/// The row of a key for a protocol; null where the protocol has none of the name.
const Key* find(std::string_view name, CustomProtocol protocol)
{
    const auto at = std::ranges::find_if(
        keys(), [&](const Key& key) { return key.name == name && has(key, protocol); });
    return at == keys().end() ? nullptr : &*at;
}

/// "all", "all but X" or the names.
std::string protocols_text(const Key& key)
{
    std::vector<std::string_view> with;
    std::vector<std::string_view> without;
    for (const auto& [name, protocol] : protocol_names)
        (has(key, protocol) ? with : without).push_back(name);
    if (without.empty())
        return "all";
    return without.size() == 1 ? fmt::format("all but {}", without.front())
                               : fmt::format("{}", fmt::join(with, ", "));
}

/// The keys of the protocols with columns that stores have first, in their order.
constexpr std::string_view stored_first[] = {
    "name",   "protocol", "header",       "encoding",      "first",  "lowercase", "train",
    "dev",    "test",     "second",       "target",        "split",  "positive",  "metric",
    "labels", "accept",   "lowest_score", "highest_score", "format", "tokenise"};

/// The keys of a task with columns, whatever way it was made.
base::Json keys_of(CustomTask task)
{
    if (task.first.empty()) // stores have this column always, and the others where they are given
        task.first = with_usual_columns(task).first;
    base::Json json = base::Json::object();
    const auto add = [&](std::string_view name) {
        const Key* const key = find(name, task.protocol);
        if (base::Json value = key == nullptr ? base::Json() : key->write(task); !value.is_null())
            json[std::string(name)] = std::move(value);
    };
    for (const std::string_view name : stored_first)
        add(name);
    for (const Key& key : keys())
        add(key.name);
    return json;
}

} // namespace

std::vector<TaskKey> keys_of_task()
{
    std::vector<TaskKey> all;
    for (const Key& key : keys())
        all.push_back({key.name, protocols_text(key), key.usual, key.what});
    return all;
}

CustomTask read_description(const core::Table& table)
{
    CustomTask task;
    task.base = table.base();
    task.where = table.where();
    if (const Value* const protocol = table.find("protocol"))
        task.protocol = protocol->choice(protocol_names);
    std::vector<std::string> names;
    for (const Key& key : keys())
        if (has(key, task.protocol))
            names.emplace_back(key.name);
    table.allow_only(names, fmt::format("key of the protocol '{}'",
                                        base::name_in(protocol_names, task.protocol)));
    for (const Value& value : table.values()) {
        find(value.key(), task.protocol)->read(task, value);
        task.written[value.key()] = value.json();
    }
    return task;
}

std::vector<std::string_view> missing_keys(const CustomTask& task)
{
    std::vector<std::string_view> missing;
    for (const Key& key : keys())
        if (std::ranges::count(key.needed, task.protocol) > 0 && key.write(task).is_null())
            missing.push_back(key.name);
    return missing;
}

CustomTask with_usual_columns(CustomTask task)
{
    for (const auto& [name, member] :
         {std::pair("first", &CustomTask::first), std::pair("second", &CustomTask::second),
          std::pair("target", &CustomTask::target)})
        if (const Key* const key = find(name, task.protocol); key && (task.*member).empty())
            task.*member = key->usual;
    for (const std::string* column : {&task.first, &task.second, &task.target, &task.split})
        task.header = task.header || (!column->empty() && !is_column_number(*column));
    return task;
}

base::Json to_json(const CustomTask& task)
{
    const bool has_columns = find("format", task.protocol) != nullptr;
    return {{"base", (std::filesystem::current_path() / task.base).string()},
            {"keys", has_columns ? keys_of(task) : task.written}};
}

std::unique_ptr<task::Task> task_from_json(const base::Json& description)
{
    return make_custom_task(read_description(core::Table::parse(
        to_toml(description.at("keys")), "result", description.at("base").get<std::string>())));
}

std::string to_toml(const base::Json& keys)
{
    std::string toml;
    for (const auto& [key, value] : keys.items())
        toml += key + " = " + toml_of(value) + "\n";
    return toml;
}

} // namespace senteval::tasks
