// embedding.hpp -- the embeddings of a part, and the features made of them.
#pragma once

#include "embedding/embeddings.hpp"
#include "learn/features.hpp"
#include "task/task.hpp"
#include "tasks/dataset.hpp"

namespace senteval::tasks {

/// Sentence i is that of item part.order[i]. Lives as long as the session's embeddings do.
struct EmbeddedPart {
    embedding::Embeddings first;
    embedding::Embeddings second; ///< no store for single sentences

    /// `form` is for pairs.
    [[nodiscard]] learn::Features features(learn::PairForm form) const
    {
        return second.store == nullptr ? learn::Features::single(first)
                                       : learn::Features::pair(first, second, form);
    }
};

/// In the phase "embed".
EmbeddedPart embed(const Part& part, task::Context& context);

} // namespace senteval::tasks
