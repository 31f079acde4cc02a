// The formats for programs.
#include "base/csv.hpp"
#include "report/formats.hpp"
#include "report/words.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace senteval::report {
namespace {

using compare::Comparison;
using compare::Difference;
using compare::Entry;
using compare::TaskComparison;
using compare::Verdict;

constexpr std::array csv_columns = {
    "encoder",        "task",           "metric",
    "metric_title",   "value",          "sd",
    "seeds",          "training_sets",  "low",
    "high",           "items",          "against",
    "difference",     "difference_low", "difference_high",
    "standard_error", "freedom",        "p",
    "p_adjusted",     "p_equivalent",   "items_only",
    "best",           "among_best",     "letters",
    "verdict",        "why_no_verdict", "detectable",
    "failed",         "data_warnings",  "values",
    "trained_on",     "cautions",
};

/// A number; empty where it is unknown or infinite.
std::string csv_text(const base::Json& value)
{
    if (value.is_number_float())
        return std::isfinite(value.get<double>()) ? fmt::format("{}", value.get<double>()) : "";
    if (value.is_boolean())
        return value.get<bool>() ? "1" : "0";
    if (value.is_string())
        return base::csv_field(value.get<std::string>());
    if (!value.is_array())
        return value.is_null() ? "" : base::to_text(value);
    std::string text;
    for (const base::Json& one : value)
        text += (text.empty()      ? ""
                 : one.is_string() ? "; "
                                   : ";") +
                (one.is_string() ? one.get<std::string>() : fmt::format("{}", one.get<double>()));
    return base::csv_field(text);
}

/// Members by column, the others empty.
std::string csv_line(base::Json cell)
{
    for (const auto& [of, low, high] :
         {std::array{"interval", "low", "high"},
          {"difference_interval", "difference_low", "difference_high"}})
        if (cell.contains(of)) {
            cell[low] = cell[of][0];
            cell[high] = cell[of][1];
        }
    std::vector<std::string> fields;
    for (const char* column : csv_columns)
        fields.push_back(cell.contains(column) ? csv_text(cell[column]) : "");
    return fmt::format("{}\n", fmt::join(fields, ","));
}

std::string_view
verdict_of(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    // Nobody is the best where the best value has no verdict.
    const bool open = task.is_open && comparison.options.baseline.empty() && entry.among_best();
    return name_of(open ? Verdict::unknown : entry.verdict);
}

bool is_among_best(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    return comparison.options.baseline.empty() && mark_of(comparison, task, entry) == "=";
}

bool is_best(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    return entry.verdict == Verdict::reference && is_among_best(comparison, task, entry);
}

/// The row that the difference is to; empty where there is none.
std::string against(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    return std::isnan(entry.difference.value) || !task.compared_with
               ? ""
               : comparison.rows[*task.compared_with];
}

base::Json interval_json(const stats::Interval& interval)
{
    return {interval.low, interval.high};
}

base::Json difference_json(const Difference& difference)
{
    return {{"difference", difference.value},
            {"difference_interval", interval_json(difference.interval)},
            {"standard_error", difference.standard_error},
            {"freedom", difference.freedom},
            {"p", difference.p},
            {"p_adjusted", difference.p_adjusted},
            {"p_equivalent", difference.p_equivalent},
            {"items_only", difference.items_only},
            {"detectable", difference.detectable},
            {"why_no_verdict", reason_for(difference.open)}};
}

base::Json cell_json(const Comparison& comparison, const TaskComparison& task, std::size_t row)
{
    const Entry& entry = task.entries[row];
    base::Json cell = difference_json(entry.difference);
    cell.update({{"encoder", comparison.rows[row]},
                 {"task", task.task},
                 {"metric", task.metric.path},
                 {"metric_title", task.metric.title},
                 {"higher_is_better", task.metric.higher_is_better},
                 {"value", entry.score.value},
                 {"interval", interval_json(entry.score.interval)},
                 {"items", entry.score.items},
                 {"seeds", entry.score.seeds},
                 {"training_sets", entry.score.resampled},
                 {"sd", entry.score.sd},
                 {"values", entry.score.values},
                 {"against", against(comparison, task, entry)},
                 {"best", is_best(comparison, task, entry)},
                 {"among_best", is_among_best(comparison, task, entry)},
                 {"letters", entry.letters},
                 {"verdict", verdict_of(comparison, task, entry)},
                 {"failed", entry.failed},
                 {"data_warnings", entry.data_warnings},
                 {"trained_on", entry.trained_on}});
    for (const results::Caution& caution : entry.cautions)
        cell["cautions"].push_back(caution.code);
    if (entry.score.deterministic)
        cell["deterministic"] = true;
    return cell;
}

base::Json
pair_json(const Comparison& comparison, const TaskComparison& task, const compare::Pair& pair)
{
    base::Json json = difference_json(pair.difference);
    json.update({{"task", task.task},
                 {"first", comparison.rows[pair.first]},
                 {"second", comparison.rows[pair.second]},
                 {"verdict", name_of(pair.verdict)}});
    return json;
}

std::string across_csv(const Comparison& comparison)
{
    const compare::AcrossTasks& across = *comparison.across;
    const base::Json of_all = {{"task", fmt::format("(over {} tasks)", across.tasks.size())},
                               {"metric", "mean rank"},
                               {"items", across.tasks.size()}};
    std::string out;
    for (std::size_t at = 0; at < across.rows.size(); ++at) {
        base::Json line = of_all;
        line.update({{"encoder", comparison.rows[across.rows[at]]},
                     {"value", across.mean_ranks[at]},
                     {"interval", interval_json(across.intervals[at])}});
        out += csv_line(std::move(line));
    }
    for (const compare::AcrossPair& pair : across.pairs) {
        base::Json line = of_all;
        line.update({{"encoder", comparison.rows[pair.first]},
                     {"against", comparison.rows[pair.second]},
                     {"p_adjusted", pair.p_value},
                     {"verdict",
                      name_of(pair.p_value > compare::level ? Verdict::tied : Verdict::better)}});
        out += csv_line(std::move(line));
    }
    return out;
}

base::Json across_json(const Comparison& comparison)
{
    const compare::AcrossTasks& across = *comparison.across;
    base::Json encoders = base::Json::array();
    for (std::size_t at = 0; at < across.rows.size(); ++at)
        encoders.push_back({{"encoder", comparison.rows[across.rows[at]]},
                            {"mean_rank", across.mean_ranks[at]},
                            {"interval", interval_json(across.intervals[at])}});
    base::Json pairs = base::Json::array();
    for (const compare::AcrossPair& pair : across.pairs)
        pairs.push_back({{"first", comparison.rows[pair.first]},
                         {"second", comparison.rows[pair.second]},
                         {"p", pair.p_value},
                         {"better_on", pair.better_on}});
    base::Json groups = base::Json::array();
    for (const auto& [first, last] : across.groups) {
        base::Json group = base::Json::array();
        for (std::size_t at = first; at <= last; ++at)
            group.push_back(comparison.rows[across.rows[at]]);
        groups.push_back(std::move(group));
    }
    return {{"tasks", across.tasks},
            {"left_out", across.left_out},
            {"encoders", encoders},
            {"friedman_chi2", across.rows.empty() ? base::nan : across.friedman.chi_squared},
            {"friedman_p", across.rows.empty() ? base::nan : across.friedman.p_value},
            {"pairs", pairs},
            {"groups", groups}};
}

} // namespace

