// sst.hpp -- the Stanford Sentiment Treebank, with two and with five classes.
#pragma once

#include "tasks/readers/source.hpp"

#include <string>

namespace senteval::tasks {

/// Files sentiment-{train,dev,test} of `folder`, UTF-8, one item per line: sentence, TAB, label 0 or
/// 1.
Source sst2_source(const std::string& folder);

/// The same files with lines of a label 0 to 4, a space, and the sentence.
Source sst5_source(const std::string& folder);

} // namespace senteval::tasks
