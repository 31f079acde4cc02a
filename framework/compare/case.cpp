#include "compare/case.hpp"

#include "compare/columns.hpp"
#include "compare/equivalence.hpp"
#include "compare/seed_table.hpp"
#include "stats/multiple.hpp"
#include "stats/quantile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace senteval::compare {
namespace {

/// NaN where there is none.
double median(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return std::isnan(value); });
    constexpr double most = 1e300; // infinities have no mean
    for (double& value : values)
        value = std::min(value, most);
    const double middle = stats::quantile(values, 0.5);
    return middle < most / 4 ? middle : middle * std::numeric_limits<double>::infinity();
}

/// Of several that are one but for rounding the first, as on other tasks.
std::size_t first_of_same(std::size_t row, const Inference& inference)
{
    for (const auto& [a, b] : inference.same_scores())
        if (a == row || b == row)
            row = std::min({row, a, b});
    return row;
}

/// The best of those of which some comparison has a verdict: beside a row of which none has, of one seed, say, the
/// others keep theirs. Where none has any it is the best of all.
std::size_t best_among(std::vector<std::size_t> rows, const Case& one)
{
    const auto value = [&](std::size_t row) { return one.column.entries[row].score.value; };
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
        return one.column.metric.is_better(value(a), value(b));
    });
    const auto has_verdict = [&](std::size_t row) {
        return std::ranges::any_of(rows, [&](std::size_t other) {
            return other != row && one.inference.difference(row, other).is_decided();
        });
    };
    const auto at = std::ranges::find_if(rows, has_verdict);
    return at == rows.end() ? rows.front() : *at;
}

/// The best row of each set of rows that can be compared; first the best of the task, unless it can be compared with
/// no other: then that of the set with the most.
std::vector<std::size_t> bests_to_test(const Case& one)
{
    const auto best = best_of(one.column);
    if (!best)
        return {};
    std::vector<std::vector<std::size_t>> sets;
    for (std::size_t row = 0; row < one.column.entries.size(); ++row)
        if (auto set = one.inference.comparable_with(row);
            set.size() > 1 && std::ranges::find(sets, set) == sets.end())
            sets.push_back(std::move(set));
    std::ranges::stable_sort(sets, [&](const auto& a, const auto& b) {
        return std::pair(std::ranges::count(a, *best), a.size()) >
               std::pair(std::ranges::count(b, *best), b.size());
    });
    std::vector<std::size_t> bests;
    bests.reserve(sets.size());
    for (const auto& set : sets)
        bests.push_back(first_of_same(best_among(set, one), one.inference));
    if (bests.empty())
        bests.push_back(*best);
    return bests;
}

Verdict verdict_of(const Difference& difference, double p_adjusted, const task::Metric& metric)
{
    if (std::isnan(p_adjusted))
        return Verdict::not_comparable;
    if (!difference.undecided.empty())
        return Verdict::undecided;
    if (p_adjusted > level)
        return Verdict::tied;
    return metric.is_better(difference.value, 0) ? Verdict::better : Verdict::worse;
}

/// The best value is called so where a verdict says of some row that it is, or is not, as good.
void mark_references(Case& one)
{
    auto& entries = one.column.entries;
    for (const Judged& judged : one.with_best)
        for (const std::size_t row : judged.rows())
            entries[row].is_best = false; // whatever its value is
    for (std::size_t set = 0; set < one.bests.size(); ++set) {
        std::size_t others = 0;
        bool decided = false;
        for (std::size_t row = 0; row < entries.size(); ++row)
            if (const Difference& to_best = entries[row].to_best;
                !std::isnan(to_best.value) && one.set_of(row) == set) {
                ++others;
                decided = decided || to_best.is_decided();
                if (entries[row].among_best && to_best.value == 0)
                    entries[row].is_best = true;
            }
        entries[one.bests[set]].is_best = true;
        entries[one.bests[set]].among_best = decided;
        entries[one.bests[set]].alone = others == 0;
    }
}

void judge_row(Case& one, std::size_t row, const Options& options)
{
    Entry& entry = one.column.entries[row];
    const task::Metric& metric = one.column.metric;
    if (std::isnan(entry.score.value))
        return;
    const std::size_t set = one.set_of(row);
    if (const std::size_t best = one.bests[set]; best != row) {
        entry.to_best = one.with_best[set].difference(row, best);
        entry.among_best = entry.to_best.is_decided() &&
                           one.with_best[set].adjusted(entry.to_best.p_value) > level;
    }
    entry.against = one.reference(row);
    if (entry.against == row) {
        entry.verdict = Verdict::reference;
        return;
    }
    const Judged& judged = one.with_reference(row);
    entry.difference = judged.difference(row, entry.against);
    if (std::isnan(entry.difference.value))
        entry.difference.not_comparable = "the baseline has no value";
    entry.p_adjusted = judged.adjusted(entry.difference.p_value);
    entry.verdict = verdict_of(entry.difference, entry.p_adjusted, metric);
    const auto point = points(metric);
    if (options.margin > 0 && point && entry.difference.is_decided())
        entry.p_equivalent =
            p_of_equivalence(judged, row, entry.against, entry.difference, options.margin * *point);
}

