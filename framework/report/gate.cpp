// The answer of `compare --gate`: for reading, for programs, and as JUnit's XML.
#include "compare/gate.hpp"
#include "base/counted.hpp"
#include "base/terminal.hpp"
#include "report/formats.hpp"
#include "report/markup.hpp"
#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace senteval::report {
namespace {

using compare::Answer;
using compare::Gate;
using compare::GateTask;

std::string_view name_of(Answer answer)
{
    return answer == Answer::yes ? "yes" : answer == Answer::no ? "no" : "could not tell";
}

std::string points_text(double value)
{
    return std::isnan(value) ? "-" : fmt::format("{:+.2f}", value);
}

/// Two leading digits say enough of a number of items that is only estimated.
std::size_t rounded_up(std::size_t items)
{
    std::size_t unit = 1;
    while (items / unit >= 100)
        unit *= 10;
    return (items + unit - 1) / unit * unit;
}

std::string reason_of(const GateTask& task)
{
    if (task.answer == Answer::no)
        return fmt::format("p {:.2g} by Holm", task.p_loss);
    if (task.answer == Answer::yes)
        return task.is_worse ? "worse, within the margin" : "";
    if (task.why != compare::Open::no)
        return reason_for(task.why);
    if (std::isnan(task.difference))
        return "its metric has no points";
    return task.items_needed > 0 ? fmt::format("about {} items would tell, there are {}",
                                               rounded_up(task.items_needed), task.items)
                                 : "it loses what the margin is";
}

std::string sentence_of(const Gate& gate, const compare::Comparison& comparison)
{
    const std::string points = fmt::format("{:g} {}", comparison.options.margin,
                                           comparison.options.margin == 1 ? "point" : "points");
    std::vector<std::string> tasks;
    for (const GateTask& task : gate.tasks)
        if (task.answer == gate.answer)
            tasks.push_back(task.task);
    if (gate.answer == Answer::yes)
        return fmt::format("yes: '{}' loses at most {} to '{}' on {}.", gate.row, points,
                           comparison.options.baseline,
                           tasks.size() == 1 ? tasks.front() : "every task");
    if (gate.answer == Answer::no)
        return fmt::format("no: '{}' loses more than {} to '{}' on {}.", gate.row, points,
                           comparison.options.baseline, fmt::join(tasks, ", "));
    return fmt::format("could not tell whether '{}' loses more than {} to '{}' on {}.", gate.row,
                       points, comparison.options.baseline, fmt::join(tasks, ", "));
}

} // namespace

std::string gates_to_terminal(const std::vector<Gate>& gates,
                              const compare::Comparison& comparison,
                              const TerminalStyle& style)
{
    std::string out;
    for (const Gate& gate : gates) {
        TextTable table{{{gate.row}, {"difference"}, {"at least"}, {"at most"}, {"passes"}, {""}}};
        for (const GateTask& task : gate.tasks)
            table.push_back({{task.task},
                             {points_text(task.difference)},
                             {points_text(task.least)},
                             {points_text(task.most)},
                             {std::string(name_of(task.answer))},
                             {reason_of(task)}});
        out += to_terminal(table, style) +
               base::wrapped(sentence_of(gate, comparison), style.width, 0) + "\n\n";
    }
    return out +
           base::wrapped("Points to the baseline; one-sided 95 % bounds; items for an answer in 80 "
                         "of 100 cases.",
                         style.width, 0) +
           "\n" + notes_to_terminal(comparison, style);
}

base::Json gates_to_json(const std::vector<Gate>& gates, const compare::Comparison& comparison)
{
    base::Json json = base::Json::array();
    for (const Gate& gate : gates) {
        base::Json tasks = base::Json::array();
        for (const GateTask& task : gate.tasks)
            tasks.push_back({{"task", task.task},
                             {"difference", task.difference},
                             {"low", task.least},
                             {"high", task.most},
                             {"p_loss", task.p_loss},
                             {"items", task.items},
                             {"items_needed", task.items_needed},
                             {"worse", task.is_worse},
                             {"answer", name_of(task.answer)},
                             {"reason", reason_of(task)}});
        json.push_back({{"encoder", gate.row},
                        {"baseline", comparison.options.baseline},
                        {"margin", comparison.options.margin},
                        {"answer", name_of(gate.answer)},
                        {"tasks", std::move(tasks)}});
    }
    return json;
}

std::string gates_to_junit(const std::vector<Gate>& gates, const compare::Comparison& comparison)
{
    using markup::escape;
    std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    for (const Gate& gate : gates) {
        const auto count = [&](Answer answer) {
            return std::ranges::count(gate.tasks, answer, &GateTask::answer);
        };
        markup::append(out, "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n",
                       escape(gate.row), gate.tasks.size(), count(Answer::no), count(Answer::open));
        for (const GateTask& task : gate.tasks) {
            markup::append(out, "<testcase classname=\"{}\" name=\"{}\">", escape(gate.row),
                           escape(task.task));
            const std::string text =
                std::isnan(task.least)
                    ? reason_of(task)
                    : fmt::format("{} points to {}, at least {}, at most {}; {}",
                                  points_text(task.difference), comparison.options.baseline,
                                  points_text(task.least), points_text(task.most), reason_of(task));
            if (task.answer != Answer::yes)
                markup::append(out, "<{0} message=\"{1}: {2}\"></{0}>",
                               task.answer == Answer::no ? "failure" : "error",
                               name_of(task.answer), escape(text));
            out += "</testcase>\n";
        }
        out += "</testsuite>\n";
    }
    return out + "</testsuites>\n";
}

} // namespace senteval::report
