#include "compare/across_text.hpp"
#include "compare/formats.hpp"
#include "compare/formats_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <utility>

namespace senteval::compare {
namespace {

constexpr std::size_t label_column = 4; ///< after the mark
constexpr std::size_t below_label = 6; ///< where what belongs to a label begins on lines of its own

std::string p_text(double p)
{
    return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p);
}

/// What stands in a row after its label.
struct Fields {
    std::string value;
    std::string interval;
    std::string letters;
    std::string difference;
    std::string difference_interval;
    std::string verdict; ///< of the test
    std::string reason;  ///< why there is no test: a sentence, in no column
};

Fields fields_of(const Entry& entry, const task::Metric& metric)
{
    const Difference& difference = entry.difference;
    Fields fields{value_text(entry, metric),
                  interval_text(entry.score.interval, metric),
                  entry.letters,
                  signed_number(difference.value, metric),
                  "",
                  "",
                  ""};
    if (entry.verdict == Verdict::not_comparable)
        fields.reason = "not comparable: " + difference.not_comparable;
    else if (difference.same_scores) {
        fields.difference = metric.text(0);
        fields.reason = fmt::format("the same scores{}", entry.p_equivalent <= level ? " ≈" : "");
    } else if (entry.verdict == Verdict::undecided)
        fields.reason = "no verdict";
    else if (!std::isnan(difference.value)) {
        fields.difference_interval = interval_text(difference.interval, metric);
        if (!std::isnan(entry.p_adjusted))
            fields.verdict = fmt::format(" p {}{}", p_text(entry.p_adjusted),
                                         entry.p_equivalent <= level ? " ≈" : "");
    }
    return fields;
}

/// The columns of a comparison, the same for all of its tasks, and on how many lines a row stands.
class Layout {
public:
    Layout(const Comparison& comparison, std::size_t width) : width_(width)
    {
        for (const TaskComparison& task : comparison.tasks)
            for (std::size_t row = 0; row < task.entries.size(); ++row)
                if (!std::isnan(task.entries[row].score.value))
                    make_room(comparison.rows[row], fields_of(task.entries[row], task.metric));
        const std::size_t score = score_text({}).size();
        const std::size_t difference = difference_text({}).size();
        if (label_column + label_ + 2 + score + 2 + difference > width)
            lines_ = below_label + score + 2 + difference > width ? 3 : 2;
    }

    [[nodiscard]] std::vector<std::string>
    row(char mark, const std::string& label, const Fields& fields) const
    {
        const std::string score = score_text(fields);
        const std::string difference = difference_text(fields);
        std::vector<std::string> lines;
        const std::string begin = fmt::format("  {} ", mark);
        if (lines_ == 1) {
            lines.push_back(begin + report::padded(label, label_) + "  " + score);
        } else {
            for (const std::string& part : report::folded(label, width_ - label_column))
                lines.push_back((lines.empty() ? begin : std::string(label_column, ' ')) + part);
            lines.push_back(std::string(below_label, ' ') + score);
        }
        if (lines_ == 3)
            lines.push_back(std::string(below_label, ' ') + difference);
        else
            lines.back() += "  " + difference;
        for (std::string& line : lines)
            while (line.ends_with(' '))
                line.pop_back();
        if (lines.back().empty())
            lines.pop_back();
        add_reason(fields.reason, lines);
        return lines;
    }

private:
    void make_room(const std::string& label, const Fields& fields)
    {
        const auto widen = [](std::size_t& width, const std::string& text) {
            width = std::max(width, report::display_width(text));
        };
        widen(label_, label);
        widen(value_, fields.value);
        widen(interval_, fields.interval);
        widen(letters_, fields.letters);
        widen(difference_, fields.difference);
        widen(difference_interval_, fields.difference_interval);
        widen(verdict_, fields.verdict);
    }

    [[nodiscard]] std::string score_text(const Fields& fields) const
    {
        return joined({report::padded(fields.value, value_),
                       report::padded(fields.interval, interval_),
                       report::padded(fields.letters, letters_)});
    }

    [[nodiscard]] std::string difference_text(const Fields& fields) const
    {
        const std::size_t own = report::display_width(fields.difference);
        return joined(
            {std::string(difference_ - std::min(difference_, own), ' ') + fields.difference,
             report::padded(fields.difference_interval, difference_interval_),
             report::padded(fields.verdict, verdict_)});
    }

    /// Without columns that have no width.
    static std::string joined(std::initializer_list<std::string> columns)
    {
        std::string text;
        for (const std::string& column : columns)
            if (!column.empty())
                text += (text.empty() ? "" : " ") + column;
        return text;
    }

