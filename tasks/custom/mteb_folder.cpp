// Finds the sets of a folder by the files and fields that they have.
#include "base/error.hpp"
#include "base/json.hpp"
#include "data/manifest.hpp"
#include "data/sha256.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/data_warnings.hpp"
#include "tasks/readers/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <string_view>
#include <variant>

namespace senteval::tasks {
namespace {

namespace fs = std::filesystem;
using base::Json;

/// The file of that name in the folder, whatever its form; empty where there is none.
std::string find(const fs::path& folder, const std::string& stem)
{
    for (const std::string_view ending :
         {".jsonl", ".jsonl.gz", ".json", ".tsv", ".tsv.gz", ".csv", ".csv.gz"})
        if (fs::is_regular_file(folder / (stem + std::string(ending))))
            return stem + std::string(ending);
    return {};
}

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

/// Sets whose queries MTEB (2.20.0) keeps from finding a document with their own id.
constexpr std::string_view ignoring_identical_ids =
    "ArguAna ArguAna-Fa ArguAna-Fa.v2 ArguAna-NL ArguAna-NL.v2 ArguAna-PL "
    "BSARDRetrieval BSARDRetrieval.v2 DanFEVER EcomRetrieval FEVER "
    "FEVER-FaHardNegatives FEVER-NL FEVERHardNegatives FEVERHardNegatives.v2 "
    "FeedbackQARetrieval FiQA-PL FiQA2018 FiQA2018-Fa FiQA2018-Fa.v2 "
    "FiQA2018-NL IFIRFiQA JaCWIRRetrieval JaGovFaqsRetrieval "
    "LegalQANLRetrieval MLQuestions MMarcoRetrieval MSMARCO MSMARCO-Fa "
    "MSMARCO-FaHardNegatives MSMARCO-PL MSMARCO-PLHardNegatives "
    "MSMARCOHardNegatives MedicalRetrieval NLPJournalAbsArticleRetrieval "
    "NLPJournalAbsArticleRetrieval.V2 PersianWebDocumentRetrieval Quora-NL "
    "QuoraRetrieval QuoraRetrieval-Fa QuoraRetrieval-Fa.v2 "
    "QuoraRetrievalHardNegatives QuoraRetrievalHardNegatives.v2 "
    "RiaNewsRetrieval RiaNewsRetrievalHardNegatives "
    "RiaNewsRetrievalHardNegatives.v2 RuBQRetrieval RuSciBenchCiteRetrieval "
    "RuSciBenchCociteRetrieval SynPerChatbotRAGFAQRetrieval "
    "SynPerChatbotRAGTopicsRetrieval SynPerChatbotTopicsRetrieval "
    "SynPerQARetrieval T2Retrieval TRECDL2019 TRECDL2020 VideoRetrieval "
    "bBSARDNLRetrieval mMARCO-NL ";

bool ignores_identical_ids(const std::string& name)
{
    return fmt::format(" {}", ignoring_identical_ids).find(fmt::format(" {} ", name)) !=
           std::string::npos;
}

std::optional<Json> describe_search(const fs::path& folder)
{
    const std::string corpus = find(folder, "corpus");
    const std::string queries = find(folder, "queries");
    const std::string judgements = find(folder, "qrels/test");
    if (corpus.empty() || queries.empty() || judgements.empty())
        return std::nullopt;
    Json keys = {{"protocol", "search"},
                 {"corpus", corpus},
                 {"queries", queries},
                 {"judgements", judgements}};
    if (const std::string candidates = find(folder, "top_ranked/test"); !candidates.empty()) {
        keys["protocol"] = "reranking";
        keys["candidates"] = candidates;
    }
    if (ignores_identical_ids(folder.filename().string()))
        keys["ignore_identical_ids"] = true;
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

std::optional<Json> describe_rows(const fs::path& folder)
{
    const std::string test = find(folder, "test");
    if (test.empty())
        return std::nullopt;
    FileFields fields = fields_of(folder, test, 1);
    const std::string train = find(folder, "train");
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

/// Whether all files of a set have the checksum of a file that is known.
bool is_published(const fs::path& folder, const Json& keys)
{
    std::set<std::string> known;
    for (const data::Dataset& set : data::builtin_manifest().datasets)
        for (const data::File& file : set.files)
            known.insert(file.sha256);
    for (const auto& [key, value] : keys.items()) {
        const fs::path path = folder / (value.is_string() ? value.get<std::string>() : "");
        if (fs::is_regular_file(path) && !known.contains(data::sha256_file(path)))
            return false;
    }
    return true;
}

/// Appends what lies in the folder itself to `all`, or why nothing can be told of it to `skipped`.
void describe(const fs::path& folder,
              const std::string& name,
              std::vector<core::Table>& all,
              std::vector<std::string>& skipped)
{
    auto keys = describe_search(folder);
    try {
        if (!keys)
            keys = describe_rows(folder);
    } catch (const base::UsageError& e) {
        skipped.emplace_back(e.what());
    }
    if (!keys)
        return;
    if (is_published(folder, *keys))
        (*keys)["accept"] = warning_names;
    else
        (*keys)["tolerated_copies"] = 0.05; // so many are usual there
    std::string toml = "name = " + base::to_text(Json(name_from(name))) + "\n";
    for (const auto& [key, value] : keys->items())
        toml += key + " = " + base::to_text(value) + "\n";
    all.push_back(core::Table::parse(toml, folder.string(), folder));
}

/// The folders in a folder, by name, but for those that are parts of a set.
std::vector<fs::path> folders_in(const fs::path& folder)
{
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(folder))
        if (const fs::path name = entry.path().filename();
            entry.is_directory() && name != "qrels" && name != "top_ranked")
            folders.push_back(entry.path());
    std::ranges::sort(folders);
    return folders;
}

} // namespace

std::vector<core::Table> describe_mteb_folder(const fs::path& folder,
                                              std::vector<std::string>* skipped)
{
    std::vector<core::Table> all;
    std::vector<std::string> others;
    if (fs::is_directory(folder)) {
        describe(folder, fs::weakly_canonical(folder).filename().string(), all, others);
        for (const fs::path& one : folders_in(folder)) {
            const std::string name = one.filename().string();
            const std::size_t before = all.size();
            describe(one, name, all, others);
            if (all.size() > before)
                continue;
            for (const fs::path& subset : folders_in(one)) // a language each
                describe(subset, fmt::format("{}-{}", name, subset.filename().string()), all,
                         others);
        }
    }
    if (skipped != nullptr)
        *skipped = others;
    if (all.empty() && !others.empty())
        throw base::UsageError("{}", fmt::join(others, "\n"));
    if (all.empty())
        throw base::UsageError("--mteb {}: no set lies there: no test.jsonl, and no corpus.jsonl, "
                               "queries.jsonl and qrels/test.tsv (nor their .tsv, .csv and .gz)",
                               folder.string());
    return all;
}

} // namespace senteval::tasks
