#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace senteval::report {
namespace {

using compare::Comparison;
using compare::Entry;
using compare::Open;
using compare::TaskComparison;
using compare::Verdict;

/// Heads of papers' tables where they are not the task's name (Conneau & Kiela 2018; Conneau et al. 2018).
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> short_names = {{
    {"SICKEntailment", "SICK-E"},
    {"SICKRelatedness", "SICK-R learned"},
    {"STSBenchmark", "STS-B learned"},
    {"SICKRelatednessUnsupervised", "SICK-R"},
    {"STSBenchmarkUnsupervised", "STS-B"},
    {"MultiNLIMatched", "MNLI-m"},
    {"MultiNLIMismatched", "MNLI-mm"},
    {"ImageCaptionRetrieval", "COCO"},
    {"Length", "SentLen"},
    {"WordContent", "WC"},
    {"Depth", "TreeDepth"},
    {"TopConstituents", "TopConst"},
    {"BigramShift", "BShift"},
    {"OddManOut", "SOMO"},
    {"CoordinationInversion", "CoordInv"},
}};

bool has_mark(const Comparison& comparison, std::string_view mark)
{
    return any_entry(comparison, [&](const TaskComparison& task, const Entry& entry) {
        return mark_of(comparison, task, entry) == mark;
    });
}

std::string without_zero(std::string number)
{
    const std::size_t zero = number.find("0.");
    if (zero == 0 || (zero == 1 && number.front() == '-'))
        number.erase(zero, 1);
    return number;
}

std::string signed_text(double value, const std::string& text)
{
    return std::isnan(value) ? "" : (text.starts_with('-') ? "" : "+") + text;
}

std::string interval_text(const stats::Interval& interval, const auto& text)
{
    if (std::isnan(interval.low) || std::isnan(interval.high))
        return "";
    return fmt::format("[{}, {}]", text(interval.low), text(interval.high));
}

std::string short_names_of(std::vector<std::string> tasks)
{
    for (std::string& task : tasks)
        task = short_name(task);
    return fmt::format("{}", fmt::join(tasks, ", "));
}

/// What verdicts on deterministic rows are about.
std::string claim_of_one_seed(const Comparison& comparison)
{
    std::vector<std::string> tasks;
    bool in_folds = false;
    for (const TaskComparison& task : comparison.tasks)
        if (task.reference && std::ranges::any_of(task.entries, [](const Entry& entry) {
                return entry.score.deterministic;
            })) {
            tasks.push_back(task.task);
            in_folds |= task.in_folds;
        }
    return tasks.empty()
               ? ""
               : fmt::format("{} (one seed): the verdict is about this training set{}",
                             short_names_of(tasks), in_folds ? " and its folds' classifiers" : "");
}

} // namespace

std::string_view name_of(Verdict verdict)
{
    switch (verdict) {
    case Verdict::reference:
        return "reference";
    case Verdict::same:
        return "same";
    case Verdict::tied:
        return "tied";
    case Verdict::better:
        return "better";
    case Verdict::worse:
        return "worse";
    case Verdict::unknown:
        return "no verdict";
    case Verdict::missing:
        break;
    }
    return "";
}

std::string reason_for(Open open)
{
    switch (open) {
    case Open::caution:
        return "a caution stands against one of the two";
    case Open::few_seeds:
        return fmt::format("fewer than {} seeds", compare::fewest_seeds);
    case Open::few_items:
        return fmt::format("fewer than {} test items", compare::fewest_items);
    case Open::no_variance:
        return "the difference is the same on all items and seeds";
    case Open::not_smooth:
        return "the metric has no standard error";
    case Open::no_items:
        return "only the score is known, not the predictions";
    case Open::other_items:
        return "tested on other items, folds or classes";
    case Open::alone:
        return "no other row to compare with";
    case Open::no:
        break;
    }
    return "";
}

std::string text_of(const compare::Note& note, const Comparison& comparison)
{
    if (note.tasks.empty())
        return note.text;
    const bool is_of_all = note.tasks.size() == comparison.tasks.size();
    return fmt::format("{}{}: {}", note.of_data ? "* " : "",
                       is_of_all ? "all tasks" : short_names_of(note.tasks), note.text);
}

std::string short_name(const std::string& task)
{
    const auto* const at = std::ranges::find(short_names, std::string_view(task),
                                             &decltype(short_names)::value_type::first);
    return at == short_names.end() ? task : std::string(at->second);
}

std::string heading_of(const TaskComparison& task)
{
    const bool warned = std::ranges::any_of(
        task.entries, [](const Entry& entry) { return !entry.data_warnings.empty(); });
    const std::string what = task.metric.is_an_f1() ? fmt::format(" ({})", task.metric.title) : "";
    return short_name(task.task) + what + (warned ? "*" : "");
}

