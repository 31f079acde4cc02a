// bitext.hpp -- each sentence looks for its translation among those of all others.
#pragma once

#include "tasks/protocols/protocol.hpp"

namespace senteval::tasks {

/// Part "test": pairs of translations. Items: the first sentences. Of several nearest ones the first is found. Metrics as
/// MTEB (2.20) has them, each row being a class: f1 (2 / (1 + n) for a right row that n rows found), precision (1 / n),
/// accuracy.
Protocol bitext_protocol();

} // namespace senteval::tasks
