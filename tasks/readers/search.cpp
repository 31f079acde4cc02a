#include "base/error.hpp"
#include "base/unicode.hpp"
#include "tasks/readers/mteb.hpp"
#include "tasks/readers/rows.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

namespace senteval::tasks {
namespace {

std::string id_of(const NamedFields& row)
{
    return row.text(row.has("_id") ? "_id" : "id");
}

std::string document_text(const NamedFields& row)
{
    const std::string title = row.text_or_nothing("title");
    const std::string text = row.text("text");
    return std::string(base::strip(title.empty() ? text : title + " " + text));
}

text::Sentence sentence_of(std::string_view text, text::Role role, text::Arena& arena)
{
    text::Sentence sentence = text::verbatim_sentence(text, arena);
    sentence.role = role;
    return sentence;
}

using Numbers = std::unordered_map<std::string, std::uint32_t>; ///< of ids

Numbers read_corpus(task::DataFolder& data,
                    const std::string& file,
                    Dataset& dataset,
                    Judgements& judgements)
{
    Part& corpus = dataset.parts.emplace_back("corpus", false);
    Numbers numbers;
    each_row(data, dataset, file, [&](const NamedFields& row) {
        std::string id = id_of(row);
        if (!numbers.try_emplace(id, static_cast<std::uint32_t>(numbers.size())).second)
            row.fail("the document {} occurs twice", text::quote(id));
        corpus.first.push_back(
            sentence_of(document_text(row), text::Role::document, dataset.arena));
        judgements.document_ids.push_back(std::move(id));
    });
    return numbers;
}

using JudgedById = std::map<std::string, std::map<std::uint32_t, int>>; ///< query id -> document

void warn_if(std::size_t count, std::string_view what, Dataset& dataset)
{
    if (count > 0)
        dataset.warn("judgements", "{} {}", count, what);
}

/// Judged documents that the corpus lacks get numbers behind it: the ideal ranking has them, as that of trec_eval.
JudgedById read_judgements(task::DataFolder& data,
                           const std::string& file,
                           Numbers documents,
                           Dataset& dataset,
                           Judgements& judgements)
{
    JudgedById judged;
    const std::size_t known = documents.size();
    std::size_t contradictions = 0;
    each_row(data, dataset, file, [&](const NamedFields& row) {
        const double grade = row.number("score");
        if (grade != static_cast<int>(grade))
            row.fail("the score {} is no whole number", grade);
        const auto [document, is_absent] = documents.try_emplace(
            row.text("corpus-id"), static_cast<std::uint32_t>(documents.size()));
        if (is_absent)
            judgements.document_ids.push_back(document->first);
        const auto [at, is_new] =
            judged[row.text("query-id")].try_emplace(document->second, static_cast<int>(grade));
        contradictions += !is_new && at->second != static_cast<int>(grade) ? 1 : 0;
        at->second = static_cast<int>(grade);
    });
    warn_if(contradictions, "documents are judged again, with another grade, which counts",
            dataset);
    warn_if(documents.size() - known, "judged documents are not in the corpus", dataset);
    return judged;
}

void read_search(task::DataFolder& data, const SearchFiles& files, Dataset& dataset)
{
    auto judgements = std::make_shared<Judgements>();
    const Numbers documents = read_corpus(data, files.corpus, dataset, *judgements);
    JudgedById judged = read_judgements(data, files.judgements, documents, dataset, *judgements);
    Part& queries = dataset.parts.emplace_back("queries", true);
    Numbers query_numbers;
    each_row(data, dataset, files.queries, [&](const NamedFields& row) {
        const std::string id = id_of(row);
        const auto mine = judged.find(id);
        if (mine == judged.end())
            return;
        if (!query_numbers.try_emplace(id, static_cast<std::uint32_t>(query_numbers.size())).second)
            row.fail("the query {} occurs twice", text::quote(id));
        queries.first.push_back(sentence_of(row.text("text"), text::Role::query, dataset.arena));
        judgements->query_ids.push_back(id);
        auto& list = judgements->of_query.emplace_back();
        for (const auto& [document, grade] : mine->second)
            list.push_back({document, grade});
    });
    if (queries.first.empty())
        throw base::Error("{}: none of the queries has a judgement", files.queries);
    warn_if(judged.size() - queries.size(), "judged queries are not among the queries", dataset);
    if (!files.candidates.empty()) {
        std::size_t unknown = 0;
        std::size_t absent = 0;
        judgements->candidates.resize(queries.size());
        each_row(data, dataset, files.candidates, [&](const NamedFields& row) {
            const auto query = query_numbers.find(row.text("query-id"));
            if (query == query_numbers.end()) {
                ++unknown;
                return;
            }
            for (const std::string& id : row.texts("corpus-ids"))
                if (const auto at = documents.find(id); at != documents.end())
                    judgements->candidates[query->second].push_back(at->second);
                else
                    ++absent;
        });
        warn_if(absent, "candidates are not in the corpus, and are left out", dataset);
        warn_if(unknown, "lists of candidates are of no judged query", dataset);
        warn_if(static_cast<std::size_t>(std::ranges::count_if(
                    judgements->candidates, [](const auto& list) { return list.empty(); })),
                "queries have no candidates, and count with 0", dataset);
    }
    queries.judgements = std::move(judgements);
}

} // namespace

Source search_source(const SearchFiles& files)
{
    return row_source(
        {files.corpus, files.queries, files.judgements, files.candidates},
        [=](task::DataFolder& data, Dataset& dataset) { read_search(data, files, dataset); });
}

Source candidate_lists_source(const std::string& file)
{
    return row_source({file}, [=](task::DataFolder& data, Dataset& dataset) {
        auto judgements = std::make_shared<Judgements>();
        dataset.parts.reserve(2); // references stay
        Part& corpus = dataset.parts.emplace_back("corpus", false);
        Part& queries = dataset.parts.emplace_back("queries", true);
        each_row(data, dataset, file, [&](const NamedFields& row) {
            const auto positive = row.texts("positive");
            const auto negative = row.texts("negative");
            if (positive.empty() || negative.empty())
                return;
            const std::string query = fmt::format("test_query{}", queries.size());
            queries.first.push_back(
                sentence_of(row.text("query"), text::Role::query, dataset.arena));
            judgements->query_ids.push_back(query);
            auto& judged = judgements->of_query.emplace_back();
            auto& candidates = judgements->candidates.emplace_back();
            // MTEB's ids: by the rule for ties a negative comes before an equal positive.
            const auto add = [&](const char* kind, int grade,
                                 const std::vector<std::string>& texts) {
                for (std::size_t i = 0; i < texts.size(); ++i) {
                    const auto document = static_cast<std::uint32_t>(corpus.size());
                    corpus.first.push_back(
                        sentence_of(base::strip(texts[i]), text::Role::document, dataset.arena));
                    judgements->document_ids.push_back(fmt::format("{}_{}_{:05}", kind, query, i));
                    judged.push_back({document, grade});
                    candidates.push_back(document);
                }
            };
            add("apositive", 1, positive);
            add("negative", 0, negative);
        });
        if (queries.first.empty())
            throw base::Error("{}: no row has both a positive and a negative", file);
        queries.judgements = std::move(judgements);
    });
}

} // namespace senteval::tasks
