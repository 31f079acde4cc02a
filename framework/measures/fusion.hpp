// fusion.hpp -- one ranking of several.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace senteval::measures {

/// A document and its score, by a number that the caller chose: of equal scores the larger number comes first.
struct Listed {
    std::uint32_t document = 0;
    double score = 0;
    bool operator==(const Listed&) const = default;
};

/// Reciprocal ranks (Cormack, Clarke & Büttcher 2009), sums of scores, and sums times the number of lists that hold the document
/// (CombSUM and CombMNZ of Fox & Shaw 1994).
enum class FusionMethod { rrf, sum, mnz };
/// Of the scores of one query's list: to 0..1, or to mean 0 and deviation 1 (over n); a constant list becomes 0.
enum class ScoreScale { min_max, z };

struct Fusion {
    FusionMethod method = FusionMethod::rrf;
    ScoreScale scale = ScoreScale::min_max; ///< not of reciprocal ranks
    double k = 60;                          ///< of reciprocal ranks: w / (k + rank)
    std::vector<double> weights;            ///< of the lists; empty: each has 1
};

/// Fuses the lists of one query, each best first, into one, best first. A document that a list lacks adds 0 there. Sums are made
/// in the order of the lists. Scores that are equal as float32 are equal. Throws base::Error where weights and lists differ in
/// number.
std::vector<Listed> fuse(std::span<const std::vector<Listed>> lists, const Fusion& fusion);

} // namespace senteval::measures
