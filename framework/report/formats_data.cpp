// The formats for programs.
#include "core/csv.hpp"
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

/// A line of to_csv(): fields by column, the others empty.
class CsvLine {
public:
    static constexpr std::array columns = {"encoder",
                                           "task",
                                           "metric",
                                           "value",
                                           "sd",
                                           "seeds",
                                           "training_sets",
                                           "low",
                                           "high",
                                           "items",
                                           "against",
                                           "difference",
                                           "difference_low",
                                           "difference_high",
                                           "standard_error",
                                           "freedom",
                                           "p",
                                           "p_adjusted",
                                           "p_equivalent",
                                           "items_only",
                                           "best",
                                           "among_best",
                                           "letters",
                                           "verdict",
                                           "why_no_verdict",
                                           "detectable",
                                           "failed",
                                           "data_warnings",
                                           "values",
                                           "trained_on"};

    void set(std::string_view column, const std::string& text)
    {
        const auto* const at = std::ranges::find(columns, column);
        fields_[static_cast<std::size_t>(at - columns.begin())] = core::csv_field(text);
    }

    /// Empty where it is unknown or infinite.
    void set(std::string_view column, double value)
    {
        set(column, std::isfinite(value) ? fmt::format("{}", value) : std::string());
    }

    void set_count(std::string_view column, std::size_t count)
    {
        set(column, std::to_string(count));
    }
    void set_flag(std::string_view column, bool flag)
    {
        set(column, std::string(flag ? "1" : "0"));
    }

    [[nodiscard]] std::string text() const { return fmt::format("{}\n", fmt::join(fields_, ",")); }

private:
    std::array<std::string, columns.size()> fields_;
};

void set_difference(const Difference& difference, CsvLine& line)
{
    line.set("difference", difference.value);
    line.set("difference_low", difference.interval.low);
    line.set("difference_high", difference.interval.high);
    line.set("standard_error", difference.standard_error);
    line.set("freedom", difference.freedom);
    line.set("p", difference.p);
    line.set("p_adjusted", difference.p_adjusted);
    line.set("p_equivalent", difference.p_equivalent);
    line.set_flag("items_only", difference.items_only);
    line.set("why_no_verdict", reason_for(difference.open));
    line.set("detectable", difference.detectable);
}

