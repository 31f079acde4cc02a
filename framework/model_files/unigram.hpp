// unigram.hpp -- the path of pieces over a word with the largest sum of scores.
#pragma once

#include "model_files/added_tokens.hpp"
#include "model_files/trie.hpp"

#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace senteval::model_files {

/// The best path that ends at a place: its sum, and where its last piece begins.
struct UnigramStep {
    static constexpr Id unknown = -1; ///< a character without a piece

    double score = -std::numeric_limits<double>::infinity();
    std::size_t begin = 0;
    Id piece = unknown;
};

/// The best path that ends at each place in `word`, of equals the one whose last piece is longest. `scores` has one
/// for each value of `pieces`. A character without a piece of its own may be passed at `unknown_score`. The time is
/// that of the word times the longest piece.
std::vector<UnigramStep> best_paths(std::string_view word,
                                    const Trie& pieces,
                                    std::span<const double> scores,
                                    double unknown_score);

} // namespace senteval::model_files
