// claims.hpp -- are the rows of batches those of their sentences, and do an encoder's capabilities hold? Tried on a
// sample of a task's sentences.
#pragma once

#include "base/error.hpp"
#include "encoder/encoder.hpp"
#include "encoder/sentences.hpp"

#include <armadillo>

#include <cstddef>
#include <optional>
#include <span>

namespace senteval::encoder {

/// Rows are not what the encoder claims, or not those of their sentences.
class WrongRows : public base::Error {
public:
    using base::Error::Error;
};

/// The place where two vectors of one dimension differ most, and by how much of the largest element of both: infinite
/// where that is no number, or only one of them is SENTEVAL_NOT_FOUND_BY_QUERY.
struct Difference {
    double size = 0;
    std::size_t at = 0;
};
[[nodiscard]] Difference difference(std::span<const float> a, std::span<const float> b);

/// The largest difference between vectors that are the same: sums in another order, in half precision.
inline constexpr double rounding = 1e-3;

/// Row `row` of a batch is the vector of sentence `owner`.
struct Misplaced {
    std::size_t row = 0;
    std::size_t owner = 0;
};

/// The first row that is another sentence's, where `rows` are the vectors `alone` (both dimension x n) in another order,
/// or all are one of them. Nothing where a single row is nowhere in `alone`: an encoder may look at a sentence's
/// neighbours or at its place, and then some vectors resemble one another by chance.
[[nodiscard]] std::optional<Misplaced> misplaced_row(const arma::fmat& alone,
                                                     const arma::fmat& rows);

/// The first row that is what one other sentence has alone, and not what its own has: as a run looks for them.
[[nodiscard]] std::optional<Misplaced> foreign_row(const arma::fmat& alone, const arma::fmat& rows);

/// Sentences of one role that were encoded, batch by batch, perhaps on several threads.
struct Encoded {
    std::span<const Slot> slots;
    std::size_t dimension = 0;
    std::size_t batch_size = 1;
    bool overlapped = false; ///< calls ran at the same time
};

/// Encodes a sample again, one call at a time. Of a batch-invariant encoder: one sentence of 512, at least 2 and at
/// most 8, alone and in another order, and, where calls overlapped, a part of one batch. Of one that is only concurrent
/// and deterministic: one batch, where calls overlapped. Throws WrongRows that names the capability, the sentence and
/// both values, or the sentences that changed places.
void check_claims(Encoder& encoder, const Encoded& encoded, const CallContext& context);

/// Encodes the sentence of that number alone, and, where its batch has its vector at another place, all of them. Throws
/// WrongRows where the batch has the vectors of its sentences alone, in another order, and where one other sentence
/// of the whole task has its vector, and has another one alone.
void check_order(Encoder& encoder,
                 const Encoded& batch,
                 std::size_t number,
                 std::span<const Slot> task,
                 const CallContext& context);

} // namespace senteval::encoder
