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
std::string
reference_of(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    if (std::isnan(entry.difference.value))
        return "";
    if (!comparison.baseline.empty())
        return report::csv_field(comparison.baseline);
    for (std::size_t row = 0; row < task.entries.size(); ++row)
        if (task.entries[row].verdict == Verdict::reference)
            return report::csv_field(comparison.rows[row]);
    return "";
}

/// Columns "difference" to "p_equivalent", with a comma after each.
std::string csv_difference(const Difference& d, double p_adjusted, double p_equivalent)
{
    return fmt::format("{},{},{},{},{},{},{},{},{},{},{},", csv_number(d.value),
                       csv_number(d.interval.low), csv_number(d.interval.high),
                       csv_number(d.standard_error), csv_number(d.freedom), csv_number(d.p_value),
                       csv_number(p_adjusted),
                       std::isnan(d.p_value) ? std::string_view() : name_of(d.population),
                       csv_number(d.effect), csv_number(d.williams), csv_number(p_equivalent));
}

/// A line of two rows: of the columns of a score only the names.
std::string
csv_pair(const Comparison& comparison, const TaskComparison& task, const PairComparison& pair)
{
    const Difference& d = pair.difference;
    const Verdict verdict = std::isnan(pair.p_adjusted)         ? Verdict::not_comparable
                            : !d.undecided.empty()              ? Verdict::undecided
                            : pair.p_adjusted > level           ? Verdict::tied
                            : task.metric.is_better(d.value, 0) ? Verdict::better
                                                                : Verdict::worse;
    return fmt::format("{},{},{},,,,,,,,{},{},,,{},{},{},,,,,\n",
                       report::csv_field(comparison.rows[pair.first]), report::csv_field(task.task),
                       report::csv_field(task.metric.path),
                       report::csv_field(comparison.rows[pair.second]),
                       csv_difference(d, pair.p_adjusted, pair.p_equivalent), name_of(verdict),
                       report::csv_field(d.undecided.empty() ? d.not_comparable : d.undecided),
                       csv_number(d.detectable));
}

/// The best value is nobody's reference where there is no verdict.
std::string_view verdict_name(const Comparison& comparison, const Entry& entry)
{
    return name_of(is_open(comparison, entry) ? Verdict::undecided : entry.verdict);
}

core::Json difference_to_json(const Difference& difference)
{
    return {{"difference", difference.value},
            {"difference_interval", {difference.interval.low, difference.interval.high}},
            {"standard_error", difference.standard_error},
            {"freedom", difference.freedom},
            {"p", difference.p_value},
            {"effect", difference.effect},
            {"detectable", difference.detectable},
            {"williams_p", difference.williams},
            {"population",
             std::isnan(difference.p_value) ? std::string_view() : name_of(difference.population)},
            {"same_scores", difference.same_scores},
            {"undecided", difference.undecided},
            {"not_comparable", difference.not_comparable}};
}

core::Json cell_to_json(const Comparison& comparison, std::size_t row, const TaskComparison& task)
{
    const Entry& entry = task.entries[row];
    core::Json cell = difference_to_json(entry.difference);
    cell.update({{"encoder", comparison.rows[row]},
                 {"task", task.task},
                 {"metric", task.metric.path},
                 {"higher_is_better", task.metric.higher_is_better},
                 {"value", entry.score.value},
                 {"interval", {entry.score.interval.low, entry.score.interval.high}},
                 {"interval_population", std::isnan(entry.score.interval.low)
                                             ? std::string_view()
                                             : name_of(entry.score.population)},
                 {"seed_variance_from", entry.score.seed_source},
                 {"items", entry.score.items},
                 {"seeds", entry.score.seeds},
                 {"training_sets", entry.score.resampled},
                 {"sd", entry.score.sd},
                 {"values", entry.score.values},
                 {"p_adjusted", entry.p_adjusted},
                 {"p_equivalent", entry.p_equivalent},
                 {"best", is_called_best(comparison, entry)},
                 {"among_best", entry.among_best},
                 {"letters", entry.letters},
                 {"verdict", verdict_name(comparison, entry)},
                 {"doubts", entry.doubts},
                 {"trained_on", entry.trained_on}});
    return cell;
}

core::Json pairs_to_json(const Comparison& comparison)
{
    core::Json pairs = core::Json::array();
    for (const TaskComparison& task : comparison.tasks)
        for (const PairComparison& pair : task.pairs) {
            core::Json json = difference_to_json(pair.difference);
            json.update({{"task", task.task},
                         {"first", comparison.rows[pair.first]},
                         {"second", comparison.rows[pair.second]},
                         {"p_adjusted", pair.p_adjusted}});
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
        "why_no_verdict,detectable,failed,doubts,values,trained_on,seed_variance_from\n";
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
                reference_of(comparison, task, entry));
            out += csv_difference(d, entry.p_adjusted, entry.p_equivalent);
            out += fmt::format("{:d},{:d},{},{},{},{},{:d},{},{},{},{}\n",
                               is_called_best(comparison, entry), entry.among_best, entry.letters,
                               verdict_name(comparison, entry),
                               report::csv_field(why_no_verdict(comparison, task, entry)),
                               csv_number(d.detectable), entry.failed,
                               report::csv_field(fmt::format("{}", fmt::join(entry.doubts, "; "))),
                               fmt::join(score.values, ";"), report::csv_field(entry.trained_on),
                               report::csv_field(score.seed_source));
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
