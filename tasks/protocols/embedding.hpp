// embedding.hpp -- the embeddings of a part, and the features made of them.
#pragma once

#include "encoder/session.hpp"
#include "learn/features.hpp"
#include "task/task.hpp"
#include "tasks/dataset.hpp"

namespace senteval::tasks {

/// Sentence i is that of item part.order[i]. Lives as long as the session's embeddings do.
struct EmbeddedPart {
    encoder::Embeddings first;
    encoder::Embeddings second; ///< empty for single sentences

    /// A view of this object. `form` is for pairs.
    [[nodiscard]] learn::Features features(learn::PairForm form) const
    {
        const learn::Columns u{first.store, first.columns};
        return second.store == nullptr
                   ? learn::Features::single(u)
                   : learn::Features::pair(u, {second.store, second.columns}, form);
    }
};

/// In the phase "embed".
EmbeddedPart embed(const Part& part, task::Context& context);

} // namespace senteval::tasks
