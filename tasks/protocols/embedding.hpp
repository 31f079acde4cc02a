// embedding.hpp -- the embeddings of a part, and the features made of them.
#pragma once

#include "embedding/embeddings.hpp"
#include "learn/features.hpp"
#include "task/task.hpp"
#include "tasks/dataset.hpp"

#include <vector>

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

/// A part as the learn room sees it, and what keeps that alive. `view` is made of the features and of
/// the part's labels or scores (`targets`), both in the order of evaluation.
template <typename View, typename Target, std::vector<Target> Part::*targets>
struct LearnPart {
    LearnPart(const Part& part,
              task::Context& context,
              learn::PairForm form = learn::PairForm::difference_product)
        : embedded(embed(part, context)),
          ordered(reordered<Target>(part.*targets, part.order)),
          view{embedded.features(form), ordered}
    {
    }
    LearnPart(const LearnPart&) = delete;
    LearnPart& operator=(const LearnPart&) = delete;
    LearnPart(LearnPart&&) = delete;
    LearnPart& operator=(LearnPart&&) = delete;
    ~LearnPart() = default;

    EmbeddedPart embedded;
    std::vector<Target> ordered;
    View view;
};

} // namespace senteval::tasks
