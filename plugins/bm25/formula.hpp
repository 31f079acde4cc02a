// formula.hpp -- the variants of BM25.
#pragma once

#include <senteval/encoder.hpp>

namespace senteval::bm25 {

/// A document's score is the sum over the query's words, each as often as it stands there, of idf x part.
struct Formula {
    double (*idf)(double documents, double df); ///< of a word that `df` of the documents have
    bool scales = false; ///< parts are k1 + 1 times as large, which changes no order
    double within = 0;   ///< delta of bm25l, added to the frequency
    double beyond = 0;   ///< delta of bm25plus, added to the part
    bool counts_absent =
        false; ///< a word that a document lacks has the part of a frequency of 0 there
    double k1 = 1.5;
    double b = 0.75;

    /// Of a word that occurs `tf` times in a document; `norm` = 1 - b + b x length / mean length.
    [[nodiscard]] double part(double tf, double norm) const
    {
        const double frequency = tf / norm + within;
        const double most = scales ? k1 + 1 : 1;
        return beyond + (frequency > 0 ? most * frequency / (k1 + frequency) : 0);
    }
};

/// The formula that parameters describe. Throws sdk::Error, naming the one that is wrong.
Formula formula_from(const sdk::Params& params);

} // namespace senteval::bm25
