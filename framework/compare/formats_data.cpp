// The formats that programs read.
#include "compare/across_text.hpp"
#include "compare/formats.hpp"
#include "compare/formats_parts.hpp"

#include <fmt/format.h>

#include <cmath>

namespace senteval::compare {
namespace {

/// Empty where there is none: a detectable difference beyond the metric's range is infinite.
std::string csv_number(double value)
{
    return !std::isfinite(value) ? "" : fmt::format("{}", value);
}

/// What the entry's difference is to; empty where there is none.
std::string reference_of(const Comparison& comparison, const Entry& entry)
{
    return std::isnan(entry.difference.value) ? ""
                                              : report::csv_field(comparison.rows[entry.against]);
}

/// What a program would take for a verdict where there is none is left out.
Difference without_test_if_undecided(Difference difference)
{
    if (difference.undecided.empty())
        return difference;
    difference.interval = {core::nan, core::nan};
    difference.standard_error = difference.freedom = difference.p_value = core::nan;
    difference.detectable = difference.williams = core::nan;
    return difference;
}

double adjusted_of(double p_adjusted, const Difference& difference)
{
    return difference.undecided.empty() ? p_adjusted : core::nan;
}

std::string_view population_of(const Difference& difference)
{
    return difference.is_decided() ? name_of(difference.population) : std::string_view();
}

std::string_view interval_population(const Score& score)
{
    return std::isnan(score.interval.low) ? std::string_view() : name_of(score.population);
}

/// Columns "difference" to "p_equivalent", with a comma after each.
std::string csv_difference(const Difference& difference, double p_adjusted, double p_equivalent)
{
    const Difference d = without_test_if_undecided(difference);
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},", csv_number(d.value),
                       csv_number(d.interval.low), csv_number(d.interval.high),
                       csv_number(d.standard_error), csv_number(d.freedom), csv_number(d.p_value),
                       csv_number(adjusted_of(p_adjusted, difference)), population_of(difference),
                       csv_number(d.effect), csv_number(d.williams), csv_number(p_equivalent));
}

/// A line of two rows: of the columns of a score only the names.
std::string
csv_pair(const Comparison& comparison, const TaskComparison& task, const PairComparison& pair)
{
    const Difference& d = pair.difference;
    return fmt::format("{},{},{},,,,,,,,{},{},,,{},{},{},,,,,,\n",
                       report::csv_field(comparison.rows[pair.first]), report::csv_field(task.task),
                       report::csv_field(task.metric.path),
                       report::csv_field(comparison.rows[pair.second]),
                       csv_difference(d, pair.p_adjusted, pair.p_equivalent), name_of(pair.verdict),
                       report::csv_field(d.undecided.empty() ? d.not_comparable : d.undecided),
                       csv_number(without_test_if_undecided(d).detectable));
}

/// The best value is nobody's reference where there is no verdict.
std::string_view verdict_name(const Comparison& comparison, const Entry& entry)
{
    return name_of(is_open(comparison, entry) ? Verdict::undecided : entry.verdict);
}

core::Json difference_to_json(const Difference& difference, double p_adjusted, double p_equivalent)
{
    const Difference d = without_test_if_undecided(difference);
    return {{"difference", d.value},
            {"difference_interval", {d.interval.low, d.interval.high}},
            {"standard_error", d.standard_error},
            {"freedom", d.freedom},
            {"p", d.p_value},
            {"p_adjusted", adjusted_of(p_adjusted, difference)},
            {"p_equivalent", p_equivalent},
            {"effect", d.effect},
            {"detectable", d.detectable},
            {"williams_p", d.williams},
            {"population", population_of(difference)},
            {"same_scores", difference.same_scores},
            {"undecided", difference.undecided},
            {"not_comparable", difference.not_comparable}};
}

core::Json cell_to_json(const Comparison& comparison, std::size_t row, const TaskComparison& task)
{
    const Entry& entry = task.entries[row];
    core::Json cell = difference_to_json(entry.difference, entry.p_adjusted, entry.p_equivalent);
    cell.update({{"encoder", comparison.rows[row]},
                 {"task", task.task},
                 {"metric", task.metric.path},
                 {"higher_is_better", task.metric.higher_is_better},
                 {"value", entry.score.value},
                 {"interval", {entry.score.interval.low, entry.score.interval.high}},
                 {"interval_population", interval_population(entry.score)},
                 {"seed_variance_from", entry.score.seed_source},
                 {"items", entry.score.items},
                 {"seeds", entry.score.seeds},
                 {"training_sets", entry.score.resampled},
                 {"sd", entry.score.sd},
                 {"values", entry.score.values},
                 {"best", is_called_best(comparison, entry)},
                 {"among_best", is_called_among_best(comparison, entry)},
                 {"letters", entry.letters},
                 {"verdict", verdict_name(comparison, entry)},
                 {"undecided", is_open(comparison, entry) ? why_no_verdict(comparison, task, entry)
                                                          : entry.difference.undecided},
                 {"failed", entry.failed},
                 {"doubts", entry.doubts},
                 {"trained_on", entry.trained_on}});
    return cell;
}

