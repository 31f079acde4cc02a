#include "tasks/protocols/mteb.hpp"

#include "base/error.hpp"
#include "measures/ranking.hpp"
#include "tasks/protocols/shared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace senteval::tasks {
namespace {

using Hits = std::vector<measures::Hit>; ///< of one query, best first

struct RankingMetric {
    std::string_view path;
    std::string_view title;
    double measures::RankingMeasures::*value;
};

constexpr std::array<RankingMetric, 6> ranking_metrics{{
    {"ndcg", "nDCG", &measures::RankingMeasures::ndcg},
    {"map", "MAP", &measures::RankingMeasures::map},
    {"mrr", "MRR", &measures::RankingMeasures::mrr},
    {"recall", "recall", &measures::RankingMeasures::recall},
    {"precision", "precision", &measures::RankingMeasures::precision},
    {"hit_rate", "hit rate", &measures::RankingMeasures::hit_rate},
}};

/// Documents that are ranked for a query, by ascending id, each once. `all`: documents of the corpus; others are judged only.
std::vector<std::uint32_t>
candidates_of(std::size_t query, const Judgements& judgements, std::size_t all)
{
    auto documents =
        judgements.candidates.empty() ? first_numbers(all) : judgements.candidates[query];
    std::ranges::sort(documents, {}, [&](std::uint32_t document) {
        return std::string_view(judgements.document_ids[document]);
    });
    const auto [again, end] = std::ranges::unique(documents);
    documents.erase(again, end);
    return documents;
}

std::size_t documents_in(std::size_t texts, const Judgements& judgements)
{
    return judgements.document_of.empty() ? texts : judgements.document_of.back() + std::size_t{1};
}

/// Their chunks in the same order, or themselves where they are whole.
std::vector<std::uint32_t> texts_of(std::vector<std::uint32_t> documents,
                                    const Judgements& judgements)
{
    if (judgements.document_of.empty())
        return documents;
    std::vector<std::uint32_t> texts;
    for (const std::uint32_t document : documents) {
        const auto own = std::ranges::equal_range(judgements.document_of, document); // ascending
        for (auto at = own.begin(); at != own.end(); ++at)
            texts.push_back(static_cast<std::uint32_t>(at - judgements.document_of.begin()));
    }
    return texts;
}

/// The best `count` documents by their best chunks, which are given from the best down.
Hits documents_of(Hits texts, const Judgements& judgements, std::size_t count)
{
    Hits documents;
    std::unordered_set<std::uint32_t> seen;
    for (measures::Hit hit : texts) {
        if (documents.size() == count)
            break;
        if (!judgements.document_of.empty()) {
            hit.document = judgements.document_of[hit.document];
            if (!seen.insert(hit.document).second)
                continue;
        }
        documents.push_back(hit);
    }
    return documents;
}

/// Finds the best documents of each query, of equal scores that of the larger id first. Of chunks so many are fetched that
/// each query has its documents.
std::vector<Hits> find(const embedding::Embeddings& texts,
                       const embedding::Embeddings& queries,
                       const Judgements& judgements,
                       const SearchRules& rules,
                       const task::Context& context)
{
    const std::size_t count = std::ranges::max(rules.cutoffs);
    const Nearest nearest(queries, texts, context);
    std::vector<Hits> found;
    if (rules.reranks) {
        for (std::size_t query = 0; query < queries.size(); ++query) {
            const auto own = texts_of(candidates_of(query, judgements, 0), judgements);
            const std::size_t fetched = judgements.document_of.empty() ? count : own.size();
            found.push_back(documents_of(nearest.among(own, query, fetched), judgements, count));
        }
        return found;
    }
    const std::size_t all = documents_in(texts.size(), judgements);
    const auto by_id = texts_of(candidates_of(0, judgements, all), judgements);
    const std::size_t documents = std::min(count, all);
    for (std::size_t fetched = count;; fetched *= 2) {
        found = nearest.among_all(by_id, fetched);
        for (Hits& hits : found)
            hits = documents_of(std::move(hits), judgements, count);
        if (fetched >= texts.size() ||
            std::ranges::all_of(found, [&](const Hits& hits) { return hits.size() == documents; }))
            return found;
    }
}

/// The best documents of each query by a ranker's scores. Those that a query does not find come last, by descending id.
std::vector<Hits>
rank(const Part& queries, std::size_t texts, const SearchRules& rules, const task::Context& context)
{
    constexpr std::size_t scores_at_once = std::size_t{1} << 24U;
    const Judgements& judgements = *queries.judgements;
    const std::size_t count = std::ranges::max(rules.cutoffs);
    const std::size_t block = std::clamp<std::size_t>(scores_at_once / texts, 1, 128);
    std::vector<std::uint32_t> ranked; // by ascending id
    std::vector<Hits> found;
    for (std::size_t first = 0; first < queries.size(); first += block) {
        const auto asked =
            std::span(queries.first).subspan(first, std::min(block, queries.size() - first));
        const arma::fmat scores = context.session.ask(asked);
        if (scores.n_rows != texts)
            throw base::Error("it gives a query {} scores, and there are {} documents",
                              scores.n_rows, texts);
        for (std::size_t i = 0; i < asked.size(); ++i) {
            if (ranked.empty() || rules.reranks)
                ranked =
                    texts_of(candidates_of(first + i, judgements, documents_in(texts, judgements)),
                             judgements);
            const float* const own = scores.colptr(i);
            auto places = first_numbers(ranked.size());
            const std::size_t kept =
                judgements.document_of.empty() ? std::min(count, places.size()) : places.size();
            std::ranges::partial_sort(places, places.begin() + static_cast<std::ptrdiff_t>(kept),
                                      [&](std::uint32_t a, std::uint32_t b) {
                                          const float x = own[ranked[a]];
                                          const float y = own[ranked[b]];
                                          return x != y ? x > y : a > b;
                                      });
            Hits hits;
            for (const std::uint32_t place : std::span(places).first(kept))
                hits.push_back({ranked[place], own[ranked[place]]});
            found.push_back(documents_of(std::move(hits), judgements, count));
        }
    }
    return found;
}

/// Erases the hits that do not count.
void leave_out(Hits& hits,
               const Judgements& judgements,
               std::size_t query,
               const SearchRules& rules)
{
    if (rules.ignore_identical_ids)
        std::erase_if(hits, [&](const measures::Hit& hit) {
            return judgements.document_ids[hit.document] == judgements.query_ids[query];
        });
    if (rules.skip_first_result && !hits.empty())
        hits.erase(hits.begin());
}

std::string path_of(std::string_view metric, std::size_t cutoff)
{
    return fmt::format("{}_at_{}", metric, cutoff);
}

/// Returns one value a query for each metric, in the order of metrics_of().
std::vector<results::Series>
measure(const std::vector<Hits>& found, const Judgements& judgements, const SearchRules& rules)
{
    std::vector<results::Series> all;
    for (const std::size_t cutoff : rules.cutoffs)
        for (const RankingMetric& metric : ranking_metrics)
            all.push_back({path_of(metric.path, cutoff), {}});
    for (std::size_t query = 0; query < found.size(); ++query) {
        std::unordered_map<std::uint32_t, int> grade_of;
        std::vector<int> judged;
        for (const Judged& one : judgements.of_query[query]) {
            grade_of[one.document] = one.grade;
            judged.push_back(one.grade);
        }
        std::vector<int> ranked;
        for (const measures::Hit& hit : found[query]) {
            const auto at = grade_of.find(hit.document);
            ranked.push_back(at == grade_of.end() ? 0 : at->second);
        }
        auto series = all.begin();
        for (const std::size_t cutoff : rules.cutoffs) {
            const auto values = measures::ranking_measures(ranked, judged, cutoff);
            for (const RankingMetric& metric : ranking_metrics)
                (series++)->predictions.push_back(values.*metric.value);
        }
    }
    return all;
}

/// Returns how sure a search is of each query, by the scores of what it found: the highest, their deviation, and how far
/// the first is before the second.
std::array<results::Series, 3> confidences(const std::vector<Hits>& found)
{
    std::array<results::Series, 3> all{{{"max", {}}, {"std", {}}, {"diff1", {}}}};
    for (const Hits& hits : found) {
        const auto count = static_cast<double>(hits.size());
        double mean = 0;
        for (const measures::Hit& hit : hits)
            mean += hit.score / count;
        double squares = 0;
        for (const measures::Hit& hit : hits)
            squares += (hit.score - mean) * (hit.score - mean) / count;
        all[0].predictions.push_back(hits.empty() ? 0 : hits[0].score);
        all[1].predictions.push_back(std::sqrt(squares));
        all[2].predictions.push_back(hits.size() > 1 ? double{hits[0].score} - double{hits[1].score}
                                                     : 0);
    }
    return all;
}

/// MTEB's "nauc" of all metrics but the hit rate.
base::Json abstention_gains(const std::vector<Hits>& found,
                            const std::vector<results::Series>& values)
{
    base::Json gains = base::Json::object();
    for (const results::Series& confidence : confidences(found))
        for (const results::Series& metric : values)
            if (!metric.name.starts_with("hit_rate"))
                gains[fmt::format("nauc_{}_{}", metric.name, confidence.name)] =
                    measures::abstention_gain(confidence.predictions, metric.predictions);
    return gains;
}

constexpr double nothing = -1;

/// Returns, for whoever looks at a query, the document found first, and the relevant one that is worth most of those that are
/// not among the first ten.
std::array<results::Series, 2> found_and_missed(const std::vector<Hits>& found,
                                                const Judgements& judgements)
{
    constexpr std::size_t looked_at = 10;
    std::array<results::Series, 2> series{{{"found", {}}, {"missed", {}}}};
    for (std::size_t query = 0; query < found.size(); ++query) {
        const auto first = std::span(found[query]).first(std::min(looked_at, found[query].size()));
        double missed = nothing;
        int worth = 0;
        for (const Judged& judged : judgements.of_query[query])
            if (judged.grade > worth &&
                std::ranges::find(first, judged.document, &measures::Hit::document) ==
                    first.end()) {
                missed = judged.document;
                worth = judged.grade;
            }
        series[0].predictions.push_back(first.empty() ? nothing : first.front().document);
        series[1].predictions.push_back(missed);
    }
    return series;
}

/// Returns what the hits are worth.
task::Result judged(std::vector<Hits> found, const Dataset& dataset, const SearchRules& rules)
{
    const Part& queries = dataset.part("queries");
    const Judgements& judgements = *queries.judgements;
    for (std::size_t query = 0; query < found.size(); ++query)
        leave_out(found[query], judgements, query, rules);

    task::Result result;
    result.outcomes.kind = "value";
    result.outcomes.further = measure(found, judgements, rules);
    for (const results::Series& series : result.outcomes.further)
        result.metrics[series.name] = mean_percent(series.predictions);
    result.metrics["mteb"] = abstention_gains(found, result.outcomes.further);
    result.metrics["nqueries"] = queries.size();
    result.metrics["ndocuments"] = dataset.part("corpus").size();
    std::vector<double> relevant;
    for (const auto& judged : judgements.of_query)
        relevant.push_back(static_cast<double>(std::ranges::count_if(
            judged, [](const Judged& document) { return document.grade >= 1; })));
    add_group(result.outcomes, "", relevant, result.outcomes.further.front().predictions);
    for (results::Series& series : found_and_missed(found, judgements))
        result.outcomes.further.push_back(std::move(series));
    if (const auto without = std::ranges::count(relevant, 0); without > 0)
        result.details["queries_without_relevant"] = without;
    return result;
}

results::Rankings rankings_of(const std::vector<Hits>& found, const Judgements& judgements)
{
    results::Rankings rankings;
    for (std::size_t query = 0; query < found.size(); ++query)
        for (const measures::Hit& hit : found[query])
            rankings[judgements.query_ids[query]].push_back(
                {judgements.document_ids[hit.document], hit.score});
    return rankings;
}

task::Result run_search(const SearchRules& rules, const Dataset& dataset, task::Context& context)
{
    const Part& queries = dataset.part("queries");
    const Part* const chunks = dataset.find("chunks");
    const Part& texts = chunks == nullptr ? dataset.part("corpus") : *chunks;
    std::vector<Hits> found;
    if (context.session.ranks()) {
        const auto phase = context.clock.phase("search");
        found = rank(queries, texts.size(), rules, context);
    } else {
        const EmbeddedPart documents = embed(texts, context);
        const EmbeddedPart asked = embed(queries, context);
        const auto phase = context.clock.phase("score");
        found = find(documents.first, asked.first, *queries.judgements, rules, context);
    }
    if (context.ranked)
        context.ranked(rankings_of(found, *queries.judgements));
    base::Json share; // what a ranker found, without the documents that fill its list
    if (context.session.ranks() && !rules.reranks) {
        std::vector<Hits> there = found;
        for (Hits& hits : there)
            std::erase_if(hits,
                          [](const measures::Hit& hit) { return hit.score == results::not_found; });
        share =
            judged(std::move(there), dataset, rules).metrics.value("recall_at_100", base::Json());
    }
    for (Hits& hits : found)
        for (measures::Hit& hit : hits)
            hit.score = hit.score == results::not_found ? 0 : hit.score; // as MTEB has it
    task::Result result = judged(std::move(found), dataset, rules);
    result.details.update(untrained_result(context.settings, "value").details);
    if (!share.is_null())
        result.details["found_in_100"] = share;
    if (chunks != nullptr)
        result.details["chunks"] = chunks->size();
    return result;
}

/// Queries that are not ranked found nothing; rankings of others are left out.
task::Result
judge(const SearchRules& rules, const Dataset& dataset, const results::Rankings& rankings)
{
    const Judgements& judgements = *dataset.part("queries").judgements;
    std::unordered_map<std::string_view, std::uint32_t> number_of;
    for (std::uint32_t i = 0; i < judgements.document_ids.size(); ++i)
        number_of.emplace(judgements.document_ids[i], i);
    std::vector<Hits> found(judgements.query_ids.size());
    std::size_t unranked = 0;
    for (std::size_t query = 0; query < found.size(); ++query) {
        const auto mine = rankings.find(judgements.query_ids[query]);
        unranked += mine == rankings.end() ? 1 : 0;
        if (mine == rankings.end())
            continue;
        const std::size_t count = std::min(mine->second.size(), std::ranges::max(rules.cutoffs));
        for (const results::Found& one : std::span(mine->second).first(count)) {
            const auto document = number_of.find(one.document);
            if (document == number_of.end())
                throw base::UsageError("query '{}' found the document '{}', which is not in the "
                                       "corpus",
                                       mine->first, one.document);
            found[query].push_back(
                {document->second, one.score == results::not_found ? 0 : one.score});
        }
    }
    if (unranked == found.size())
        throw base::UsageError("none of its queries is one of the {} of the task", found.size());
    task::Result result = judged(std::move(found), dataset, rules);
    if (unranked > 0)
        result.details["queries_not_ranked"] = unranked;
    return result;
}

std::vector<results::Metric> metrics_of(const SearchRules& rules)
{
    std::vector<results::Metric> metrics;
    for (const std::size_t cutoff : rules.cutoffs)
        for (const RankingMetric& metric : ranking_metrics) {
            const std::string path = path_of(metric.path, cutoff);
            metrics.push_back(mean_metric(path, fmt::format("{}@{}", metric.title, cutoff), path));
        }
    return metrics;
}

base::Json search_settings(const SearchRules& rules, const task::Settings& settings)
{
    base::Json json = mteb_settings(settings, rules.reranks ? "reranking" : "search", true);
    json["cutoffs"] = rules.cutoffs;
    if (settings.chunks.size > 0)
        json["chunks"] = settings.chunks.text();
    if (rules.ignore_identical_ids)
        json["ignore_identical_ids"] = true;
    if (rules.skip_first_result)
        json["skip_first_result"] = true;
    return json;
}

} // namespace

Protocol search_protocol(const SearchRules& rules)
{
    return {rules.reranks ? "the candidates of each query, ordered by similarity"
                          : "the documents nearest to each query among all",
            metrics_of(rules), std::bind_front(run_search, rules),
            std::bind_front(search_settings, rules), std::bind_front(judge, rules)};
}

} // namespace senteval::tasks
