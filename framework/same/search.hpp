// search.hpp -- which one change of an encoder gives another encoder's vectors.
#pragma once

#include "same/agreement.hpp"
#include "same/changes.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace senteval::same {

/// Answers to some texts under a change; nothing where the encoder cannot be changed so.
using Ask = std::function<std::optional<Answers>(const Change& change, const Numbers& texts)>;

/// What is to be explained.
struct Question {
    const std::vector<std::string>& texts;
    const Answers& wanted; ///< the other encoder's
    Limits limits;
    Numbers differing; ///< texts whose vector is another one
    Numbers same;      ///< and is to stay the same
};

struct Causes {
    std::vector<Change> fits = {}; ///< changes under which all vectors are the other's
    std::string named =
        {}; ///< the kind of all of them, where it is one, and no other kind fits the half held out
    std::size_t held_out = 0; ///< differing texts of that half
    std::optional<Change> most =
        {};                 ///< where none fits alone: the one that explains most, at least half
    Numbers explained = {}; ///< differing texts that it explains
};

/// Tries each change, and where none fits, the one that explains most together with each of another kind. Texts are halved by a hash of their bytes: a change fits where it explains both halves and keeps what is
/// the same (32 texts at most). A kind is named only where no other one explains the second half, of at least two texts.
Causes causes_of(const Question& question, const std::vector<Change>& changes, const Ask& ask);

} // namespace senteval::same
