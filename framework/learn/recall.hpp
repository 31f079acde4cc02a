// recall.hpp -- how well matching images and captions find each other.
#pragma once

#include "learn/ranking.hpp"

#include <armadillo>

namespace senteval::learn {

/// Recall of captions by images and of images by captions. `images` (dimension x n) and `captions`
/// (dimension x 5 n, those of image i at 5 i ... 5 i + 4) have columns of length 1; the nearer, the
/// larger their product. Equal scores count as ranked behind.
struct RecallBothWays {
    Recall image_to_text; ///< by the best ranked of an image's captions
    Recall text_to_image;
};

RecallBothWays recall(const arma::fmat& images, const arma::fmat& captions);

} // namespace senteval::learn
