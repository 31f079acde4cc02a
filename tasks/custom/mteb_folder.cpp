// Finds the sets of a folder by the files and fields that they have.
#include "base/error.hpp"
#include "base/json.hpp"
#include "tasks/custom/custom.hpp"
#include "tasks/data_warnings.hpp"
#include "tasks/readers/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

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

/// The first row of a file.
class FirstRow {
public:
    FirstRow(const fs::path& folder, const std::string& file) : data_(folder), opened_(data_, file)
    {
        if (!opened_.next())
            throw base::Error("{}: there is no row", opened_.file.name());
    }

    [[nodiscard]] bool is_list(std::string_view field) const { return row_.is_list(field); }
    [[nodiscard]] bool has(std::string_view field) const { return row_.has(field); }

private:
    task::DataFolder data_;
    RecordFile opened_;
    NamedFields row_{opened_.records};
};

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

std::optional<Json> describe_rows(const fs::path& folder)
{
    const std::string test = find(folder, "test");
    if (test.empty())
        return std::nullopt;
    const FirstRow fields(folder, test);
    const std::string train = find(folder, "train");
    if (fields.has("positive") && fields.has("negative"))
        return Json{{"protocol", "reranking"}, {"test", test}};
    if (fields.has("human_summaries"))
        return Json{{"protocol", "summarization"}, {"test", test}};
    if (fields.has("sentences"))
        return Json{{"protocol", "clustering"},
                    {"test", test},
                    {"sampling", fields.is_list("sentences") ? "sets" : "mteb"}};
    if (fields.has("sentence1") && fields.has("score"))
        return Json{{"protocol", "similarity"}, {"test", test},      {"first", "sentence1"},
                    {"second", "sentence2"},    {"target", "score"}, {"metric", "spearman"}};
    if (fields.has("sentence1"))
        return Json{{"protocol", fields.has("labels") ? "pair-threshold" : "bitext"},
                    {"test", test}};
    if (!fields.has("text") || !fields.has("label"))
        return std::nullopt;
    Json keys = {{"protocol", fields.is_list("label") ? "multilabel" : "few-shot"}, {"test", test}};
    if (train.empty())
        keys["folds"] = 5;
    else
        keys["train"] = train;
    return keys;
}

/// Replaces the characters that a task's name may not have.
std::string task_name(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return std::string_view(", /\\*?").find(c) != std::string_view::npos; },
        '-');
    return text;
}

void describe(const fs::path& folder, const std::string& name, std::vector<core::Table>& all)
{
    auto keys = describe_search(folder);
    if (!keys)
        keys = describe_rows(folder);
    if (!keys)
        return;
    (*keys)["accept"] = warning_names; // sets are taken as they were published
    std::string toml = "name = " + base::to_text(Json(task_name(name))) + "\n";
    for (const auto& [key, value] : keys->items())
        toml += key + " = " + base::to_text(value) + "\n";
    all.push_back(core::Table::parse(toml, folder.string(), folder));
}

/// The folders in a folder, by name.
std::vector<fs::path> folders_in(const fs::path& folder)
{
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.is_directory())
            folders.push_back(entry.path());
    std::ranges::sort(folders);
    return folders;
}

} // namespace

std::vector<core::Table> describe_mteb_folder(const fs::path& folder)
{
    std::vector<core::Table> all;
    if (fs::is_directory(folder)) {
        describe(folder, fs::weakly_canonical(folder).filename().string(), all);
        for (const fs::path& one : folders_in(folder)) {
            const std::string name = one.filename().string();
            const std::size_t before = all.size();
            describe(one, name, all);
            if (all.size() > before)
                continue;
            for (const fs::path& subset : folders_in(one)) // a language each
                describe(subset, fmt::format("{}-{}", name, subset.filename().string()), all);
        }
    }
    if (all.empty())
        throw base::UsageError("--mteb {}: no set lies there: no test.jsonl, and no corpus.jsonl, "
                               "queries.jsonl and qrels/test.tsv (nor their .tsv, .csv and .gz)",
                               folder.string());
    return all;
}

} // namespace senteval::tasks
