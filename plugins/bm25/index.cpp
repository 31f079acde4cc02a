#include "bm25/index.hpp"

#include <senteval/encoder.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace senteval::bm25 {
namespace {

/// By document: 1 - b + b x length / mean length, where empty documents count in the mean.
std::vector<double> norms_of(const Documents& documents, double b)
{
    const double mean =
        static_cast<double>(documents.terms.size()) / static_cast<double>(documents.ends.size());
    std::vector<double> norms;
    norms.reserve(documents.ends.size());
    std::size_t begin = 0;
    for (const std::size_t end : documents.ends) {
        norms.push_back(1 - b + b * static_cast<double>(end - begin) / mean);
        begin = end;
    }
    return norms;
}

/// Calls each(term, document) in order.
template <typename Each>
void for_each_term(const Documents& documents, const Poll& poll, const Each& each)
{
    std::size_t at = 0;
    for (std::size_t document = 0; document < documents.ends.size(); ++document) {
        if (document % 4096 == 0)
            poll();
        for (; at < documents.ends[document]; ++at)
            each(documents.terms[at], static_cast<std::uint32_t>(document));
    }
}

} // namespace

Index::Index(const Documents& documents,
             std::size_t vocabulary,
             const Formula& formula,
             const Poll& poll)
    : size_(documents.ends.size()), begins_(vocabulary + 1), absent_(vocabulary)
{
    count(documents, vocabulary, poll);
    weigh(norms_of(documents, formula.b), formula, poll);
}

/// Leaves frequencies in the weights.
void Index::count(const Documents& documents, std::size_t vocabulary, const Poll& poll)
{
    std::vector<std::uint32_t> last(vocabulary, UINT32_MAX);
    for_each_term(documents, poll, [&](Term term, std::uint32_t document) {
        if (std::exchange(last[term], document) != document)
            ++begins_[term + 1];
    });
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    documents_.resize(begins_.back());
    weights_.resize(begins_.back());
    std::vector<std::size_t> ends(begins_.begin(), begins_.end() - 1);
    for_each_term(documents, poll, [&](Term term, std::uint32_t document) {
        std::size_t& end = ends[term];
        if (end == begins_[term] || documents_[end - 1] != document)
            documents_[end++] = document;
        weights_[end - 1] += 1;
    });
}

void Index::weigh(const std::vector<double>& norms, const Formula& formula, const Poll& poll)
{
    const auto documents = static_cast<double>(size_);
    std::vector<double> idfs(absent_.size());
    for (std::size_t term = 0; term < idfs.size(); ++term)
        idfs[term] = formula.idf(documents, static_cast<double>(begins_[term + 1] - begins_[term]));
    const double mean =
        std::accumulate(idfs.begin(), idfs.end(), 0.0) / static_cast<double>(idfs.size());
    std::ranges::replace_if(
        idfs, [](double idf) { return idf < 0; }, 0.25 * mean); // of okapi alone
    const double absent = formula.counts_absent ? formula.part(0, 1) : 0;
    for (std::size_t term = 0; term < idfs.size(); ++term) {
        if (term % 4096 == 0)
            poll();
        absent_[term] = idfs[term] * absent;
        for (std::size_t at = begins_[term]; at < begins_[term + 1]; ++at)
            weights_[at] =
                idfs[term] * (formula.part(weights_[at], norms[documents_[at]]) - absent);
    }
}

void Index::score(std::span<const Term> query,
                  std::span<double> sums,
                  std::span<float> scores,
                  const Poll& poll) const
{
    std::ranges::fill(scores, SENTEVAL_NOT_FOUND_BY_QUERY);
    std::vector<std::uint32_t> found;
    double base = 0;
    for (const Term term : query) {
        poll();
        base += absent_[term];
        for (std::size_t at = begins_[term]; at < begins_[term + 1]; ++at) {
            const std::uint32_t document = documents_[at];
            sums[document] += weights_[at];
            if (std::exchange(scores[document], 0.0F) == SENTEVAL_NOT_FOUND_BY_QUERY)
                found.push_back(document);
        }
    }
    for (const std::uint32_t document : found)
        scores[document] = static_cast<float>(std::exchange(sums[document], 0.0) + base);
}

} // namespace senteval::bm25
