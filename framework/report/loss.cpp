// What the smaller vectors of an encoder lose: a table for each that has some, and what to take.
#include "compare/loss.hpp"
#include "base/counted.hpp"
#include "base/terminal.hpp"
#include "report/formats.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ranges>

namespace senteval::report {
namespace {

using compare::Comparison;
using compare::Losses;
using compare::VariantLoss;

/// In the unit of the losses.
std::string equal_within(const Losses& losses, const Comparison& comparison)
{
    return fmt::format("equal within {:g}",
                       comparison.options.margin * *compare::points(losses.tasks.front().metric));
}

std::string share_text(double share)
{
    return fmt::format("{:.{}f} %", 100 * share, share < 0.1 ? 1 : 0);
}

TextTable table_of(const Losses& losses, const Comparison& comparison)
{
    const results::Metric& metric = losses.tasks.front().metric;
    TextTable table = {
        {{"vectors"}, {"verdict"}, {"bytes"}, {"mean loss, " + metric.unit}, {"worst task"}}};
    for (const VariantLoss& variant : losses.variants) {
        const std::string worst =
            fmt::format("{} {}", short_name(losses.tasks[variant.worst].task),
                        short_number(losses.loss(variant.worst, variant.row), metric));
        table.push_back(
            {{variant.name},
             {variant.verdict == "equal" ? equal_within(losses, comparison)
                                         : std::string(variant.verdict)},
             {share_text(variant.share)},
             {short_number(variant.mean, metric), false, short_interval(variant.interval, metric)},
             {std::isnan(variant.mean) ? "-" : worst}});
    }
    return table;
}

/// What to take.
std::string last_line(const Losses& losses, const Comparison& comparison)
{
    std::string text = "--margin 1 tests which are equal within 1 point.";
    if (losses.smallest) {
        const VariantLoss& taken = losses.variants[*losses.smallest];
        text = fmt::format("Take {}: {}, at {} of the bytes.", comparison.rows[taken.row],
                           equal_within(losses, comparison), share_text(taken.share));
    } else if (comparison.options.margin > 0)
        text = "Take the full vectors: no smaller ones are shown to be " +
               equal_within(losses, comparison) + '.';
    if (losses.open != compare::Open::no)
        text += fmt::format(" No verdict: {}.", reason_for(losses.open));
    return text;
}

} // namespace

void sections::losses(const Page& page, std::string& out)
{
    const Comparison& comparison = page.comparison;
    const auto all = compare::losses_of(page.results, comparison);
    if (all.empty())
        return;
    markup::open_section(out, "losses", "What smaller vectors lose",
                         "Against the full vectors of the same encoder, with 95 % intervals of "
                         "paired differences.");
    for (const Losses& losses : all) {
        markup::append(out, "<h3>{}, {}</h3>", markup::escape(comparison.rows[losses.full]),
                       base::counted(losses.tasks.size(), "task"));
        to_html(table_of(losses, comparison), "What smaller vectors lose", out);
        markup::append(out, "<p>{}</p>", markup::escape(last_line(losses, comparison)));
    }
    out += "</section>";
}

std::string losses_to_terminal(const std::vector<Losses>& all,
                               const Comparison& comparison,
                               const TerminalStyle& style)
{
    std::string out;
    for (const Losses& losses : all) {
        const std::string title = fmt::format(
            "{} against its full vectors, {} (95 % intervals, paired)",
            one_line(comparison.rows[losses.full]), base::counted(losses.tasks.size(), "task"));
        out += fmt::format("\n{}\n{}{}\n", base::wrapped(title, style.width, 0),
                           to_terminal(table_of(losses, comparison), style),
                           base::wrapped(last_line(losses, comparison), style.width, 0));
    }
    if (!all.empty())
        out += base::wrapped("Here each variant is tested alone against its full vectors; = above "
                             "is adjusted for all pairs of rows. undecided: neither equal nor "
                             "different is shown. not tested: an earlier one was not equal.",
                             style.width, 0) +
               '\n';
    return out;
}

base::Json losses_to_json(const std::vector<Losses>& all, const Comparison& comparison)
{
    base::Json json = base::Json::array();
    for (const Losses& losses : all)
        for (const VariantLoss& variant : losses.variants) {
            json.push_back({{"encoder", comparison.rows[variant.row]},
                            {"against", comparison.rows[losses.full]},
                            {"unit", losses.tasks.front().metric.unit},
                            {"share_of_bytes", variant.share},
                            {"worst_task", losses.tasks[variant.worst].task},
                            {"worst_loss", losses.loss(variant.worst, variant.row)},
                            {"mean_loss", variant.mean},
                            {"low", variant.interval.low},
                            {"high", variant.interval.high},
                            {"verdict", variant.verdict}});
        }
    return json;
}

} // namespace senteval::report
