// Quality over cost: the table of `compare --cost`, and the picture of the report.
#include "compare/cost.hpp"
#include "base/byte_text.hpp"
#include "base/terminal.hpp"
#include "report/formats.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

namespace senteval::report {
namespace {

using compare::Comparison;
using compare::CostRow;
using compare::Costs;
using compare::Measured;

std::string number_or_none(double value)
{
    return std::isnan(value) ? "-"
           : value >= 100    ? fmt::format("{:.0f}", value)
                             : fmt::format("{:.3g}", value);
}

std::string memory_text(const Measured& measured)
{
    return measured.peak_bytes == 0 ? "-"
                                    : base::byte_text(static_cast<double>(measured.peak_bytes));
}

std::string quality_text(const CostRow& row)
{
    if (std::isnan(row.quality))
        return "-";
    const stats::Interval interval = row.interval();
    return fmt::format("{:.1f}", row.quality) +
           (std::isnan(interval.low)
                ? ""
                : fmt::format(" [{:.1f}, {:.1f}]", interval.low, interval.high));
}

struct CostColumn {
    std::string heading;
    std::function<std::string(const CostRow&)> text;
};

/// Behind the names, of every table; `costs` must outlive them.
std::vector<CostColumn> columns_of(const Costs& costs)
{
    std::vector<CostColumn> columns = {
        {"quality", quality_text},
        {"dim", [](const CostRow& row) { return fmt::format("{}", row.dimension); }},
        {"bytes", [](const CostRow& row) { return fmt::format("{}", row.bytes); }}};
    const auto add = [&](const char* heading, auto text) {
        columns.push_back({heading, [text](const CostRow& row) {
                               return row.measured ? text(*row.measured) : "-";
                           }});
    };
    if (!costs.computers.empty()) {
        add("sentences/s", [](const Measured& m) { return number_or_none(m.per_second); });
        add("of processor",
            [](const Measured& m) { return number_or_none(m.per_processor_second); });
        add("first call s",
            [](const Measured& m) { return number_or_none(m.seconds_of_first_call); });
        add("memory", memory_text);
    }
    if (costs.computers.size() > 1)
        add("computer", [&](const Measured& m) {
            const auto at = std::ranges::find(costs.computers, m.computer);
            return fmt::format("{}", at - costs.computers.begin() + 1);
        });
    return columns;
}

/// Costs of encoders on other computers than the table's, by computer.
std::map<std::string, std::vector<std::string>> elsewhere(const Costs& costs,
                                                          const Comparison& comparison)
{
    std::map<std::string, std::vector<std::string>> all;
    for (std::size_t at = 0; at < costs.rows.size(); ++at)
        for (const Measured& measured : costs.rows[at].elsewhere)
            if (costs.rows[at].full == at) // its variants cost the same
                all[measured.computer].push_back(
                    fmt::format("{} {} sentences/s, {}", comparison.rows[at],
                                number_or_none(measured.per_second), memory_text(measured)));
    return all;
}

base::Json json_of(const Measured& measured)
{
    return {{"computer", measured.computer},
            {"sentences_per_second", measured.per_second},
            {"sentences_per_processor_second", measured.per_processor_second},
            {"seconds_of_first_call", measured.seconds_of_first_call},
            {"peak_bytes", measured.peak_bytes}};
}

/// Sentences on what the table says.
std::vector<std::string> remarks_on(const Costs& costs, const Comparison& comparison)
{
    std::vector<std::string> remarks;
    if (costs.tasks.empty())
        remarks.emplace_back("quality: there is no task in points on which every row has a score");
    else
        remarks.push_back(fmt::format("quality: the mean over {} in points (1 % of an accuracy, "
                                      ".01 of a correlation), with 95 % intervals",
                                      fmt::join(costs.tasks, ", ")));
    for (std::size_t at = 0; at < costs.rows.size(); ++at)
        if (const auto& tasks = costs.rows[at].undefined; !tasks.empty())
            remarks.push_back(fmt::format("{} is left out of it: its score is undefined on {}",
                                          comparison.rows[at], fmt::join(tasks, ", ")));
    for (std::size_t at = 0; at < costs.computers.size(); ++at)
        remarks.push_back(costs.computers.size() == 1
                              ? "measured on " + costs.computers[at]
                              : fmt::format("computer {}: {}", at + 1, costs.computers[at]));
    if (costs.computers.empty())
        remarks.emplace_back("sentences/s and memory: run --cost measures them");
    else if (costs.computers.size() > 1)
        remarks.emplace_back("time and memory of different computers are not compared");
    for (const auto& [computer, values] : elsewhere(costs, comparison))
        remarks.push_back(
            fmt::format("measured earlier on {}: {}", computer, fmt::join(values, "; ")));
    return remarks;
}

TextTable geometry_table(const Costs& costs, const Comparison& comparison)
{
    TextTable table = {{{"task"},
                        {"encoder"},
                        {"alignment"},
                        {"uniformity"},
                        {"effective rank"},
                        {"hubness"},
                        {"texts"},
                        {"pairs"}}};
    const auto number = [](double value) {
        return TextCell{std::isnan(value) ? "-" : fmt::format("{:.3f}", value)};
    };
    for (const compare::RowGeometry& one : costs.geometry)
        table.push_back({{one.task},
                         {one_line(comparison.rows[one.row])},
                         number(one.alignment),
                         number(one.uniformity),
                         number(one.effective_rank),
                         number(one.hubness),
                         {fmt::format("{}", one.texts)},
                         {fmt::format("{}", one.pairs)}});
    return table;
}

constexpr std::string_view geometry_legend =
    "alignment of pairs that are alike, and uniformity: less is better (Wang & Isola 2020); "
    "effective rank: directions that are "
    "used; hubness: skewness of how often a text is among the ten nearest of others";

void geometry_to_html(const TextTable& table, std::string& out)
{
    to_html(table, "How vectors lie in their space", out);
    markup::append(out, "<p class=\"note\">{}.</p>", geometry_legend);
}

} // namespace

std::string
costs_to_terminal(const Costs& costs, const Comparison& comparison, const TerminalStyle& style)
{
    TextTable table = {{{"encoder"}}};
    for (const std::string& row : comparison.rows)
        table.push_back({{one_line(row)}});
    for (const CostColumn& column : columns_of(costs)) {
        table.front().push_back({column.heading});
        for (std::size_t at = 0; at < costs.rows.size(); ++at)
            table[at + 1].push_back({column.text(costs.rows[at])});
    }
    std::string out = to_terminal(table, style);
    for (const std::string& remark : remarks_on(costs, comparison))
        out += base::wrapped(remark, style.width, 2, base::LongWords::broken) + '\n';
    if (!costs.geometry.empty())
        out += '\n' + to_terminal(geometry_table(costs, comparison), style) +
               base::wrapped(geometry_legend, style.width, 2) + '\n';
    return out;
}

base::Json costs_to_json(const Costs& costs, const Comparison& comparison)
{
    base::Json rows = base::Json::array();
    for (std::size_t at = 0; at < costs.rows.size(); ++at) {
        const CostRow& row = costs.rows[at];
        base::Json json = {{"encoder", comparison.rows[at]},
                           {"quality", row.quality},
                           {"standard_error", row.standard_error},
                           {"dimension", row.dimension},
                           {"bytes", row.bytes}};
        if (row.full != at)
            json["variant_of"] = comparison.rows[row.full];
        if (row.measured)
            json.update(json_of(*row.measured));
        for (const Measured& measured : row.elsewhere)
            json["elsewhere"].push_back(json_of(measured));
        if (!row.undefined.empty())
            json["undefined_on"] = row.undefined;
        rows.push_back(std::move(json));
    }
    base::Json geometry = base::Json::array();
    for (const compare::RowGeometry& one : costs.geometry)
        geometry.push_back({{"task", one.task},
                            {"encoder", comparison.rows[one.row]},
                            {"texts", one.texts},
                            {"pairs", one.pairs},
                            {"alignment", one.alignment},
                            {"uniformity", one.uniformity},
                            {"effective_rank", one.effective_rank},
                            {"hubness", one.hubness}});
    return {{"tasks", costs.tasks}, {"rows", rows}, {"geometry", geometry}};
}

namespace {

using markup::append;

struct CostDot {
    std::size_t row = 0;
    double x = 0; ///< less is better
};

/// The front of the dots from the cheapest on, each better than all before it.
std::vector<CostDot> front_of(std::vector<CostDot> dots, const Costs& costs)
{
    std::ranges::sort(dots, {}, [&](const CostDot& dot) {
        return std::pair(dot.x, -costs.rows[dot.row].quality);
    });
    std::vector<CostDot> front;
    for (const CostDot& dot : dots)
        if (front.empty() || costs.rows[dot.row].quality > costs.rows[front.back().row].quality)
            front.push_back(dot);
    return front;
}

/// 1, 2, 5, 10, ... from at most `low` to at least `high`, all as logarithms; over more than three decades only the
/// powers of ten.
std::vector<double> round_ticks(double low, double high)
{
    constexpr double nearly = 1e-9;
    std::vector<double> ticks;
    for (double decade = std::floor(low + nearly);; ++decade)
        for (const double digit : {1.0, 2.0, 5.0}) {
            const double tick = decade + std::log10(digit);
            if (digit > 1 && high - low > 3)
                break;
            if (tick <= low + nearly)
                ticks.clear();
            ticks.push_back(tick);
            if (tick >= high - nearly)
                return ticks;
        }
}

/// Draws scores over a cost that has more than one value; rows with NaN are not in the picture.
void picture(const Costs& costs,
             const Comparison& comparison,
             std::string_view title,
             double (*cost_of)(const CostRow&),
             std::string& out)
{
    constexpr double left = 48;
    constexpr double right = 400;
    constexpr double top = 26;  // below the title of its axis
    constexpr double line = 14; // height of a name
    std::vector<CostDot> dots;
    markup::Range xs;
    markup::Range ys;
    for (std::size_t row = 0; row < costs.rows.size(); ++row) {
        const double x = std::log10(cost_of(costs.rows[row]));
        if (!std::isfinite(x) || std::isnan(costs.rows[row].quality))
            continue;
        dots.push_back({row, x});
        xs.add(x);
        ys.add(markup::Estimate{costs.rows[row].quality, costs.rows[row].interval()});
    }
    if (!(xs.low() < xs.high()))
        return;
    std::ranges::sort(dots, std::greater<>(), // as the names stand
                      [&](const CostDot& dot) { return costs.rows[dot.row].quality; });
    std::size_t widest = 0;
    for (const CostDot& dot : dots)
        widest = std::max(widest, base::display_width(comparison.rows[dot.row]));
    const double names = right + 24;
    const double bottom = std::max(280.0, top + line * static_cast<double>(dots.size()));
    const auto ticks = round_ticks(xs.low(), xs.high());
    const markup::Axis across(ticks.front(), ticks.back(), left, right);
    const markup::Axis up(ys.low(), ys.high(), bottom, top);
    append(out, "<figure><figcaption><b>Quality over {}</b></figcaption>", title);
    markup::open_svg(out, names + 7.0 * static_cast<double>(widest), bottom + 36,
                     fmt::format("Quality over {}", title), "");
    for (const double tick : up.ticks()) {
        append(out, "<path class=\"grid\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", left, up.at(tick), right);
        markup::text(out, left - 6, up.at(tick) + 4, "e t q",
                     markup::number(tick, up.tick_decimals()));
    }
    for (const double tick : ticks) {
        append(out, "<path class=\"grid\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", across.at(tick), top,
               bottom);
        markup::text(out, across.at(tick), bottom + 14, "m t q",
                     number_or_none(std::pow(10, tick)));
    }
    append(out, "<path class=\"axis\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>", left, bottom, right);
    markup::text(out, (left + right) / 2, bottom + 29, "m t q",
                 fmt::format("{} (logarithmic)", title));
    markup::text(out, left, top - 12, "s t q", "quality, the mean in points");
    const auto front = front_of(dots, costs);
    std::string steps;
    for (const CostDot& dot : front)
        append(steps, "{}{:.1f}{}{:.1f}", steps.empty() ? "M" : "H", across.at(dot.x),
               steps.empty() ? " " : "V", up.at(costs.rows[dot.row].quality));
    append(out, "<path class=\"ref\" fill=\"none\" d=\"{}\"/>", steps);
    double height = top - line; // of the name before
    for (std::size_t at = 0; at < dots.size(); ++at) {
        const CostRow& row = costs.rows[dots[at].row];
        const std::string& name = comparison.rows[dots[at].row];
        const bool is_on_front =
            std::ranges::find(front, dots[at].row, &CostDot::row) != front.end();
        const double x = across.at(dots[at].x);
        const double y = up.at(row.quality);
        height = std::max(height + line, // room is left for the names to come
                          std::min(y, bottom - line * static_cast<double>(dots.size() - 1 - at)));
        append(out, "<path class=\"leader\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}H{:.1f}\"/>", x + 4, y,
               right + 4, height, names - 3);
        if (const stats::Interval interval = row.interval(); !std::isnan(interval.low))
            append(out, "<path class=\"whisker{}\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>",
                   is_on_front ? "" : " far", x, up.at(interval.low), up.at(interval.high));
        append(out,
               "<circle class=\"dot{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\"><title>{}: "
               "{}</title></circle>",
               is_on_front ? "" : " open", x, y, markup::escape(name), quality_text(row));
        markup::text(out, names, height + 4, is_on_front ? "s t b" : "s t", name);
    }
    out += "</svg></figure>\n";
}

} // namespace

void sections::costs(const Page& page, std::string& out)
{
    const Comparison& comparison = page.comparison;
    const Costs costs = compare::costs_of(page.results, comparison);
    if (costs.is_empty())
        return;
    markup::open_section(
        out, "cost", "Quality over cost",
        "One dot a row, with 95 % intervals of the mean over the tasks. Dashed, and in bold: the "
        "best quality at that cost or less.");
    out += "<div class=\"figures\" style=\"--figure:450px\">";
    picture(
        costs, comparison, "bytes of a vector",
        [](const CostRow& row) {
            return row.bytes == 0 ? base::nan : static_cast<double>(row.bytes);
        },
        out);
    if (costs.computers.size() == 1)
        picture(
            costs, comparison, "seconds of a thousand sentences",
            [](const CostRow& row) {
                return row.measured ? 1000 / row.measured->per_second : base::nan;
            },
            out);
    out += "</div><p class=\"note\">Quality averages accuracies, nDCG and r × 100, which the "
           "leaderboard keeps apart: read it as a guide to cost alone.</p>";
    std::vector<markup::Head> heads{{"Encoder"}};
    const auto columns = columns_of(costs);
    for (const CostColumn& column : columns)
        heads.push_back({column.heading});
    markup::open_table(out, "Quality and cost", heads);
    for (std::size_t at = 0; at < costs.rows.size(); ++at) {
        append(out, "<tr><th scope=\"row\">{}</th>", markup::row_name(comparison.rows[at]));
        for (const CostColumn& column : columns)
            append(out, "<td>{}</td>", markup::escape(column.text(costs.rows[at])));
        out += "</tr>";
    }
    markup::close_table(out);
    if (!costs.geometry.empty())
        geometry_to_html(geometry_table(costs, comparison), out);
    out += "<ul>";
    for (const std::string& remark : remarks_on(costs, comparison))
        append(out, "<li>{}</li>", markup::escape(remark));
    out += "</ul></section>";
}

} // namespace senteval::report
