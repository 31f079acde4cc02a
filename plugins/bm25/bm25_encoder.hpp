// bm25_encoder.hpp -- BM25: documents ranked by the words that they share with a query.
#pragma once

#include "bm25/formula.hpp"
#include "bm25/index.hpp"
#include "bm25/vocabulary.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <string>

namespace senteval::bm25 {

/// A ranker (SENTEVAL_RANKER_EXTENSION): prepare() indexes the documents, and the row of a query holds a score for each of
/// them, computed in double precision. A document without any word of the query is not found by it.
class Bm25Encoder {
public:
    static constexpr bool ranks = true;
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.bm25",
        .name = "BM25",
        .version = "1.0",
        .description =
            "Ranks documents by the words that they share with a query: rare words count "
            "more, repeated words less each time, and so do words of long documents.",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC,
    };
    static constexpr senteval_param_spec params[] = {
        sdk::param("formula",
                   "lucene",
                   "lucene, robertson, atire, okapi, bm25l and bm25plus (words that a document "
                   "lacks count a little), bm25l_paper and bm25plus_paper (they do not)."),
        sdk::param("k1", 1.5, "How much a repeated word adds, 0 (nothing) to 1000."),
        sdk::param("b", 0.75, "How much the length of a document matters, 0 (not at all) to 1."),
        sdk::param("delta",
                   -1.0,
                   "The least that a word adds under bm25l and bm25plus, 0 to 1000; -1: 0.5 for "
                   "bm25l, 1 for bm25plus."),
        sdk::param(
            "tokens",
            "stems",
            "stems (stop words are dropped, in English), or words: all of them, as they are in "
            "lower case."),
        sdk::param("language",
                   "en",
                   "Language of the stems: en, or one of libstemmer's, such as de, fr or russian; "
                   "stop words are dropped in English only."),
        sdk::param(
            "stemmer",
            "3",
            "English stems as of Snowball 3, or 2.2 (libstemmer of Debian 12 and older programs)."),
    };

    explicit Bm25Encoder(const sdk::Setup& setup);

    /// The number of documents. Throws sdk::Error before the first prepare().
    [[nodiscard]] std::size_t dimension() const;
    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch documents);
    void encode(sdk::Call& call, sdk::Batch queries, sdk::Matrix out) const;
    [[nodiscard]] const std::string& identity() const noexcept { return identity_; }

private:
    void warn_of_language(const sdk::Task& task) const;

    sdk::Host host_;
    Formula formula_;
    std::string language_; ///< of the stems; empty where words count as they are
    Stem stem_;
    std::string identity_ = "{}";
    Vocabulary vocabulary_;
    Index index_;
};

} // namespace senteval::bm25
