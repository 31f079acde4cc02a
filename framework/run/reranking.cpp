#include "run/reranking.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

namespace senteval::run {

std::span<const results::Found>
first_of(const std::vector<results::Found>& found, std::size_t depth, bool has_candidates)
{
    const auto unfound = std::ranges::find(found, results::not_found, &results::Found::score);
    const auto all =
        has_candidates ? found.size() : static_cast<std::size_t>(unfound - found.begin());
    return std::span(found).first(std::min(depth, all));
}

results::Rankings rerank(const results::Rankings& first,
                         const results::Rankings& scores,
                         std::size_t depth,
                         bool has_candidates)
{
    results::Rankings reranked;
    for (const auto& [query, found] : first) {
        const auto given = first_of(found, depth, has_candidates);
        std::vector<results::Found>& row = reranked[query];
        if (given.empty()) {
            row = found;
            continue;
        }
        std::map<std::string_view, float> score_of;
        for (const results::Found& one : scores.at(query))
            score_of.emplace(one.document, one.score);
        for (const results::Found& one : given)
            row.push_back({one.document, score_of.at(one.document)});
        std::ranges::sort(row, [](const results::Found& a, const results::Found& b) {
            return a.score != b.score ? a.score > b.score : a.document > b.document;
        });
        float below = row.back().score;
        for (const results::Found& one : std::span(found).subspan(given.size()))
            row.push_back({one.document, one.score == results::not_found ? one.score : below -= 1});
    }
    return reranked;
}

Judge::Judge(const EncoderSource& source,
             const task::Task& task,
             const task::LoadedTask& loaded,
             const EvaluateOptions& options,
             Observer& observer)
    : source_(source),
      task_(task),
      options_(options),
      observer_(observer),
      searched_(*loaded.searched())
{
    for (std::size_t i = 0; i < searched_.query_ids.size(); ++i)
        query_numbers_.emplace(searched_.query_ids[i], i);
    for (std::size_t i = 0; i < searched_.document_ids.size(); ++i)
        document_numbers_.emplace(searched_.document_ids[i], i);
    if (source.states_identity)
        start();
}

const encoder::Identity& Judge::identity() const
{
    return encoder_ ? encoder_->identity() : source_.identity;
}

bool Judge::is_batch_invariant() const
{
    return (encoder_ ? encoder_->capabilities() : source_.capabilities).batch_invariant;
}

void Judge::start()
{
    if (!encoder_)
        encoder_ = source_.create();
}

void Judge::add(std::span<const results::Rankings* const> rankings,
                std::size_t depth,
                results::Rankings& scores)
{
    std::map<std::string, std::set<std::string>> missing; // documents by query
    for (const results::Rankings* ranking : rankings)
        for (const auto& [query, found] : *ranking)
            for (const results::Found& one : first_of(found, depth, searched_.has_candidates))
                missing[query].insert(one.document);
    for (const auto& [query, found] : scores)
        for (const results::Found& one : found)
            missing[query].erase(one.document);
    std::size_t done = 0;
    for (const auto& [query, documents] : missing) {
        if (!documents.empty())
            judge(query, documents, scores[query]);
        observer_.progress("rerank", ++done, missing.size());
    }
}

void Judge::judge(const std::string& query,
                  const std::set<std::string>& documents,
                  std::vector<results::Found>& scores)
{
    if (options_.stop.stop_requested())
        throw base::Cancelled();
    start();
    // Whatever the number of threads; scores that depend on what else is judged are asked for at once.
    const std::size_t batch_size = is_batch_invariant() ? 16 : documents.size();
    const auto begin = std::chrono::steady_clock::now();
    std::vector<text::Sentence> texts;
    for (const std::string& id : documents)
        texts.push_back(searched_.documents[document_numbers_.at(id)]);
    std::vector<float> values(texts.size());
    try {
        encoder_->prepare(task_.info().name, searched_.queries.subspan(query_numbers_.at(query), 1),
                          {options_.threads, options_.stop, {}});
        if (encoder_->dimension() != 1)
            throw base::Error("it gives {} numbers for a document, and a reranker gives one",
                              encoder_->dimension());
        const bool concurrent = encoder_->capabilities().concurrent;
        const std::size_t batches = (texts.size() + batch_size - 1) / batch_size;
        base::parallel_for(batches, concurrent ? options_.threads : 1, [&](std::size_t batch) {
            const std::size_t first = batch * batch_size;
            const auto part =
                std::span(texts).subspan(first, std::min(batch_size, texts.size() - first));
            encoder_->encode(part, values.data() + first,
                             {concurrent ? 1 : options_.threads, options_.stop, {}});
        });
    } catch (const base::Cancelled&) {
        throw;
    } catch (const base::Error& e) {
        throw base::Error("reranker '{}', query '{}': {}", source_.identity.label, query, e.what());
    }
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    judged_ += texts.size();
    std::size_t at = 0;
    for (const std::string& id : documents) {
        if (!std::isfinite(values[at]))
            throw base::Error("reranker '{}' gave no finite score for query '{}' and document '{}'",
                              source_.identity.label, query, id);
        scores.push_back({id, values[at++]});
    }
}

std::optional<double> Judge::ms_a_document() const
{
    if (judged_ == 0)
        return std::nullopt;
    return 1000 * seconds_ / static_cast<double>(judged_);
}

} // namespace senteval::run
