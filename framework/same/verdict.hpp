// verdict.hpp -- have two encoders the same vectors, and if not, what is the difference?
#pragma once

#include "same/agreement.hpp"
#include "same/search.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace senteval::same {

/// What an encoder answers to texts that come together, against what it answers to each alone.
struct Pass {
    std::string how;
    std::size_t texts = 0;  ///< asked
    Numbers of_others = {}; ///< that got the vector of another one
    Numbers differing = {}; ///< that got another vector
    Numbers failed = {};    ///< without an answer
    double worst = 0;       ///< 1 - cosine, of `differing`
    std::string error = {}; ///< of the first of `failed`

    [[nodiscard]] bool is_clean() const
    {
        return of_others.empty() && differing.empty() && failed.empty();
    }
};

/// `seen`: answers to these texts, to which there were answers `alone`.
Pass judge_pass(std::string how,
                const Answers& alone,
                const Answers& seen,
                const Numbers& texts,
                const Limits& limits);

/// One of two encoders, asked twice for each text alone: `again` is empty where it is known to repeat itself.
struct Side {
    std::string label;
    Answers first;
    Answers again = {};
    Limits limits = {};    ///< of its own vectors
    Numbers failed = {};   ///< texts that it did not answer
    Numbers unsteady = {}; ///< texts to which it answers another vector the second time
    Numbers steady = {};   ///< the others
    std::vector<Pass> passes = {};
};

/// Sorts the texts. A vector of zeros of an empty text is no answer: a server may not be asked for it.
void judge_side(Side& side, const std::vector<std::string>& texts);

/// A trait that all differing texts have, at most half of the others, and fewer of these than any other trait.
struct Trait {
    std::string what;         ///< "have upper-case letters"; empty: they are the longest
    std::size_t others = 0;   ///< texts that have it, too, and the same vector
    std::size_t shortest = 0; ///< of the differing ones, where they are the longest
    std::size_t longest = 0;  ///< of the others
};

enum class Answer { yes, no, open };

struct Verdict {
    Answer answer = Answer::open;
    std::array<std::size_t, 2> dimensions{};
    Numbers compared; ///< texts that both answered, and steadily
    Numbers same;
    Numbers differing;     ///< the others of those
    std::vector<Gap> gaps; ///< of `differing`; none where dimensions differ
    Numbers
        swapped; ///< of `differing`, those with the first's vector of another of them, and no change fits
    std::size_t direction = 0; ///< texts of one direction, whatever their length
    std::optional<std::size_t>
        unit; ///< the side whose vectors alone have length 1: lengths are left aside then
    bool is_shortened = false; ///< the longer vectors begin with the shorter ones
    bool is_rounding = false;  ///< as is_rounding() says, and no change fits all
    Numbers
        beyond; ///< where it is: texts that differ by more than three times as much; `causes` and `trait` are of these
    std::optional<Trait> trait;
    std::optional<Causes> causes; ///< nothing: no change was looked for
};

/// `lengths`: of the texts. `changed`: the side that `ask` changes; `changes`: made when it is known whether lengths count.
/// Open where no text can be compared, or noise is more than a tenth of what texts differ by.
Verdict judge(const std::array<Side, 2>& sides,
              const std::vector<std::string>& texts,
              const std::vector<std::size_t>& lengths,
              std::size_t changed,
              const std::function<std::vector<Change>(bool lengths_count)>& changes,
              const Ask& ask);

} // namespace senteval::same
