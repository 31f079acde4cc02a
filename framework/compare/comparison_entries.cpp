// comparison_entries.cpp -- what the entries of a comparison say.
#include "compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace senteval::compare {

std::string_view name_of(Verdict verdict)
{
    switch (verdict) {
    case Verdict::missing:
        break;
    case Verdict::reference:
        return "reference";
    case Verdict::tied:
        return "tied";
    case Verdict::better:
        return "better";
    case Verdict::worse:
        return "worse";
    case Verdict::undecided:
        return "undecided";
    case Verdict::not_comparable:
        return "not comparable";
    }
    return "";
}

std::string marked_name(const TaskComparison& task)
{
    const bool is_doubtful =
        std::ranges::any_of(task.entries, [](const Entry& entry) { return !entry.doubts.empty(); });
    return task.task + (is_doubtful ? "*" : "");
}

bool is_decided(const TaskComparison& task)
{
    return std::ranges::any_of(task.entries,
                               [](const Entry& entry) { return entry.difference.is_decided(); });
}

bool is_open(const Comparison& comparison, const Entry& entry)
{
    return comparison.baseline.empty() && entry.verdict == Verdict::reference &&
           !entry.among_best && !entry.alone;
}

bool is_called_best(const Comparison& comparison, const Entry& entry)
{
    return comparison.baseline.empty() && entry.is_best && (!comparison.tested || entry.among_best);
}

bool is_called_among_best(const Comparison& comparison, const Entry& entry)
{
    return comparison.baseline.empty() && entry.among_best;
}

namespace {

std::string detectable_text(const TaskComparison& task, double difference)
{
    const double last_digit = std::pow(10.0, -task.metric.digits);
    return difference < last_digit / 2 ? task.metric.text(last_digit) + " or less"
                                       : task.metric.text(difference);
}

} // namespace

std::string detectable_range(const TaskComparison& task)
{
    const auto [least, most] = task.detectable_range;
    if (std::isnan(least) || std::isinf(least))
        return "";
    const std::string from = detectable_text(task, least);
    if (std::isinf(most))
        return from + " at best";
    const std::string to = detectable_text(task, most);
    return from == to ? "" : from + " to " + to;
}

std::string detectable_in_words(const TaskComparison& task)
{
    if (std::isnan(task.detectable))
        return "";
    if (std::isinf(task.detectable_range.low))
        return "no difference that there can be would be detected with power 80 %";
    const std::string range = detectable_range(task);
    return fmt::format("a difference of {} would be detected with power 80 %",
                       range.empty()             ? detectable_text(task, task.detectable)
                       : range.ends_with("best") ? range
                                                 : range + ", by the comparison,");
}

std::string claim_of(const TaskComparison& task)
{
    const std::string& of_scores = task.score_population;
    if (is_decided(task))
        return task.population +
               (of_scores.empty() ? "" : "; intervals of scores are about " + of_scores);
    return of_scores.empty() ? "" : "nothing; intervals are about " + of_scores;
}

std::optional<double> points(const task::Metric& metric)
{
    if (!metric.has_common_unit())
        return std::nullopt;
    return metric.unit == task::correlation ? 0.01 : 1.0;
}

} // namespace senteval::compare
