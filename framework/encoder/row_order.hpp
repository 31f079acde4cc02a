// row_order.hpp -- are a batch's vectors those of its sentences, in another order?
#pragma once

#include <armadillo>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace senteval::encoder {

/// The column of `rows` (dimension x n) that `alone`, the vector of sentence `own` encoded by itself, belongs to: `own`
/// where that is a hundredth of its length away at most; else the nearest, if ten times nearer than `own`; else none.
[[nodiscard]] std::optional<std::size_t>
place_of(std::span<const float> alone, const arma::fmat& rows, std::size_t own);

/// Whether there are several rows, equal to the bit.
[[nodiscard]] bool are_equal(const arma::fmat& rows);

/// The first sentence whose row is that of another one, where all `rows` are the vector of one sentence, or where `rows` are, sentence for sentence, the vectors `alone`
/// (both dimension x n) in another order. Nothing where a single vector is nowhere: an encoder may look at a
/// sentence's neighbours or at its place, and then some vectors resemble one another by chance.
[[nodiscard]] std::optional<std::size_t> misplaced_row(const arma::fmat& alone,
                                                       const arma::fmat& rows);

/// The same in words, for the sentences `text(i)`; empty where there is none.
[[nodiscard]] std::string wrong_order(const arma::fmat& alone,
                                      const arma::fmat& rows,
                                      const std::function<std::string_view(std::size_t)>& text);

} // namespace senteval::encoder
