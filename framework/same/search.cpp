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

/// Those of the texts whose vectors are the wanted ones under a change. A few are asked for first: most changes explain none of
/// these.
Numbers
explained(const Question& question, const Numbers& texts, const Change& change, const Ask& ask)
{
    constexpr std::size_t few = 4;
    Numbers found;
    for (std::size_t begin = 0, end = 0; begin < texts.size(); begin = end) {
        end = begin == 0 ? std::min(few, texts.size()) : texts.size();
        const Numbers part(texts.begin() + static_cast<std::ptrdiff_t>(begin),
                           texts.begin() + static_cast<std::ptrdiff_t>(end));
        const auto answers = ask(change, part);
        if (!answers || answers->vectors.n_rows != question.wanted.vectors.n_rows)
            return {};
        for (const std::size_t text : part)
            if (question.limits.hold(gap_of(answers->vector(text), question.wanted.vector(text))))
                found.push_back(text);
        if (found.empty())
            return {};
    }
    return found;
}

/// The changes that explain all, and the one that explains most.
Causes single_causes(const Question& question, const std::vector<Change>& changes, const Ask& ask)
{
    std::array<Numbers, 2> halves;
    deal(question.differing, question.differing.size(), question.texts, halves);
    Causes causes{.held_out = halves[1].size()};
    deal(question.same, most_kept, question.texts, halves);
    std::set<std::string> kinds_held_out;
    std::set<std::string> kinds;
    for (const Change& change : changes) {
        Numbers texts = explained(question, halves[1], change, ask);
        if (texts.empty() && !halves[1].empty())
            continue;
        const bool is_held_out = texts.size() == halves[1].size();
        if (is_held_out)
            kinds_held_out.insert(change.cause);
        std::ranges::copy(explained(question, halves[0], change, ask), std::back_inserter(texts));
        if (texts.size() == halves[0].size() + halves[1].size()) {
            kinds.insert(change.cause);
            causes.fits.push_back(change);
            continue;
        }
        std::erase_if(texts, [&](std::size_t text) {
            return !std::ranges::binary_search(question.differing, text);
        });
        if (texts.size() > causes.explained.size() &&
            2 * texts.size() >= question.differing.size()) {
            std::ranges::sort(texts);
            causes.most = change;
            causes.explained = std::move(texts);
        }
    }
    if (kinds.size() == 1 && kinds_held_out.size() == 1 && causes.held_out >= fewest_held_out)
        causes.named = *kinds.begin();
    return causes;
}

/// Both changes, the second to what the first leaves.
Change both_of(const Change& first, const Change& second)
{
    Change both{first.cause + " and " + second.cause, first.what + " and " + second.what,
                first.settings};
    both.settings.insert(both.settings.end(), second.settings.begin(), second.settings.end());
    if (first.text && second.text)
        both.text = [a = first.text, b = second.text](std::string_view text) { return b(a(text)); };
    else
        both.text = first.text ? first.text : second.text;
    return both;
}

} // namespace

Causes causes_of(const Question& question, const std::vector<Change>& changes, const Ask& ask)
{
    Causes causes = single_causes(question, changes, ask);
    if (!causes.fits.empty() || !causes.most)
        return causes;
    const Change& most = *causes.most;
    std::vector<Change> others;
    std::ranges::copy_if(changes, std::back_inserter(others),
                         [&](const Change& change) { return change.cause != most.cause; });
    Question rest{question.texts, question.wanted, question.limits, {}, question.same};
    for (const std::size_t text : question.differing)
        (std::ranges::binary_search(causes.explained, text) ? rest.same : rest.differing)
            .push_back(text);
    Causes second = single_causes(rest, others, [&](const Change& change, const Numbers& texts) {
        return ask(both_of(most, change), texts);
    });
    for (const Change& fit : second.fits)
        causes.fits.push_back(both_of(most, fit));
    causes.held_out = second.held_out;
    if (!second.named.empty())
        causes.named = causes.fits.front().cause;
    return causes;
}

} // namespace senteval::same
