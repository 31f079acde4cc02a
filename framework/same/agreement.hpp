// agreement.hpp -- vectors of texts, and how far apart those of two encoders are.
#pragma once

#include <armadillo>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace senteval::same {

using Numbers = std::vector<std::size_t>; ///< of texts, from 0, ascending
Numbers all_of(const std::vector<std::string>& texts);

/// Of each text a column of float32, of zeros where there is no answer: why, stands in `errors`, else an empty text.
struct Answers {
    arma::fmat vectors;
    std::vector<std::string> errors;

    [[nodiscard]] std::span<const float> vector(std::size_t text) const
    {
        return {vectors.colptr(text), vectors.n_rows};
    }
};

/// Of two vectors. Of zeros and anything else it is 1, of zeros and zeros 0.
struct Gap {
    double direction = 0; ///< 1 - cosine
    double length = 0;    ///< difference by the larger one
};
Gap gap_of(std::span<const float> a, std::span<const float> b);
std::vector<Gap> gaps_of(const Answers& a, const Answers& b, const Numbers& texts);

/// The value of a part below which a share of the gaps lies; 0 of none.
double quantile(const std::vector<Gap>& gaps, double share, double Gap::*part = &Gap::direction);

/// What vectors that are the same may differ by.
struct Limits {
    double direction = 1e-4;
    double length = 1e-3; ///< infinite: any length will do

    [[nodiscard]] bool hold(const Gap& gap) const
    {
        return gap.direction <= direction && gap.length <= length;
    }
};

/// The larger of the usual limits and three times an encoder's own noise: what nine of ten texts differ by at most when they
/// are asked for `again`. The rest is not noise but answers that are not repeated.
Limits limits_of(const std::vector<Gap>& again);

bool is_zero(std::span<const float> vector);

/// The median direction between texts and others of the list; 1 of a single text.
double usual_distance(const Answers& answers, const Numbers& texts);

/// Whether all vectors but zeros have length 1, within what bfloat16 makes of it.
bool are_unit(const Answers& answers, const Numbers& texts);

/// Those of the texts whose vector is no zeros and not what `own` has of them, but what it has of another one `among` texts.
Numbers of_other_texts(const Answers& own,
                       const Answers& seen,
                       const Numbers& texts,
                       const Numbers& among,
                       const Limits& limits);

/// Whether the middle eight tenths of gaps are as other rounding leaves them: small (1 - cosine at most .02, a vector off by a
/// fifth of its length) and of like size (the largest at most ten times the smallest). Weights that are otherwise a little
/// different leave them so, too.
bool is_rounding(const std::vector<Gap>& gaps);

} // namespace senteval::same
