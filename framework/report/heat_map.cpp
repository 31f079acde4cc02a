// Tables of shaded tiles: scores by encoder and task, and correlations between tasks.
#include "base/counted.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"
#include "stats/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace senteval::report::sections {
namespace {

using compare::Comparison;
using compare::Entry;
using compare::TaskComparison;
using markup::append;
using markup::number;

constexpr int last_shade = 9; ///< the darkest of ten
constexpr int first_dark = 6; ///< the first that carries light text

struct Tile {
    std::string fill; ///< classes of the cell
    std::string content;
};

Tile shaded(int shade, std::string content)
{
    return {fmt::format("h{}{}", shade, shade >= first_dark ? " on" : ""), std::move(content)};
}

/// A table of tiles; its headings are written downwards.
void tiles(std::string_view title,
           const std::vector<std::string>& rows,
           const std::vector<std::string>& columns,
           const std::function<Tile(std::size_t row, std::size_t column)>& tile,
           std::string& out)
{
    std::vector<markup::Head> heads{{""}};
    for (const std::string& name : columns)
        heads.push_back({name});
    out += "<div class=\"tiles\">";
    markup::open_table(out, title, heads);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        append(out, "<tr><th scope=\"row\">{}</th>", markup::row_name(rows[row]));
        for (std::size_t column = 0; column < columns.size(); ++column) {
            const auto [fill, content] = tile(row, column);
            append(out, "<td class=\"{}\">{}</td>", fill, content);
        }
        out += "</tr>";
    }
    markup::close_table(out);
    out += "</div></section>";
}

/// Shaded by its place between the worst value of the task and the best.
Tile score_tile(const Comparison& comparison, const TaskComparison& task, std::size_t row)
{
    const Entry& entry = task.entries[row];
    if (!entry.has_value())
        return {"none", entry.failed ? "failed" : ""};
    markup::Range range;
    for (const Entry& other : task.entries)
        range.add(other.score.value);
    const double worst = task.metric.higher_is_better ? range.low() : range.high();
    const double share = std::abs(entry.score.value - worst) / (range.high() - range.low());
    Tile tile = shaded(share > 0 ? static_cast<int>(share * last_shade) : 0,
                       short_number(entry.score.value, task.metric));
    tile.fill += is_bold(comparison, task, entry) ? " best" : "";
    return tile;
}

Tile correlation_tile(double r)
{
    if (std::isnan(r))
        return {"none", ""};
    if (r < -0.005) {
        const int shade = std::min(6, static_cast<int>(-r * 7));
        return {fmt::format("n{}{}", shade, shade >= 5 ? " on" : ""), number(r, 2)};
    }
    return shaded(std::clamp(static_cast<int>(r * 10), 0, last_shade), number(r, 2));
}

/// Spearman's correlations between the tasks over encoders: of each the first row, without projection. Empty for
/// fewer than three encoders or two tasks.
stats::TaskCorrelation correlations_of(const Page& page)
{
    constexpr std::size_t fewest_encoders = 3;
    std::vector<std::size_t> chosen;
    std::set<std::string> seen;
    for (std::size_t at = 0; at < page.comparison.rows.size(); ++at)
        if (const compare::Row* row = row_of(page, at);
            row != nullptr && row->projection.empty() && seen.insert(row->encoder).second)
            chosen.push_back(at);
    if (chosen.size() < fewest_encoders || page.comparison.tasks.size() < 2)
        return {};
    std::vector<std::vector<double>> values;
    for (const TaskComparison& task : page.comparison.tasks)
        for (values.emplace_back(); const std::size_t row : chosen)
            values.back().push_back(task.entries[row].score.value);
    return stats::task_correlation(values);
}

std::vector<std::string> headings(const Comparison& comparison)
{
    std::vector<std::string> names;
    for (const TaskComparison& task : comparison.tasks)
        names.push_back(heading_of(task));
    return names;
}

} // namespace

void heat_map(const Page& page, std::string& out)
{
    const Comparison& comparison = page.comparison;
    if (comparison.rows.empty() || comparison.tasks.empty())
        return;
    markup::open_section(out, "heat-map", "Heat map",
                         "Shades go from the worst value of a column to its best. Outlined: " +
                             std::string(comparison.options.baseline.empty()
                                             ? "the best, and what is not significantly worse."
                                             : "significantly better than the baseline."));
    tiles(
        "Heat map of scores", comparison.rows, headings(comparison),
        [&](std::size_t row, std::size_t task) {
            return score_tile(comparison, comparison.tasks[task], row);
        },
        out);
}

void task_correlations(const Page& page, std::string& out)
{
    const stats::TaskCorrelation found = correlations_of(page);
    if (found.tasks < 2)
        return;
    markup::open_section(
        out, "correlation", "Task correlation",
        fmt::format("Do two tasks order the encoders alike? Spearman's correlation over at most "
                    "{}; with so few it is uncertain. Empty: fewer than three in common.",
                    base::counted(*std::ranges::max_element(found.n), "encoder")));
    const std::vector<std::string> names = headings(page.comparison);
    tiles(
        "Correlation between tasks", names, names,
        [&](std::size_t row, std::size_t column) {
            return correlation_tile(found.at(row, column));
        },
        out);
}

} // namespace senteval::report::sections