std::string mark_of(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    if (entry.has_value() && !entry.cautions.empty())
        return "?";
    if (!comparison.tested || entry.difference.open == Open::alone)
        return "";
    const bool to_baseline = !comparison.options.baseline.empty();
    switch (entry.verdict) {
    case Verdict::reference:
    case Verdict::same:
    case Verdict::tied: // where the best value has no verdict, nobody is known to be among the best
        return task.is_open && !to_baseline ? "?" : "=";
    case Verdict::better:
        return "▲";
    case Verdict::worse:
        return to_baseline ? "▼" : "";
    case Verdict::unknown:
        return "?";
    case Verdict::missing:
        break;
    }
    return "";
}

bool is_bold(const Comparison& comparison, const TaskComparison& task, const Entry& entry)
{
    return mark_of(comparison, task, entry) == (comparison.options.baseline.empty() ? "=" : "▲");
}

std::vector<std::string> legend_parts(const Comparison& comparison)
{
    const std::string& baseline = comparison.options.baseline;
    std::vector<std::string> parts;
    const auto add = [&](std::string_view mark, std::string text) {
        if (has_mark(comparison, mark))
            parts.push_back(fmt::format("{} {}", mark, text));
    };
    add("▲", fmt::format("significantly better than {}", baseline));
    add("▼", fmt::format("significantly worse than {}", baseline));
    add("=", baseline.empty() ? "best, or not significantly worse" : "not significantly different");
    add("?", "no verdict");
    if (std::string claim = claim_of_one_seed(comparison); !claim.empty())
        parts.push_back(std::move(claim));
    if (any_entry(comparison, [](const auto&, const Entry& entry) {
            return entry.difference.p_equivalent <= compare::level;
        }))
        parts.push_back(fmt::format("≈ differs by less than {:g} {}", comparison.options.margin,
                                    comparison.options.margin == 1 ? "point" : "points"));
    if (any_entry(comparison,
                  [](const auto&, const Entry& entry) { return !entry.letters.empty(); }))
        parts.emplace_back("a letter in common: not significantly different");
    if (any_entry(comparison, [](const auto&, const Entry& entry) {
            return entry.failed && entry.has_value();
        }))
        parts.emplace_back("! some of it failed");
    return parts;
}

std::string legend(const Comparison& comparison)
{
    return fmt::format("{}", fmt::join(legend_parts(comparison), "   "));
}

std::vector<std::string> table_legend(const Comparison& comparison)
{
    std::vector<std::string> parts = legend_parts(comparison);
    if (!parts.empty() && std::ranges::any_of(comparison.tasks, [](const TaskComparison& task) {
            return !std::isnan(task.half_width);
        })) {
        const std::string& baseline = comparison.options.baseline;
        parts.push_back(
            fmt::format("half-width: of the 95 % interval of a difference to {}, typical",
                        baseline.empty() ? "the best" : baseline));
    }
    return parts;
}

std::string short_number(double value, const results::Metric& metric)
{
    if (std::isnan(value))
        return "-";
    if (metric.unit != results::percent && metric.unit != results::correlation)
        return metric.text(value);
    const int digits = metric.unit == results::percent ? 1 : 3;
    const double unit = std::pow(10.0, digits);
    const double rounded = std::round(value * unit) / unit;
    const std::string text =
        fmt::format("{:.{}f}", rounded == 0 ? 0 : rounded, digits); // no "-0.0"
    return metric.unit == results::percent ? text : without_zero(text);
}

std::string
short_average(const Comparison& comparison, const compare::Average& average, std::size_t row)
{
    const auto task =
        std::ranges::find(comparison.tasks, average.tasks.front(), &TaskComparison::task);
    return short_number(average.values[row],
                        task == comparison.tasks.end() ? results::Metric{} : task->metric);
}

std::string signed_short(double value, const results::Metric& metric)
{
    return signed_text(value, short_number(value, metric));
}

std::string short_interval(const stats::Interval& interval, const results::Metric& metric)
{
    return interval_text(interval, [&](double end) { return short_number(end, metric); });
}

std::string full_interval(const stats::Interval& interval, const results::Metric& metric)
{
    return interval_text(interval, [&](double end) { return metric.text(end); });
}

std::string signed_full(double value, const results::Metric& metric)
{
    return signed_text(value, metric.text(value));
}

std::string p_text(double p)
{
    if (std::isnan(p))
        return "";
    return p < 0.0001 ? "<.0001" : without_zero(fmt::format("{:.4f}", p));
}

std::string seeds_text(std::size_t seeds)
{
    return seeds == 1 ? "one seed" : fmt::format("{} seeds", seeds);
}

std::string listed(const std::vector<std::string>& names)
{
    if (names.size() < 2)
        return names.empty() ? "" : names.front();
    return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

} // namespace senteval::report
