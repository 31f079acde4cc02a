// What a set is, by the files and fields that it has.
#include "tasks/custom/mteb_set.hpp"

#include "base/error.hpp"
#include "task/data_folder.hpp"
#include "tasks/readers/rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <ranges>
#include <string_view>
#include <variant>

namespace senteval::tasks {
namespace {

namespace fs = std::filesystem;
using base::Json;

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

std::optional<Json> describe_search(const Set& set)
{
    const HubFiles& files = *set.files;
    const auto part = [&](const std::string& name, const std::string& split) {
        if (files.has(set.prefix + name))
            return files.in(set.prefix + name, split);
        std::string file;
        if (set.prefix.empty())
            file = files.called(name + (split.empty() ? "" : "/" + split));
        return file.empty() ? files.shards(set.prefix + name, split) : file;
    };
    const std::string corpus = part("corpus", "");
    const std::string queries = part("queries", "");
    std::string judgements = part("qrels", set.split);
    if (judgements.empty() && set.prefix.empty()) // of the repository's default
        judgements = set.rows(set.split);
    if (corpus.empty() || queries.empty() || judgements.empty())
        return std::nullopt;
    Json keys = {{"protocol", "search"},
                 {"corpus", corpus},
                 {"queries", queries},
                 {"judgements", judgements}};
    if (const std::string candidates = part("top_ranked", set.split); !candidates.empty()) {
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
    const fs::path& folder = set.files->folder();
    const std::string test = set.rows(set.split);
    if (test.empty())
        return std::nullopt;
    const std::string train = set.rows(set.task == nullptr ? "train" : set.task->train());
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

} // namespace

std::optional<Json> describe_set(const Set& set)
{
    auto keys = set.config == "default" ? describe_search(set) : std::nullopt;
    return keys || !set.prefix.empty() ? keys : describe_rows(set);
}

} // namespace senteval::tasks