PairComparison
pair_of(const Case& one, const Judged& judged, std::size_t a, std::size_t b, const Options& options)
{
    PairComparison pair{a, b, judged.difference(a, b)};
    pair.p_adjusted = judged.adjusted(pair.difference.p_value);
    pair.verdict = verdict_of(pair.difference, pair.p_adjusted, one.column.metric);
    const auto point = points(one.column.metric);
    if (options.margin > 0 && point && pair.difference.is_decided())
        pair.p_equivalent =
            p_of_equivalence(judged, a, b, pair.difference, options.margin * *point);
    return pair;
}

/// All pairs, and the letters of what they do not tell apart; from the best row to the worst. Those that cannot be
/// compared share none.
void judge_pairs(Case& one, const Options& options)
{
    auto& entries = one.column.entries;
    std::vector<std::size_t> rows;
    for (const Judged& judged : one.with_best)
        rows.insert(rows.end(), judged.rows().begin(), judged.rows().end());
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
        return one.column.metric.is_better(entries[a].score.value, entries[b].score.value);
    });
    std::vector<std::vector<bool>> different(rows.size(), std::vector<bool>(rows.size()));
    std::vector<bool> decided(rows.size()); // whether any of its pairs is
    for (std::size_t a = 0; a < rows.size(); ++a)
        for (std::size_t b = a + 1; b < rows.size(); ++b) {
            different[a][b] = one.set_of(rows[a]) != one.set_of(rows[b]);
            if (different[a][b])
                continue;
            const Judged& judged = one.with_best[one.set_of(rows[a])];
            PairComparison pair = pair_of(one, judged, rows[a], rows[b], options);
            if (pair.difference.is_decided()) {
                decided[a] = decided[b] = true;
                different[a][b] = pair.p_adjusted <= level;
            }
            one.column.pairs.push_back(std::move(pair));
        }
    std::vector<std::size_t> with_verdict;
    for (std::size_t at = 0; at < rows.size(); ++at)
        if (decided[at])
            with_verdict.push_back(at);
    std::vector<std::vector<bool>> of_those(with_verdict.size());
    for (std::size_t a = 0; a < with_verdict.size(); ++a)
        for (const std::size_t b : with_verdict)
            of_those[a].push_back(different[with_verdict[a]][b]);
    if (with_verdict.empty())
        return;
    const auto letters = stats::group_letters(of_those);
    for (std::size_t at = 0; at < with_verdict.size(); ++at)
        entries[rows[with_verdict[at]]].letters = letters[at];
}

/// Why there are several sets of rows; empty where there is one.
std::string why_sets(const Case& one)
{
    return one.bests.size() < 2
               ? ""
               : one.inference.difference(one.bests[0], one.bests[1]).not_comparable;
}

/// Rows by what something about them speaks of.
using Populations = std::map<stats::Population, std::vector<std::string>>;

