#include "report/html.hpp"

#include "core/error.hpp"
#include "report/markup.hpp"
#include "report/page_fills.hpp"
#include "report/page_script.hpp"
#include "report/page_style.hpp"
#include "report/sections.hpp"

#include <algorithm>
#include <array>

namespace senteval::report {
namespace {

using markup::append;
using markup::escape;

void require(bool fits, std::string_view what)
{
    if (!fits)
        throw core::Error("the report's document does not fit together: {}", what);
}

void check_series(const std::vector<Series>& series, std::size_t length, std::string_view what)
{
    for (const Series& line : series)
        require(line.values.size() == length, what);
}

void check(const Document& document)
{
    require(document.cells.size() == document.encoders.size() * document.tasks.size(),
            "cells are encoders x tasks");
    const auto& matrix = document.correlations;
    require(matrix.r.size() == matrix.tasks.size() * matrix.tasks.size() &&
                matrix.n.size() == matrix.r.size(),
            "correlations are tasks x tasks");
    for (const DimensionCurves& curves : document.dimension_curves)
        check_series(curves.encoders, curves.dimensions.size(),
                     "a curve has a value per dimension");
    for (const Slices& slices : document.slices) {
        require(slices.items.size() == slices.parts.size(), "slices have a size per part");
        check_series(slices.encoders, slices.parts.size(), "slices have a value per part");
    }
    for (const PublishedTable& table : document.published)
        for (const auto& row : table.rows)
            require(row.values.size() == table.columns.size(),
                    "published rows have a value per column");
}

struct Section {
    std::string_view id;
    std::string_view title;
    void (*render)(const Document&, std::string&);
};

constexpr std::array<Section, 13> all_sections = {{
    {"leaderboard", "Leaderboard", sections::leaderboard},
    {"forest", "Scores by task", sections::forest_plots},
    {"differences", "Differences", sections::differences},
    {"heat-map", "Heat map", sections::heat_map},
    {"dimension", "Score over dimension", sections::dimension_curves},
    {"correlation", "Task correlation", sections::task_correlations},
    {"side-by-side", "Side by side", sections::side_by_side},
    {"seeds", "Seeds", sections::seeds},
    {"slices", "Slices", sections::slices},
    {"errors", "Worst errors", sections::worst_errors},
    {"timing", "Timing", sections::timing},
    {"published", "Published results", sections::published},
    {"provenance", "Provenance", sections::provenance},
}};

void header(const Document& document, std::string_view navigation, std::string& out)
{
    append(out, "<header><h1>{}</h1><p class=\"meta\">{}</p>", escape(document.title),
           escape(document.subtitle));
    const auto done = std::count_if(document.cells.begin(), document.cells.end(),
                                    [](const Cell& cell) { return cell.score.known(); });
    append(out, "<dl class=\"numbers\"><div><dt>encoders</dt><dd>{}</dd></div>",
           document.encoders.size());
    append(out, "<div><dt>tasks</dt><dd>{}</dd></div>", document.tasks.size());
    append(out, "<div><dt>results of {}</dt><dd>{}</dd></div></dl>", document.cells.size(), done);
    append(out, "<nav aria-label=\"Contents\"><ul>{}</ul></nav></header>\n", navigation);
}

} // namespace

std::string to_html(const Document& document)
{
    check(document);
    std::string body;
    std::string navigation;
    for (const Section& section : all_sections) {
        const std::size_t before = body.size();
        section.render(document, body);
        if (body.size() > before)
            append(navigation, "<li><a href=\"#{}\">{}</a></li>", section.id, section.title);
    }
    std::string out;
    append(out,
           "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
           "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">"
           "<link rel=\"icon\" href=\"data:,\"><title>{}</title><style>{}</style></head>\n<body>"
           "<a class=\"skip\" href=\"#main\">Skip to the results</a>{}\n",
           escape(document.title), page_style, page_fills);
    header(document, navigation, out);
    out += "<main id=\"main\">";
    sections::verdict(document, out);
    sections::warnings(document, out);
    out += body;
    out +=
        "</main>\n<footer>One file, complete in itself: nothing was fetched to show it.</footer>";
    append(out,
           "<div id=\"sort-status\" class=\"visually-hidden\" role=\"status\"></div>"
           "<script>{}</script></body></html>\n",
           page_script);
    return out;
}

} // namespace senteval::report