core::Json pairs_to_json(const Comparison& comparison)
{
    core::Json pairs = core::Json::array();
    for (const TaskComparison& task : comparison.tasks)
        for (const PairComparison& pair : task.pairs) {
            core::Json json =
                difference_to_json(pair.difference, pair.p_adjusted, pair.p_equivalent);
            json.update({{"task", task.task},
                         {"first", comparison.rows[pair.first]},
                         {"second", comparison.rows[pair.second]},
                         {"verdict", name_of(pair.verdict)}});
            pairs.push_back(std::move(json));
        }
    return pairs;
}

} // namespace

std::string_view name_of(stats::Population population)
{
    switch (population) {
    case stats::Population::items:
        return "items";
    case stats::Population::seeds:
        return "items and seeds";
    case stats::Population::training:
        break;
    }
    return "items and seeds and training sets";
}

std::string to_csv(const Comparison& comparison)
{
    std::string out =
        "encoder,task,metric,value,sd,seeds,training_sets,low,high,items,against,difference,"
        "difference_low,difference_high,standard_error,freedom,p,p_adjusted,"
        "population,effect,williams_p,p_equivalent,best,among_best,letters,verdict,"
        "why_no_verdict,detectable,failed,doubts,values,trained_on,seed_variance_from,"
        "interval_population\n";
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        for (const TaskComparison& task : comparison.tasks) {
            const Entry& entry = task.entries[row];
            const Score& score = entry.score;
            const Difference& d = entry.difference;
            if (score.seeds == 0 && !entry.failed)
                continue;
            out += fmt::format(
                "{},{},{},{},{},{},{},{},{},{},{},", report::csv_field(comparison.rows[row]),
                report::csv_field(task.task), report::csv_field(task.metric.path),
                csv_number(score.value), csv_number(score.sd), score.seeds, score.resampled,
                csv_number(score.interval.low), csv_number(score.interval.high),
                score.items == 0 ? std::string() : std::to_string(score.items),
                reference_of(comparison, entry));
            out += csv_difference(d, entry.p_adjusted, entry.p_equivalent);
            out += fmt::format("{:d},{:d},{},{},{},{},{:d},{},{},{},{},{}\n",
                               is_called_best(comparison, entry),
                               is_called_among_best(comparison, entry), entry.letters,
                               verdict_name(comparison, entry),
                               report::csv_field(why_no_verdict(comparison, task, entry)),
                               csv_number(without_test_if_undecided(d).detectable), entry.failed,
                               report::csv_field(fmt::format("{}", fmt::join(entry.doubts, "; "))),
                               fmt::join(score.values, ";"), report::csv_field(entry.trained_on),
                               report::csv_field(score.seed_source), interval_population(score));
        }
    for (const TaskComparison& task : comparison.tasks)
        for (const PairComparison& pair : task.pairs)
            out += csv_pair(comparison, task, pair);
    return comparison.across ? out + across_to_csv(comparison) : out;
}

core::Json to_json(const Comparison& comparison)
{
    core::Json cells = core::Json::array();
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        for (const TaskComparison& task : comparison.tasks)
            if (!std::isnan(task.entries[row].score.value))
                cells.push_back(cell_to_json(comparison, row, task));
    core::Json averages = core::Json::array();
    for (const Average& average : comparison.averages)
        averages.push_back(
            {{"unit", average.unit}, {"tasks", average.tasks}, {"values", average.values}});
    core::Json claims = core::Json::object();
    for (const TaskComparison& task : comparison.tasks)
        claims[task.task] = claim_of(task);
    core::Json json = {{"baseline", comparison.baseline},
                       {"family", comparison.family},
                       {"claims", claims},
                       {"encoders", comparison.rows},
                       {"cells", cells},
                       {"averages", averages},
                       {"warnings", comparison.warnings}};
    if (comparison.margin > 0)
        json["margin"] = comparison.margin;
    if (core::Json pairs = pairs_to_json(comparison); !pairs.empty())
        json["pairs"] = std::move(pairs);
    if (comparison.across)
        json["across_tasks"] = across_to_json(comparison);
    return json;
}

} // namespace senteval::compare