std::string to_csv(const Comparison& comparison)
{
    std::string out = fmt::format("{}\n", fmt::join(csv_columns, ","));
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        for (const TaskComparison& task : comparison.tasks)
            if (task.entries[row].score.seeds > 0 || task.entries[row].failed) {
                base::Json cell = cell_json(comparison, task, row);
                if (cell["items"] == 0)
                    cell["items"] = nullptr;
                out += csv_line(std::move(cell));
            }
    for (const TaskComparison& task : comparison.tasks)
        for (const compare::Pair& pair : task.pairs) {
            base::Json line = pair_json(comparison, task, pair);
            line.update({{"encoder", line["first"]},
                         {"metric", task.metric.path},
                         {"metric_title", task.metric.title},
                         {"against", line["second"]}});
            out += csv_line(std::move(line));
        }
    return comparison.across ? out + across_csv(comparison) : out;
}

base::Json to_json(const Comparison& comparison)
{
    base::Json cells = base::Json::array();
    base::Json pairs = base::Json::array();
    for (const TaskComparison& task : comparison.tasks) {
        for (std::size_t row = 0; row < comparison.rows.size(); ++row)
            if (task.entries[row].has_value())
                cells.push_back(cell_json(comparison, task, row));
        for (const compare::Pair& pair : task.pairs)
            pairs.push_back(pair_json(comparison, task, pair));
    }
    base::Json averages = base::Json::array();
    for (const compare::Average& average : comparison.averages)
        averages.push_back(
            {{"name", average.name}, {"tasks", average.tasks}, {"values", average.values}});
    std::vector<std::string> notes;
    for (const compare::Note& note : comparison.notes)
        notes.push_back(text_of(note, comparison));
    base::Json json = {{"baseline", comparison.options.baseline},
                       {"items_only", comparison.options.items_only},
                       {"encoders", comparison.rows},
                       {"cells", cells},
                       {"averages", averages},
                       {"notes", notes}};
    for (const SummaryLine& line : caution_lines(comparison))
        json["cautions"].push_back(line.text);
    if (comparison.options.margin > 0)
        json["margin"] = comparison.options.margin;
    if (!pairs.empty())
        json["pairs"] = std::move(pairs);
    if (const auto& missing = comparison.missing_seeds)
        json["missing_seeds"] = {{"tasks", missing->tasks},
                                 {"encoders", missing->rows},
                                 {"cells", missing->cells},
                                 {"seconds", missing->seconds}};
    if (comparison.across)
        json["across_tasks"] = across_json(comparison);
    return json;
}

base::Json slices_to_json(const std::vector<compare::Slices>& slices)
{
    base::Json all = base::Json::array();
    for (const compare::Slices& block : slices) {
        base::Json parts = base::Json::array();
        for (std::size_t part = 0; part < block.parts.size(); ++part) {
            base::Json scores = base::Json::array();
            for (std::size_t row = 0; row < block.rows.size(); ++row)
                scores.push_back({{"encoder", block.rows[row]},
                                  {"value", block.scores[row][part].value},
                                  {"interval", interval_json(block.scores[row][part].interval)}});
            parts.push_back(
                {{"part", block.parts[part]}, {"items", block.items[part]}, {"scores", scores}});
        }
        all.push_back({{"task", block.task},
                       {"by", block.by},
                       {"metric", block.by_class ? "found of the class" : block.metric.name()},
                       {"data_warning", block.has_data_warning},
                       {"parts", parts}});
    }
    return all;
}

} // namespace senteval::report
