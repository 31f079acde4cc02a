// recall.hpp -- how well matching images and captions find each other.
#pragma once

#include "embedding/embeddings.hpp"
#include "learn/ranking.hpp"

#include <vector>

namespace senteval::learn {

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

} // namespace senteval::learn
