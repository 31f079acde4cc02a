// index.hpp -- which documents hold a term, and how much it is worth there.
#pragma once

#include "bm25/formula.hpp"
#include "bm25/vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace senteval::bm25 {

/// The terms of documents, one after the other.
struct Documents {
    std::vector<Term> terms;
    std::vector<std::size_t> ends; ///< by document: the end of its terms
};

/// Called now and then by what may take long; may throw.
using Poll = std::function<void()>;

class Index {
public:
    Index() = default;
    /// `vocabulary`: terms are below it. Takes 12 bytes for each term of each document.
    Index(const Documents& documents,
          std::size_t vocabulary,
          const Formula& formula,
          const Poll& poll);

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// The score of each document for a query, in float32; SENTEVAL_NOT_FOUND_BY_QUERY where it has none of the
    /// query's terms. `sums`: size() zeros, and again afterwards.
    void score(std::span<const Term> query,
               std::span<double> sums,
               std::span<float> scores,
               const Poll& poll) const;

private:
    void count(const Documents& documents, std::size_t vocabulary, const Poll& poll);
    void weigh(const std::vector<double>& norms, const Formula& formula, const Poll& poll);

    std::size_t size_ = 0;
    std::vector<std::size_t> begins_; ///< by term, and one more: its place in the two that follow
    std::vector<std::uint32_t> documents_;
    std::vector<double> weights_; ///< what the term adds, above what it adds where it is absent
    std::vector<double> absent_;  ///< by term: what it adds to every document
};

} // namespace senteval::bm25
