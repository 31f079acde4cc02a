// ranking.hpp -- image-caption retrieval (SentEval, rank.py and tools/ranking.py): two linear maps into
// one space, trained by a pairwise ranking loss.
#pragma once

#include "embedding/embeddings.hpp"
#include "embedding/normalise.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

namespace senteval::learn {

inline constexpr std::size_t captions_per_image = 5;

/// Images with five captions each: caption i describes image i / 5. A view.
struct CaptionedImages {
    const arma::fmat* images = nullptr;                ///< features x images
    embedding::Embeddings captions;                    ///< 5 x images of them
    const embedding::Normaliser* normaliser = nullptr; ///< of the captions, where they are read
};

struct RankingOptions {
    std::uint32_t seed = 1111;
    std::size_t projection = 1000; ///< dimension of the common space
    float margin = 0.2F;
    std::size_t fold_images = 1000; ///< dev and test are each scored in five parts of this many
                                    ///< images, or of a fifth of what they have, if that is less
    unsigned threads = 1;           ///< the result does not depend on it
    std::stop_token stop;
    std::function<void(std::size_t done, std::size_t total)> progress; ///< passes; an upper bound
};

/// Means over the five parts.
struct Recall {
    double r1 = 0; ///< per cent of the queries whose match is ranked first
    double r5 = 0;
    double r10 = 0;
    double median_rank = 0;
};

/// Recall of captions by images and of images by captions. `images` (n items) and `captions` (5 n items,
/// those of image i at 5 i ... 5 i + 4) are of the same dimension, their columns of length 1; the nearer,
/// the larger their product.
///
/// A match among equals is ranked in their middle (the mean over all orders of them): ranked first, an
/// encoder that tells nothing apart would be perfect; ranked last, it would be worse than chance. A
/// product that is not a number comes after all that are. Items of one column are equal to the last
/// bit, which those of equal columns need not be.
struct RecallBothWays {
    Recall image_to_text; ///< by the best ranked of an image's captions
    Recall text_to_image;
    std::vector<double> image_ranks; ///< of each image's match, from 1
    std::vector<double> caption_ranks;
};

RecallBothWays recall(const embedding::Embeddings& images, const embedding::Embeddings& captions);

struct Ranking {
    double devacc = 0; ///< mean over the parts of the sum of R@1, R@5, R@10 both ways
    Recall image_to_text;
    Recall text_to_image;
    std::size_t passes = 0;
    /// Rank, from 1, of the match of each test image and caption among its part; part by part.
    std::vector<double> image_ranks;
    std::vector<double> caption_ranks;
};

/// Ranks captions of images; those left over after the five parts are not ranked. Throws base::Error where there are
/// less than five images or the captions do not fit the images, and base::Cancelled after a stop was requested.
Ranking rank_captions(const CaptionedImages& train,
                      const CaptionedImages& dev,
                      const CaptionedImages& test,
                      const RankingOptions& options);

} // namespace senteval::learn
