#include "same/search.hpp"

#include "base/fingerprint.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace senteval::same {
namespace {

constexpr std::size_t most_kept = 32;
constexpr std::size_t fewest_held_out = 2;

/// At most so many, in the order of a hash of their bytes, which nothing else depends on, dealt to two halves.
void deal(Numbers numbers,
          std::size_t most,
          const std::vector<std::string>& texts,
          std::array<Numbers, 2>& halves)
{
    std::ranges::sort(numbers, {},
                      [&](std::size_t number) { return base::fingerprint(texts[number]); });
    for (std::size_t i = 0; i < std::min(numbers.size(), most); ++i)
        halves.at(i % 2).push_back(numbers[i]);
}

/// Whether the vectors of these texts are the wanted ones under a change. A few are asked for first: most changes fail there.
bool explains(const Question& question, const Numbers& texts, const Change& change, const Ask& ask)
{
    constexpr std::size_t few = 4;
    for (std::size_t begin = 0, end = 0; begin < texts.size(); begin = end) {
        end = begin == 0 ? std::min(few, texts.size()) : texts.size();
        const Numbers part(texts.begin() + static_cast<std::ptrdiff_t>(begin),
                           texts.begin() + static_cast<std::ptrdiff_t>(end));
        const auto answers = ask(change, part);
        if (!answers || answers->vectors.n_rows != question.wanted.vectors.n_rows ||
            !std::ranges::all_of(gaps_of(*answers, question.wanted, part),
                                 [&](const Gap& gap) { return question.limits.hold(gap); }))
            return false;
    }
    return true;
}

} // namespace

Causes causes_of(const Question& question, const std::vector<Change>& changes, const Ask& ask)
{
    std::array<Numbers, 2> halves;
    deal(question.differing, question.differing.size(), question.texts, halves);
    Causes causes{.held_out = halves[1].size()};
    deal(question.same, most_kept, question.texts, halves);
    std::set<std::string> kinds_held_out;
    std::set<std::string> kinds;
    for (const Change& change : changes) {
        if (!explains(question, halves[1], change, ask))
            continue;
        kinds_held_out.insert(change.cause);
        if (!explains(question, halves[0], change, ask))
            continue;
        kinds.insert(change.cause);
        causes.fits.push_back(change);
    }
    if (kinds.size() == 1 && kinds_held_out.size() == 1 && causes.held_out >= fewest_held_out)
        causes.named = *kinds.begin();
    return causes;
}

} // namespace senteval::same
