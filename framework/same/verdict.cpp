#include "same/verdict.hpp"

#include <algorithm>
#include <limits>

namespace senteval::same {
namespace {

bool has(const Numbers& numbers, std::size_t number)
{
    return std::ranges::binary_search(numbers, number);
}

std::optional<Trait> trait_of(const std::vector<std::string>& texts,
                              const std::vector<std::size_t>& lengths,
                              const Numbers& differing,
                              const Numbers& same)
{
    if (differing.empty() || same.empty())
        return std::nullopt;
    std::optional<Trait> best;
    const auto consider = [&](Trait trait, const auto& is_of) {
        trait.others = static_cast<std::size_t>(std::ranges::count_if(same, is_of));
        if (std::ranges::all_of(differing, is_of) && 2 * trait.others <= same.size() &&
            (!best || trait.others < best->others))
            best = std::move(trait);
    };
    const auto length = [&](std::size_t text) { return lengths[text]; };
    const std::size_t shortest = length(*std::ranges::min_element(differing, {}, length));
    const std::size_t longest = length(*std::ranges::max_element(same, {}, length));
    consider(Trait{"", 0, shortest, longest},
             [&](std::size_t text) { return length(text) >= shortest; });
    for (const Change& change : text_changes())
        consider(Trait{change.trait},
                 [&](std::size_t text) { return change.text(texts[text]) != texts[text]; });
    return best;
}

/// Whether the longer vectors begin with the shorter ones.
bool begin_alike(const Answers& a, const Answers& b, const Numbers& texts, const Limits& limits)
{
    const std::size_t size = std::min(a.vectors.n_rows, b.vectors.n_rows);
    return std::ranges::all_of(texts, [&](std::size_t text) {
        return gap_of(a.vector(text).first(size), b.vector(text).first(size)).direction <=
               limits.direction;
    });
}

} // namespace

Pass judge_pass(std::string how,
                const Answers& alone,
                const Answers& seen,
                const Numbers& texts,
                const Limits& limits)
{
    Pass pass{.how = std::move(how), .texts = texts.size()};
    Numbers answered;
    for (const std::size_t text : texts)
        (seen.errors[text].empty() ? answered : pass.failed).push_back(text);
    if (!pass.failed.empty())
        pass.error = seen.errors[pass.failed.front()];
    pass.of_others = of_other_texts(alone, seen, answered, answered, limits);
    for (const std::size_t text : answered)
        if (const Gap gap = gap_of(alone.vector(text), seen.vector(text));
            !limits.hold(gap) && !has(pass.of_others, text)) {
            pass.differing.push_back(text);
            pass.worst = std::max(pass.worst, gap.direction);
        }
    return pass;
}

void judge_side(Side& side, const std::vector<std::string>& texts)
{
    const bool is_asked_again = !side.again.errors.empty();
    Numbers answered;
    for (std::size_t text = 0; text < texts.size(); ++text) {
        const bool is_unasked = texts[text].empty() && is_zero(side.first.vector(text));
        const bool is_lost = !side.first.errors[text].empty() ||
                             (is_asked_again && !side.again.errors[text].empty());
        (is_unasked || is_lost ? side.failed : answered).push_back(text);
    }
    if (is_asked_again)
        side.limits = limits_of(gaps_of(side.first, side.again, answered));
    for (const std::size_t text : answered)
        (is_asked_again &&
                 !side.limits.hold(gap_of(side.first.vector(text), side.again.vector(text)))
             ? side.unsteady
             : side.steady)
            .push_back(text);
}

Verdict judge(const std::array<Side, 2>& sides,
              const std::vector<std::string>& texts,
              const std::vector<std::size_t>& lengths,
              std::size_t changed,
              const std::function<std::vector<Change>(bool lengths_count)>& changes,
              const Ask& ask)
{
    const Answers& a = sides[0].first;
    const Answers& b = sides[1].first;
    Verdict verdict;
    verdict.dimensions = {a.vectors.n_rows, b.vectors.n_rows};
    std::ranges::copy_if(sides[0].steady, std::back_inserter(verdict.compared),
                         [&](std::size_t text) { return has(sides[1].steady, text); });
    const Numbers& all = verdict.compared;
    Limits limits;
    bool is_clean = true; // but for the differences between them
    for (const Side& side : sides) {
        limits.direction = std::max(limits.direction, side.limits.direction);
        limits.length = std::max(limits.length, side.limits.length);
        is_clean = is_clean && side.unsteady.empty() &&
                   std::ranges::all_of(side.passes, &Pass::is_clean) &&
                   std::ranges::all_of(side.failed, [&](auto text) { return texts[text].empty(); });
    }
    constexpr double far = 10; // two texts, against one asked for twice
    const bool is_noisy = limits.direction > Limits().direction;
    if (all.empty() || (is_noisy && far * limits.direction >=
                                        std::min(usual_distance(a, all), usual_distance(b, all))))
        return verdict;

    const bool are_comparable = verdict.dimensions[0] == verdict.dimensions[1];
    if (are_unit(a, all) != are_unit(b, all))
        verdict.unit = are_unit(a, all) ? 0 : 1;
    Limits searched = limits;
    if (verdict.unit)
        searched.length = std::numeric_limits<double>::infinity();
    Question question{texts, sides[1 - changed].first, searched, {}, {}};
    for (const std::size_t text : all) {
        const Gap gap = are_comparable ? gap_of(a.vector(text), b.vector(text)) : Gap{1, 1};
        verdict.direction += gap.direction <= limits.direction ? 1U : 0U;
        (searched.hold(gap) ? question.same : question.differing).push_back(text);
        (limits.hold(gap) ? verdict.same : verdict.differing).push_back(text);
        if (are_comparable && !limits.hold(gap))
            verdict.gaps.push_back(gap);
    }
    verdict.answer = verdict.differing.empty() && is_clean ? Answer::yes : Answer::no;
    verdict.is_shortened = !are_comparable && begin_alike(a, b, all, limits);
    if (question.differing.empty() || verdict.is_shortened)
        return verdict;
    const auto list = changes(!verdict.unit);
    verdict.causes = causes_of(question, list, ask);
    if (are_comparable && verdict.causes->fits.empty()) {
        verdict.swapped = of_other_texts(a, b, verdict.differing, verdict.differing, limits);
        const auto gaps = gaps_of(a, b, all);
        verdict.is_rounding = is_rounding(gaps);
        if (verdict.is_rounding) { // it is noise beside what differs for another cause
            question.limits = {3 * quantile(gaps, .9), std::numeric_limits<double>::infinity()};
            question.same.clear();
            for (std::size_t at = 0; at < all.size(); ++at)
                (question.limits.hold(gaps[at]) ? question.same : verdict.beyond)
                    .push_back(all[at]);
            question.differing = verdict.beyond;
            if (!verdict.beyond.empty())
                verdict.causes = causes_of(question, list, ask);
        }
    }
    verdict.trait = trait_of(texts, lengths, question.differing, question.same);
    return verdict;
}

} // namespace senteval::same