/// In words; where they differ, each of them with its rows.
std::string in_words(const Populations& populations, bool trained)
{
    if (populations.empty())
        return "";
    if (!trained || populations.size() == 1)
        return words_for(populations.rbegin()->first, trained);
    std::vector<std::string> parts;
    parts.reserve(populations.size());
    for (const auto& [population, rows] : populations)
        parts.push_back(
            fmt::format("of {}: {}", fmt::join(rows, ", "), words_for(population, trained)));
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// Where what is known of seeds and training sets comes from, and what of it does not count; after what speaks of
/// the population, if any.
std::string sources_in_words(const Case& one, stats::Population widest)
{
    if (!one.inference.trained())
        return "";
    const auto any = [&](auto is) { return std::ranges::any_of(one.column.entries, is); };
    const bool several_seeds = any([](const Entry& entry) { return entry.score.seeds > 1; });
    const bool one_seed = any([](const Entry& entry) { return entry.score.seeds == 1; });
    const auto few_are_told = [&](SeedsTold by) {
        return any([&](const Entry& entry) {
            return entry.score.seeds < enough_seeds && entry.score.seeds_told == by;
        });
    };
    std::string source = one.inference.seed_source();
    if (few_are_told(SeedsTold::by_own_and_others))
        source += ", and these few";
    if (few_are_told(SeedsTold::by_own))
        source +=
            fmt::format("{}these few alone (run with --seeds 5)", source.empty() ? "" : ", or ");
    std::string text;
    if (widest >= stats::Population::seeds && !source.empty())
        text += fmt::format("; {}, how much seeds matter is from {}",
                            several_seeds ? "where fewer than four seeds are there"
                                          : "one seed each is there",
                            source);
    if (widest == stats::Population::items && one_seed && is_decided(one.column))
        text += several_seeds
                    ? "; where one seed is there it says nothing of its encoder under others"
                    : "; the one seed that is there says nothing of an encoder under others";
    if (one.inference.has_few_halves())
        text += fmt::format("; fewer than {} resampled training sets do not count",
                            stats::fewest_halves);
    return text;
}

/// What the comparisons of the task and the intervals of its scores speak of.
void say_populations(Case& one, std::span<const std::string> labels)
{
    Populations compared;
    Populations scores;
    for (std::size_t row = 0; row < one.column.entries.size(); ++row) {
        const Entry& entry = one.column.entries[row];
        if (entry.difference.is_decided()) // of others nothing is claimed
            compared[entry.difference.population].push_back(labels[row]);
        if (!std::isnan(entry.score.interval.low))
            scores[entry.score.population].push_back(labels[row]);
    }
    Populations further; // pairs that speak of what no row does
    for (const PairComparison& pair : one.column.pairs)
        if (pair.difference.is_decided() && !compared.contains(pair.difference.population))
            further[pair.difference.population].push_back(
                fmt::format("{} against {}", labels[pair.first], labels[pair.second]));
    compared.merge(further);
    const bool trained = one.inference.trained();
    const bool decided = is_decided(one.column);
    std::string& population = one.column.population;
    std::string& of_scores = one.column.score_population;
    population = in_words(compared, trained);
    of_scores = in_words(scores, trained);
    if (decided && scores.size() == 1 && population == of_scores)
        of_scores.clear();
    if (trained && compared.size() > 1)
        population = "populations that differ by comparison: " + population;
    if (trained && scores.size() > 1)
        of_scores = "what differs by row: " + of_scores;
    if (decided)
        population += sources_in_words(one, compared.rbegin()->first);
    else if (!scores.empty())
        of_scores += sources_in_words(one, scores.rbegin()->first);
}

/// By the comparisons that are shown.
void say_detectable(TaskComparison& task)
{
    std::vector<double> detectable;
    const auto add = [&](const Difference& difference) {
        if (difference.is_decided() &&
            !std::isnan(difference.detectable)) // else none would be found
            detectable.push_back(difference.detectable);
    };
    for (const PairComparison& pair : task.pairs)
        add(pair.difference);
    for (std::size_t row = 0; row < task.entries.size() && task.pairs.empty(); ++row)
        add(task.entries[row].difference);
    if (!detectable.empty()) {
        const auto [least, most] = std::ranges::minmax_element(detectable);
        task.detectable_range = {*least, *most};
    }
    task.detectable = median(std::move(detectable));
}

} // namespace

std::size_t Case::set_of(std::size_t row) const
{
    for (std::size_t set = 0; set < with_best.size(); ++set)
        if (std::ranges::count(with_best[set].rows(), row) > 0)
            return set;
    return 0;
}

Case open_case(const Results& results,
               std::size_t task,
               const task::Metric& metric,
               std::optional<std::size_t> baseline,
               const Options& options)
{
    stats::Resampling alone = options.resampling;
    alone.threads = 1; // tasks are what runs in parallel
    Inference inference(results, task, metric, alone, options.population,
                        options.family != Family::none);
    auto column =
        column_of(results, task, metric, [&](std::size_t row) { return inference.score(row); });
    mark_best(column);
    Case one{std::move(column), std::move(inference), {}, baseline, {}, {}};
    one.bests = bests_to_test(one);
    return one;
}

void draw(Case& one, const Options& options)
{
    stats::Resampling alone = options.resampling;
    alone.threads = 1;
    for (const std::size_t best : one.bests)
        one.with_best.push_back(Judged::all_pairs(one.inference, best, alone));
    const bool is_among_pairs = options.all_pairs && one.baseline &&
                                std::ranges::any_of(one.with_best, [&](const Judged& judged) {
                                    return std::ranges::count(judged.rows(), *one.baseline) > 0;
                                });
    if (one.baseline && !is_among_pairs)
        one.with_baseline = Judged::with_baseline(one.inference, *one.baseline, alone);
}

void finish(Case& one, const Options& options, std::span<const std::string> labels)
{
    for (std::size_t row = 0; row < one.column.entries.size() && !one.bests.empty(); ++row)
        judge_row(one, row, options);
    mark_references(one);
    if (!one.bests.empty())
        one.column.best = one.bests.front();
    one.column.why_sets = why_sets(one);
    one.column.same_scores = one.inference.same_scores();
    for (const std::size_t best : one.bests)
        for (const auto& [a, b] : one.column.same_scores) // whatever the last bit says
            if (a == best || b == best)
                one.column.entries[a].is_best = one.column.entries[b].is_best = true;
    if (options.all_pairs)
        judge_pairs(one, options);
    say_detectable(one.column);
    say_populations(one, labels);
}

} // namespace senteval::compare
