// training.hpp -- whether a classifier was trained far enough for its score to speak of the encoder.
#pragma once

#include "learn/settings.hpp"
#include "learn/validation.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::tasks {

/// Sentences for the user; none where all is well. `items` are those that a tested model learned from.
///
/// The network heads stop soon after the dev score does, however few steps that took, and a step of Adam
/// and its like moves a weight by no more than about the learning rate. So steps times learning rate is
/// how far weights can have come from their start. Below 1 they have not arrived: on parts of CR and TREC
/// with 50 to 1600 items (GloVe, the default settings, 28 to 960 steps) softmax regression was 2 to 28
/// points behind the convex classifier, on 8 of 11 of them more than 5.
std::vector<std::string> training_warnings(const learn::Validation& found,
                                           const learn::Settings& settings,
                                           std::size_t items);

} // namespace senteval::tasks
