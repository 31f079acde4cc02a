#include "report/html.hpp"
#include "base/counted.hpp"
#include "report/markup.hpp"
#include "report/page_script.hpp"
#include "report/page_style.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace senteval::report {
namespace {

using markup::append;
using markup::escape;

struct Section {
    std::string_view id;
    std::string_view title;
    void (*render)(const Page&, std::string&);
};

constexpr std::array<Section, 15> all_sections = {{
    {"leaderboard", "Leaderboard", sections::leaderboard},
    {"scores", "Scores by task", sections::scores},
    {"differences", "Differences", sections::differences},
    {"heat-map", "Heat map", sections::heat_map},
    {"curve", "Scores over steps", sections::curve},
    {"dimension", "Score over dimension", sections::dimensions},
    {"cost", "Quality over cost", sections::costs},
    {"losses", "What smaller vectors lose", sections::losses},
    {"correlation", "Task correlation", sections::task_correlations},
    {"seeds", "Seeds", sections::seeds},
    {"slices", "Slices", sections::slices},
    {"classes", "Classes", sections::classes},
    {"errors", "Worst errors", sections::worst_errors},
    {"published", "Published results", sections::published},
    {"provenance", "Methods and provenance", sections::provenance},
}};

/// "senteval 0.1.0 · 6 encoders · 10 tasks · results up to 2026-01-31"
std::string subtitle(const Page& page)
{
    std::string date;
    for (const results::Cell* cell : page.results.cells())
        date = std::max(date, cell->result.run.date);
    std::string text = page.program.empty() ? "" : page.program + " · ";
    append(text, "{} · {}", base::counted(page.comparison.rows.size(), "encoder"),
           base::counted(page.comparison.tasks.size(), "task"));
    if (const std::string seeds = seeds_of(page.comparison); !seeds.empty())
        append(text, " · {}", seeds);
    if (!date.empty())
        append(text, " · results up to {}", date.substr(0, date.find('T')));
    return text;
}

} // namespace

std::string to_html(const Page& page)
{
    std::string body;
    std::string navigation;
    for (const Section& section : all_sections) {
        const std::size_t before = body.size();
        section.render(page, body);
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
           "<a class=\"skip\" href=\"#main\">Skip to the results</a>\n",
           escape(page.title), page_style);
    append(out,
           "<header><h1>{}</h1><p class=\"meta\">{}</p><nav aria-label=\"Contents\"><ul>{}</ul>"
           "</nav></header>\n<main id=\"main\">",
           escape(page.title), escape(subtitle(page)), navigation);
    append(out,
           "{}</main>\n<footer>One file, complete in itself: nothing was fetched to show it."
           "</footer><div id=\"sort-status\" class=\"visually-hidden\" role=\"status\"></div>"
           "<script>{}</script></body></html>\n",
           body, page_script);
    return out;
}

using compare::Comparison;
using compare::TaskComparison;

std::vector<TaskGroup> groups_of(const Comparison& comparison)
{
    std::vector<TaskGroup> groups;
    for (std::size_t task = 0; task < comparison.tasks.size(); ++task) {
        const std::string& named = comparison.tasks[task].group;
        const std::string group = named.empty() ? "other" : named;
        if (groups.empty() || groups.back().name != group)
            groups.push_back({group, task, task});
        groups.back().end = task + 1;
    }
    return groups;
}

std::vector<std::size_t> by_value(const TaskComparison& task)
{
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < task.entries.size(); ++row)
        if (task.entries[row].has_value() || task.entries[row].failed)
            rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
        const double first = task.entries[a].score.value;
        const double second = task.entries[b].score.value;
        return !std::isnan(first) && (std::isnan(second) || task.metric.is_better(first, second));
    });
    return rows;
}

const compare::Row* row_of(const Page& page, std::size_t row)
{
    const auto& rows = page.results.rows();
    const auto at = std::ranges::find(rows, page.comparison.rows[row], &compare::Row::label);
    return at == rows.end() ? nullptr : &*at;
}

compare::Runs runs_of(const Page& page, std::size_t row, const std::string& task)
{
    const auto& tasks = page.results.tasks();
    const auto at = std::ranges::find(tasks, task);
    const compare::Row* found = row_of(page, row);
    return found == nullptr || at == tasks.end()
               ? compare::Runs{}
               : found->tasks[static_cast<std::size_t>(at - tasks.begin())];
}

} // namespace senteval::report
