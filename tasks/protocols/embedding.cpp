#include "tasks/protocols/embedding.hpp"

namespace senteval::tasks {

EmbeddedPart embed(const Part& part, task::Context& context)
{
    const auto phase = context.clock.phase("embed");
    EmbeddedPart result;
    result.first = context.session.embed(reordered<text::Sentence>(part.first, part.order));
    if (part.pairs())
        result.second = context.session.embed(reordered<text::Sentence>(part.second, part.order));
    return result;
}

} // namespace senteval::tasks
