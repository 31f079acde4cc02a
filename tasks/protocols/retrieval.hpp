// retrieval.hpp -- finding the image of a caption and the captions of an image.
#pragma once

#include "tasks/protocols/protocol.hpp"

namespace senteval::tasks {

/// Parts "train", "dev" and "test" with images. Metrics: devacc (the sum of the recalls both ways), acc
/// (the original's two lists of R@1, R@5, R@10 and median rank: image to text, text to image), the same
/// by name under image_to_text and text_to_image, and ndev and ntest (captions). Dev and test are ranked
/// in five parts of 1000 images; where there are fewer than 5000, in five smaller ones.
Protocol retrieval_protocol();

} // namespace senteval::tasks