    /// On the last line where it fits there, else below.
    void add_reason(const std::string& reason, std::vector<std::string>& lines) const
    {
        if (reason.empty())
            return;
        if (report::display_width(lines.back()) + 2 + report::display_width(reason) <= width_)
            lines.back() += "  " + reason;
        else
            lines.push_back(
                std::string(below_label, ' ') +
                report::wrapped(reason, width_, below_label, report::LongWords::broken));
    }

    std::size_t width_;
    std::size_t label_ = 0;
    std::size_t value_ = 0;
    std::size_t interval_ = 0;
    std::size_t letters_ = 0;
    std::size_t difference_ = 0;
    std::size_t difference_interval_ = 0;
    std::size_t verdict_ = 0;
    int lines_ = 1;
};

/// Rows of a task from the best value to the worst; rows without a value are left out.
std::vector<std::size_t> ranked(const TaskComparison& task)
{
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < task.entries.size(); ++row)
        if (!std::isnan(task.entries[row].score.value))
            order.push_back(row);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return task.metric.is_better(task.entries[a].score.value, task.entries[b].score.value);
    });
    return order;
}

std::string heading_of(const TaskComparison& task, std::size_t width)
{
    const auto paragraph = [&](const std::string& text, std::size_t indent) {
        return report::wrapped(text, width, indent, report::LongWords::broken) + '\n';
    };
    std::string heading = fmt::format("{}  {}", task.task, task.metric.path);
    if (std::string power = detectable_in_words(task); !power.empty()) {
        power = fmt::format("({})", power);
        heading += report::display_width(heading) + 3 + power.size() <= width ? "   " : "\n  ";
        heading += power;
    }
    std::string out = paragraph(heading, 0);
    if (is_decided(task))
        out += "  " + paragraph("about " + task.population, 2);
    if (!task.score_population.empty())
        out += "  " + paragraph((is_decided(task) ? "intervals of scores are about "
                                                  : "intervals are about ") +
                                    task.score_population,
                                2);
    for (const std::string& reason : open_questions(task))
        out += "  " + paragraph("no verdict: " + reason, 2);
    return out;
}

/// A row for each label that has a value.
std::string average_block(const Comparison& comparison, const Average& average, std::size_t width)
{
    std::size_t longest = 0;
    for (const std::string& row : comparison.rows)
        longest = std::max(longest, report::display_width(row));
    std::size_t widest = 0;
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        widest = std::max(widest, average_text(average, row).size());
    const std::size_t room =
        std::max<std::size_t>(width, label_column + 2 + widest + 1) - (label_column + 2 + widest);
    longest = std::min(longest, room);
    std::string out = report::wrapped(fmt::format("{}  of {}", average_name(comparison, average),
                                                  fmt::join(average.tasks, ", ")),
                                      width, 2) +
                      '\n';
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < comparison.rows.size(); ++row)
        if (!std::isnan(average.values[row]))
            order.push_back(row);
    std::ranges::stable_sort(order, std::greater(), // of all units that have a scale more is better
                             [&](std::size_t row) { return average.values[row]; });
    for (const std::size_t row : order) {
        const auto lines = report::folded(comparison.rows[row], longest);
        out += fmt::format("    {}  {}\n", report::padded(lines.front(), longest),
                           average_text(average, row));
        for (std::size_t at = 1; at < lines.size(); ++at)
            out += fmt::format("    {}\n", lines[at]);
    }
    return out;
}

/// Labels and notes on one line each, whatever they contain.
Comparison on_lines(Comparison comparison)
{
    for (std::string& row : comparison.rows)
        row = report::one_line(std::move(row));
    for (std::string& warning : comparison.warnings)
        warning = report::one_line(std::move(warning));
    return comparison;
}

} // namespace

std::string to_terminal(const Comparison& given, const report::TerminalStyle& style)
{
    const Comparison comparison = on_lines(given);
    const Layout layout(comparison, style.width);
    std::string out;
    for (const TaskComparison& task : comparison.tasks) {
        out += heading_of(task, style.width);
        for (const std::size_t row : ranked(task)) {
            const Entry& entry = task.entries[row];
            const bool bold =
                style.bold && (is_called_best(comparison, entry) ||
                               (!comparison.baseline.empty() && entry.verdict == Verdict::better));
            for (const std::string& line :
                 layout.row(mark_of(comparison, entry), comparison.rows[row],
                            fields_of(entry, task.metric)))
                out += bold ? "\x1b[1m" + line + "\x1b[0m\n" : line + '\n';
        }
        out += '\n';
    }
    for (const Average& average : comparison.averages)
        out += average_block(comparison, average, style.width) + '\n';
    if (comparison.across)
        out += across_to_text(comparison, style.width) + '\n';
    return out + prose_of(comparison.warnings,
                          legend(comparison, true) + ' ' + meaning_of_marks(comparison), style);
}

} // namespace senteval::compare
