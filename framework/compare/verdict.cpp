#include "compare/verdict.hpp"

#include "compare/across_text.hpp"
#include "compare/formats_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace senteval::compare {
namespace {

/// What there is to say of the tasks where a row has the best value.
struct Standing {
    std::vector<std::string> alone; ///< told from all others
    /// From all against which it has a verdict, by these; others have none against it.
    std::map<std::string, std::vector<std::string>> alone_of_some;
    /// By what others there are that are not told from it, in words.
    std::map<std::string, std::vector<std::string>> shared;
    std::map<std::string, std::vector<std::string>>
        shared_of_some; ///< the same, others having no verdict
};

/// Their names, if they are few.
std::string some(const std::vector<std::string>& names)
{
    return names.size() <= 3 ? fmt::format("{}", fmt::join(names, ", "))
                             : fmt::format("{} others", names.size());
}

/// "a, b have the same scores and c cannot be told from it"
std::string not_worse(const std::vector<std::string>& twins, const std::vector<std::string>& tied)
{
    std::vector<std::string> clauses;
    if (!twins.empty())
        clauses.push_back(
            fmt::format("{} {} the same scores", some(twins), twins.size() == 1 ? "has" : "have"));
    if (!tied.empty())
        clauses.push_back(some(tied) + " cannot be told from it");
    return fmt::format("{}", fmt::join(clauses, " and "));
}

Standing standing_of(const Comparison& comparison, std::size_t best)
{
    Standing standing;
    for (const TaskComparison& task : comparison.tasks) {
        if (task.entries[best].verdict != Verdict::reference)
            continue;
        std::vector<std::string> with_verdict;
        std::vector<std::string> tied;
        std::vector<std::string> twins; // which have the very scores
        bool all = true;
        for (std::size_t row = 0; row < task.entries.size(); ++row) {
            const Entry& entry = task.entries[row];
            if (row == best || entry.verdict == Verdict::missing)
                continue;
            const bool has_verdict = entry.against == best && entry.difference.is_decided();
            all = all && has_verdict;
            if (has_verdict)
                with_verdict.push_back(comparison.rows[row]);
            if (has_verdict && entry.verdict == Verdict::tied)
                (entry.difference.same_scores ? twins : tied).push_back(comparison.rows[row]);
        }
        if (with_verdict.empty())
            continue;
        const std::string name = marked_name(task);
        if (!tied.empty() || !twins.empty())
            (all ? standing.shared : standing.shared_of_some)[not_worse(twins, tied)].push_back(
                name);
        else if (all)
            standing.alone.push_back(name);
        else
            standing.alone_of_some[some(with_verdict)].push_back(name);
    }
    return standing;
}

/// What the verdicts speak of, where there are any.
std::vector<std::string> claim_sentences(const Comparison& comparison)
{
    Sayings claims;
    for (const TaskComparison& task : comparison.tasks)
        if (is_decided(task))
            claims.add(task.population, marked_name(task));
    return claims.texts([](const std::string& claim, const std::string& tasks) {
        return fmt::format("On {} this is about {}.", tasks, claim);
    });
}

/// Who has the best mean rank; the first rows.
std::vector<std::string> best_ranked(const Comparison& comparison)
{
    const AcrossTasks& across = *comparison.across;
    std::vector<std::string> best;
    for (std::size_t at = 0; at < across.rows.size(); ++at)
        if (std::abs(across.mean_ranks[at] - across.mean_ranks.front()) < 1e-9)
            best.push_back(comparison.rows[across.rows[at]]);
    return best;
}

/// ", and is told from b", "; c, d cannot be told from it", of those who are not the best.
std::string best_and_others(const Comparison& comparison, std::size_t best)
{
    const AcrossTasks& across = *comparison.across;
    std::vector<std::string> others;
    for (std::size_t at = best; at < across.rows.size(); ++at)
        if (across.pairs[at - 1].p_value > level) // pairs with the best come first
            others.push_back(comparison.rows[across.rows[at]]);
    if (others.size() > 3)
        return fmt::format("; {} others cannot be told from {}", others.size(),
                           best == 1 ? "it" : "them");
    if (!others.empty())
        return fmt::format("; {} cannot be told from {}", fmt::join(others, ", "),
                           best == 1 ? "it" : "them");
    if (best == across.rows.size())
        return "";
    return fmt::format(" and {} told from {}", best == 1 ? "is" : "are",
                       across.rows.size() == 2 ? comparison.rows[across.rows.back()]
                                               : "all others of them");
}

std::string across_sentence(const Comparison& comparison)
{
    const AcrossTasks& across = *comparison.across;
    const std::vector<std::string> best = best_ranked(comparison);
    std::string sentence =
        fmt::format("Over the {} tasks on which {} encoders can be compared, {} {} the best mean "
                    "rank ({:.2f}){}.",
                    across.tasks.size(), across.rows.size(), fmt::join(best, " and "),
                    best.size() == 1 ? "has" : "share", across.mean_ranks.front(),
                    best_and_others(comparison, best.size()));
    for (const std::string& caveat : caveats_of(comparison))
        sentence += ' ' + caveat;
    return sentence;
}

std::string caption_of_many(const AcrossTasks& across)
{
    return fmt::format(
        "{} tasks; Friedman's test p {:.3g}; Nemenyi's critical difference {:.2f}. Bars join what "
        "Wilcoxon's test, adjusted by Holm, cannot tell apart once Friedman's has found a "
        "difference; about {}.",
        across.tasks.size(), across.friedman.p_value, across.friedman.critical_difference,
        across_population);
}

/// Of two there is one pair: Wilcoxon's test alone decides.
std::string caption_of_two(const AcrossTasks& across)
{
    return fmt::format("{} tasks; Wilcoxon's test p {:.3g}. A bar joins what it cannot tell apart; "
                       "about {}.",
                       across.tasks.size(), across.pairs.front().p_value, across_population);
}

} // namespace

