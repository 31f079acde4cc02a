// Scores over the steps of a training: rows whose labels differ by the number at their end.
#include "report/markup.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace senteval::report {
namespace {

using markup::append;

using Steps = std::vector<std::pair<double, std::size_t>>; // step and row

/// Rows by what stands before the number, of three steps or more.
std::map<std::string, Steps> trainings_of(const compare::Comparison& comparison)
{
    std::map<std::string, Steps> all;
    for (std::size_t row = 0; row < comparison.rows.size(); ++row) {
        const std::string& label = comparison.rows[row];
        const std::size_t digits = label.find_last_not_of("0123456789") + 1;
        if (digits > 0 && digits < label.size() && label.size() - digits < 16)
            all[label.substr(0, digits)].emplace_back(std::stod(label.substr(digits)), row);
    }
    std::erase_if(all, [](const auto& one) { return one.second.size() < 3; });
    for (auto& [stem, steps] : all)
        std::ranges::sort(steps);
    return all;
}

void draw(const compare::TaskComparison& task,
          const std::string& stem,
          const Steps& steps,
          std::string& out)
{
    constexpr double left = 56;
    constexpr double right = 420;
    constexpr double top = 12;
    constexpr double bottom = 190;
    markup::Range xs;
    markup::Range ys;
    const auto estimate_of = [&](std::size_t row) {
        return markup::Estimate{task.entries[row].score.value, task.entries[row].score.interval};
    };
    for (const auto& [step, row] : steps)
        if (estimate_of(row).known()) {
            xs.add(step);
            ys.add(estimate_of(row));
        }
    if (!(xs.low() < xs.high()))
        return;
    const markup::Axis x(xs.low(), xs.high(), left, right);
    const markup::Axis y(ys.low(), ys.high(), bottom, top);
    append(out, "<figure><figcaption>{}, {}</figcaption>", markup::escape(task.task),
           markup::escape(task.metric.axis()));
    markup::open_svg(out, right + 12, bottom + 34, fmt::format("{} of {}", task.task, stem), "");
    for (const double tick : x.ticks())
        markup::text(out, x.at(tick), bottom + 16, "m t q", fmt::format("{:g}", tick));
    for (const double tick : y.ticks()) {
        append(out, "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", left, y.at(tick), right);
        markup::text(out, left - 6, y.at(tick) + 4, "e t q",
                     markup::number(tick, y.tick_decimals()));
    }
    std::string path;
    for (const auto& [step, row] : steps) {
        const markup::Estimate estimate = estimate_of(row);
        if (!estimate.known())
            continue;
        append(path, "{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.at(step), y.at(estimate.value));
        if (estimate.has_interval())
            append(out, "<path class=\"whisker\" d=\"M{0:.1f} {1:.1f}V{2:.1f}\"/>", x.at(step),
                   y.at(estimate.interval.low), y.at(estimate.interval.high));
        append(out,
               "<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\"><title>{}: "
               "{}</title></circle>",
               x.at(step), y.at(estimate.value), step, task.metric.text(estimate.value));
    }
    append(out, "<path class=\"ref\" fill=\"none\" d=\"{}\"/></svg></figure>\n", path);
}

} // namespace

void sections::curve(const Page& page, std::string& out)
{
    const auto trainings = trainings_of(page.comparison);
    if (trainings.empty())
        return;
    markup::open_section(
        out, "curve", "Scores over steps",
        "Rows whose names differ by the number at their end, with 95 % intervals of "
        "each alone.");
    for (const auto& [stem, steps] : trainings) {
        append(out, "<h3>{}…</h3><div class=\"figures\" style=\"--figure:450px\">",
               markup::escape(stem));
        for (const compare::TaskComparison& task : page.comparison.tasks)
            draw(task, stem, steps, out);
        out += "</div>";
    }
    out += "</section>";
}

} // namespace senteval::report
