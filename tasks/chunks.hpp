// chunks.hpp -- the documents of a search, cut into windows of words.
#pragma once

#include "task/chunks.hpp"
#include "tasks/dataset.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::tasks {

/// The last window is the first that reaches the last word. A text without words is one empty window.
std::vector<std::string> windows_of(std::string_view text, task::Chunks chunks);

/// Adds a part "chunks" to a dataset with a corpus, and shows its texts in place of the corpus' to prepare(). Other datasets stay
/// as they are. Judgements are still those of documents.
void cut_documents(Dataset& dataset, task::Chunks chunks);

} // namespace senteval::tasks
