#include "compare/gate.hpp"

#include "base/error.hpp"
#include "stats/interval.hpp"
#include "stats/multiple.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::compare {
namespace {

/// Probability that Student's t is at most that.
double below(double t, double freedom)
{
    const double tail = stats::t_p_value(std::abs(t), freedom) / 2;
    return t < 0 ? tail : 1 - tail;
}

/// `tasks`: that share the error of a no.
GateTask bounds_on(const TaskComparison& task, const Entry& entry, double margin, std::size_t tasks)
{
    GateTask gate{.task = task.task, .items = entry.score.items, .why = entry.difference.open};
    const auto point = points(task.metric);
    const Difference& found = entry.difference;
    if (!point || std::isnan(found.value))
        return gate;
    const double unit = task.metric.higher_is_better ? *point : -*point;
    gate.difference = found.value / unit;
    const bool is_exact = std::isnan(found.standard_error) && entry.verdict == Verdict::same;
    if (gate.why != Open::no || (std::isnan(found.standard_error) && !is_exact))
        return gate;
    const double error = is_exact ? 0 : found.standard_error / *point;
    const double half = error > 0 ? stats::t_quantile(2 * level, found.freedom) * error : 0;
    gate.least = gate.difference - half;
    gate.most = gate.difference + half;
    const double beyond = gate.difference + margin; // negative: it loses more
    gate.p_loss = error > 0 ? below(beyond / error, found.freedom) : beyond < 0 ? 0 : 1;
    gate.is_worse = gate.most < 0;
    if (error > 0 && beyond != 0) {
        const double alpha = 2 * level / (beyond > 0 ? 1 : static_cast<double>(tasks));
        const double found_now =
            stats::detectable_difference(error, found.freedom, {.alpha = alpha});
        const double times = found_now / beyond;
        gate.items_needed =
            static_cast<std::size_t>(std::ceil(static_cast<double>(gate.items) * times * times));
    }
    return gate;
}

/// Throws where a row lacks a task.
void require_complete(const Comparison& comparison)
{
    for (const TaskComparison& task : comparison.tasks)
        for (std::size_t row = 0; row < comparison.rows.size(); ++row)
            if (!task.entries[row].has_value())
                throw base::Error(
                    "--gate: '{}' has no result of {}, and a gate needs all. Run it, or "
                    "choose by --tasks and --encoders",
                    comparison.rows[row], task.task);
}

} // namespace

std::vector<Gate> gates_of(const Comparison& comparison)
{
    require_complete(comparison);
    const double margin = comparison.options.margin;
    std::vector<Gate> gates;
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
        if (comparison.rows[row] == comparison.options.baseline)
            continue;
        Gate gate{.row = comparison.rows[row], .tasks = {}};
        std::vector<double> p_values;
        for (const TaskComparison& task : comparison.tasks) {
            gate.tasks.push_back(
                bounds_on(task, task.entries[row], margin, comparison.tasks.size()));
            p_values.push_back(std::isnan(gate.tasks.back().p_loss) ? 1 : gate.tasks.back().p_loss);
        }
        const auto adjusted = stats::holm(p_values);
        for (std::size_t task = 0; task < gate.tasks.size(); ++task) {
            GateTask& one = gate.tasks[task];
            one.p_loss = std::isnan(one.p_loss) ? one.p_loss : adjusted[task];
            one.answer = one.least > -margin  ? Answer::yes
                         : one.p_loss < level ? Answer::no
                                              : Answer::open;
            if (one.answer != Answer::open)
                one.items_needed = 0;
        }
        const auto has = [&](Answer answer) {
            return std::ranges::count(gate.tasks, answer, &GateTask::answer) > 0;
        };
        gate.answer = has(Answer::no) ? Answer::no : has(Answer::open) ? Answer::open : Answer::yes;
        gates.push_back(std::move(gate));
    }
    return gates;
}

} // namespace senteval::compare
