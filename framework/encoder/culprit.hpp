// culprit.hpp -- which sentence of a list an encoder fails on, or ends its process with.
#pragma once

#include "encoder/encoder.hpp"
#include "text/sentence.hpp"

#include <chrono>
#include <functional>
#include <span>
#include <string>

namespace senteval::encoder {

/// Gives sentences to an encoder once more, until context.deadline. What it throws is a failure.
using Again = std::function<void(std::span<const text::Sentence> part, const CallContext& context)>;

/// The end of a message about a failure on a list of sentences, found by one bisection that takes no longer than
/// `budget`:
///
///     ; the sentence that causes it: "a"   it fails on this one alone, and not on others
///     ; other sentences cause it, too      both its first and its last fail alone: no sentence is to blame
///     ; no sentence causes it alone        nor did it happen again
///     ; the search for the sentence that causes it took too long
///
/// Empty where there is one sentence. A sentence on which the encoder hangs takes its share of the budget.
std::string culprit_text(std::span<const text::Sentence> sentences,
                         const Again& again,
                         const CallContext& context,
                         std::chrono::milliseconds budget);

} // namespace senteval::encoder