std::vector<std::string> verdict_sentences(const Comparison& comparison)
{
    std::vector<std::string> sentences;
    if (!comparison.tested || comparison.rows.size() < 2)
        return sentences;
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
        const Standing standing = standing_of(comparison, row);
        std::vector<std::string> parts;
        if (!standing.alone.empty())
            parts.push_back(fmt::format("is the best on {}", fmt::join(standing.alone, ", ")));
        for (const auto& [others, tasks] : standing.alone_of_some)
            parts.push_back(fmt::format("is better than {} on {}, where nobody else has a verdict "
                                        "against it",
                                        others, fmt::join(tasks, ", ")));
        for (const auto& [others, tasks] : standing.shared)
            parts.push_back(
                fmt::format("has the best value on {}, where {}", fmt::join(tasks, ", "), others));
        for (const auto& [others, tasks] : standing.shared_of_some)
            parts.push_back(
                fmt::format("has the best value of those with a verdict on {}, where {}",
                            fmt::join(tasks, ", "), others));
        if (!parts.empty())
            sentences.push_back(
                fmt::format("{} {}.", comparison.rows[row], fmt::join(parts, "; ")));
    }
    std::ranges::move(claim_sentences(comparison), std::back_inserter(sentences));
    std::ranges::move(why_no_verdicts(comparison), std::back_inserter(sentences));
    if (comparison.across && !comparison.across->rows.empty())
        sentences.push_back(across_sentence(comparison));
    return sentences;
}

report::RankDiagram rank_diagram(const Comparison& comparison)
{
    report::RankDiagram diagram;
    if (!comparison.across)
        return diagram;
    const AcrossTasks& across = *comparison.across;
    diagram.left_out = left_out_in_words(across);
    if (across.rows.empty())
        return diagram;
    diagram.tasks = across.tasks;
    diagram.caption = across.rows.size() > 2 ? caption_of_many(across) : caption_of_two(across);
    for (const std::string& caveat : caveats_of(comparison))
        diagram.caption += ' ' + caveat;
    for (const std::size_t row : across.rows)
        diagram.encoders.push_back(comparison.rows[row]);
    diagram.mean_ranks = across.mean_ranks;
    diagram.ranks = across.ranks;
    diagram.groups = across.groups;
    return diagram;
}

} // namespace senteval::compare