std::string_view
verdict_of(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    // Where the best value has no verdict, nobody is the best.
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

/// Whom the row's difference is to; empty where there is none.
std::string against(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    return std::isnan(entry.difference.value) || !task.compared_with
               ? ""
               : comparison.rows[*task.compared_with];
}

std::string entry_csv(const Comparison& comparison, const TaskComparison& task, std::size_t row)
{
    const Entry& entry = task.entries[row];
    const compare::Score& score = entry.score;
    CsvLine line;
    line.set("encoder", comparison.rows[row]);
    line.set("task", task.task);
    line.set("metric", task.metric.path);
    line.set("value", score.value);
    line.set("sd", score.sd);
    line.set_count("seeds", score.seeds);
    line.set_count("training_sets", score.resampled);
    line.set("low", score.interval.low);
    line.set("high", score.interval.high);
    if (score.items > 0)
        line.set_count("items", score.items);
    line.set("against", against(comparison, task, entry));
    set_difference(entry.difference, line);
    line.set_flag("best", is_best(comparison, task, entry));
    line.set_flag("among_best", is_among_best(comparison, task, entry));
    line.set("letters", entry.letters);
    line.set("verdict", std::string(verdict_of(comparison, task, entry)));
    line.set_flag("failed", entry.failed);
    line.set("data_warnings", fmt::format("{}", fmt::join(entry.data_warnings, "; ")));
    line.set("values", fmt::format("{}", fmt::join(score.values, ";")));
    line.set("trained_on", entry.trained_on);
    return line.text();
}

std::string
pair_csv(const Comparison& comparison, const TaskComparison& task, const compare::Pair& pair)
{
    CsvLine line;
    line.set("encoder", comparison.rows[pair.first]);
    line.set("task", task.task);
    line.set("metric", task.metric.path);
    line.set("against", comparison.rows[pair.second]);
    set_difference(pair.difference, line);
    line.set("verdict", std::string(name_of(pair.verdict)));
    return line.text();
}

std::string across_csv(const Comparison& comparison)
{
    const compare::AcrossTasks& across = *comparison.across;
    const auto line_of = [&](std::size_t row) {
        CsvLine line;
        line.set("encoder", comparison.rows[row]);
        line.set("task", fmt::format("(over {} tasks)", across.tasks.size()));
        line.set("metric", std::string("mean rank"));
        line.set_count("items", across.tasks.size());
        return line;
    };
    std::string out;
    for (std::size_t at = 0; at < across.rows.size(); ++at) {
        CsvLine line = line_of(across.rows[at]);
        line.set("value", across.mean_ranks[at]);
        out += line.text();
    }
    for (const compare::AcrossPair& pair : across.pairs) {
        CsvLine line = line_of(pair.first);
        line.set("against", comparison.rows[pair.second]);
        line.set("p_adjusted", pair.p_value);
        line.set("verdict", std::string(name_of(pair.p_value > compare::level ? Verdict::tied
                                                                              : Verdict::better)));
        out += line.text();
    }
    return out;
}

core::Json interval_json(const stats::Interval& interval)
{
    return {interval.low, interval.high};
}

core::Json difference_json(const Difference& difference)
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

core::Json cell_json(const Comparison& comparison, const TaskComparison& task, std::size_t row)
{
    const Entry& entry = task.entries[row];
    core::Json cell = difference_json(entry.difference);
    cell.update({{"encoder", comparison.rows[row]},
                 {"task", task.task},
                 {"metric", task.metric.path},
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
    return cell;
}

core::Json across_json(const Comparison& comparison)
{
    const compare::AcrossTasks& across = *comparison.across;
    core::Json encoders = core::Json::array();
    for (std::size_t at = 0; at < across.rows.size(); ++at)
        encoders.push_back(
            {{"encoder", comparison.rows[across.rows[at]]}, {"mean_rank", across.mean_ranks[at]}});
    core::Json pairs = core::Json::array();
    for (const compare::AcrossPair& pair : across.pairs)
        pairs.push_back({{"first", comparison.rows[pair.first]},
                         {"second", comparison.rows[pair.second]},
                         {"p", pair.p_value},
                         {"better_on", pair.better_on}});
    core::Json groups = core::Json::array();
    for (const auto& [first, last] : across.groups) {
        core::Json group = core::Json::array();
        for (std::size_t at = first; at <= last; ++at)
            group.push_back(comparison.rows[across.rows[at]]);
        groups.push_back(std::move(group));
    }
    return {{"tasks", across.tasks},
            {"left_out", across.left_out},
            {"encoders", encoders},
            {"friedman_chi2", across.rows.empty() ? core::nan : across.friedman.chi_squared},
            {"friedman_p", across.rows.empty() ? core::nan : across.friedman.p_value},
            {"pairs", pairs},
            {"groups", groups}};
}

} // namespace

std::string to_csv(const Comparison& comparison)
{
    std::string out = fmt::format("{}\n", fmt::join(CsvLine::columns, ","));
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        for (const TaskComparison& task : comparison.tasks)
            if (task.entries[row].score.seeds > 0 || task.entries[row].failed)
                out += entry_csv(comparison, task, row);
    for (const TaskComparison& task : comparison.tasks)
        for (const compare::Pair& pair : task.pairs)
            out += pair_csv(comparison, task, pair);
    return comparison.across ? out + across_csv(comparison) : out;
}

core::Json to_json(const Comparison& comparison)
{
    core::Json cells = core::Json::array();
    core::Json pairs = core::Json::array();
    for (const TaskComparison& task : comparison.tasks) {
        for (std::size_t row = 0; row < comparison.rows.size(); ++row)
            if (task.entries[row].has_value())
                cells.push_back(cell_json(comparison, task, row));
        for (const compare::Pair& pair : task.pairs) {
            core::Json json = difference_json(pair.difference);
            json.update({{"task", task.task},
                         {"first", comparison.rows[pair.first]},
                         {"second", comparison.rows[pair.second]},
                         {"verdict", name_of(pair.verdict)}});
            pairs.push_back(std::move(json));
        }
    }
    core::Json averages = core::Json::array();
    for (const compare::Average& average : comparison.averages)
        averages.push_back(
            {{"name", average.name}, {"tasks", average.tasks}, {"values", average.values}});
    std::vector<std::string> notes;
    for (const compare::Note& note : comparison.notes)
        notes.push_back(text_of(note, comparison));
    core::Json json = {{"baseline", comparison.options.baseline},
                       {"items_only", comparison.options.items_only},
                       {"encoders", comparison.rows},
                       {"cells", cells},
                       {"averages", averages},
                       {"notes", notes}};
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

core::Json slices_to_json(const std::vector<compare::Slices>& slices)
{
    core::Json all = core::Json::array();
    for (const compare::Slices& block : slices) {
        core::Json parts = core::Json::array();
        for (std::size_t part = 0; part < block.parts.size(); ++part) {
            core::Json scores = core::Json::array();
            for (std::size_t row = 0; row < block.rows.size(); ++row)
                scores.push_back({{"encoder", block.rows[row]},
                                  {"value", block.scores[row][part].value},
                                  {"interval", interval_json(block.scores[row][part].interval)}});
            parts.push_back(
                {{"part", block.parts[part]}, {"items", block.items[part]}, {"scores", scores}});
        }
        all.push_back({{"task", block.task},
                       {"by", block.by},
                       {"metric", block.by_class ? "found of the class" : block.metric.path},
                       {"data_warning", block.has_data_warning},
                       {"parts", parts}});
    }
    return all;
}

} // namespace senteval::report
