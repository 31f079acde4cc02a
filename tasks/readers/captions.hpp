// captions.hpp -- images, as feature vectors, and their captions.
//
// In a folder, for each of train, valid and test:
//   <part>.images.npy    float32, images x features (see npy.hpp)
//   <part>.captions.tsv  UTF-8, one caption per line: number of the image (a row of the array, from
//                        0), TAB, caption; the captions of an image together, images in order
// Captions are tokenised and end as they are to be encoded. samples/convert_coco.py writes this from
// the pickles of the original.
#pragma once

#include "task/data_folder.hpp"
#include "tasks/dataset.hpp"
#include "tasks/readers/npy.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::tasks {

inline constexpr std::size_t captions_per_image = 5;

/// Caption i of the part belongs to row i / 5 of the images; captions are evaluated in lexical
/// order, as the original sorts them.
struct CaptionedPart {
    Part captions;
    NpyMatrix images;
};

struct CaptionData {
    text::Arena arena;
    CaptionedPart train, dev, test;
    std::vector<text::Sentence> samples; ///< train, dev and test captions, in file order
};

/// The six files of `folder`.
std::vector<std::string> caption_files(const std::string& folder);

/// Keeps the first five captions of each image. Throws core::Error naming file and line where an
/// image has fewer, is left out, or does not exist.
CaptionData read_captions(task::DataFolder& data, const std::string& folder);

} // namespace senteval::tasks
