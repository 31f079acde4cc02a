// A classification class by class: precision, recall, F1, and which class was taken for which.
#include "measures/classes.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"
#include "report/words.hpp"
#include "results/classes.hpp"

#include <algorithm>

namespace senteval::report::sections {
namespace {

constexpr std::size_t most_classes = 30; ///< more are no table that is read

/// Report on the test items of all runs.
measures::ClassReport report_of(const compare::Runs& runs, std::size_t classes)
{
    results::Classes of_items;
    for (const results::Cell* cell : runs)
        of_items.add(cell->items.outcomes.rows);
    return measures::class_report(of_items.gold, of_items.predicted, classes);
}

bool is_shown(const compare::Runs& runs)
{
    if (runs.empty() || !runs.front()->result.task.is_own())
        return false; // the classes of published tasks are known
    const results::Outcomes& outcomes = runs.front()->items.outcomes;
    return outcomes.kind == "class" && !outcomes.rows.empty() &&
           outcomes.classes.size() <= most_classes;
}

void class_table(const compare::Runs& runs, std::string& out)
{
    const auto& classes = runs.front()->items.outcomes.classes;
    const auto report = report_of(runs, classes.size());
    std::vector<markup::Head> heads{{"Class"}, {"precision, %"}, {"recall, %"}, {"F1, %"}};
    for (const std::string& name : classes)
        heads.push_back({"as " + name});
    markup::open_table(out, "Classes", heads);
    for (std::size_t gold = 0; gold < classes.size(); ++gold) {
        const measures::ClassScores& scores = report.classes[gold];
        markup::append(out, "<tr><th scope=\"row\">{}</th>", markup::escape(classes[gold]));
        for (const double share : {scores.precision, scores.recall, scores.f1})
            markup::append(out, "<td>{}</td>", markup::number(100 * share, 1));
        for (std::size_t found = 0; found < classes.size(); ++found)
            markup::append(out, "<td>{}</td>",
                           markup::thousands(report.confusion[gold * classes.size() + found]));
        out += "</tr>";
    }
    markup::close_table(out);
}

} // namespace

void classes(const Page& page, std::string& out)
{
    std::string tables;
    for (const auto& task : page.comparison.tasks)
        for (const std::size_t row : by_value(task)) {
            const compare::Runs runs = runs_of(page, row, task.task);
            if (!is_shown(runs))
                continue;
            markup::append(tables, "<details><summary>{}, {}</summary>",
                           markup::escape(short_name(task.task)),
                           markup::row_name(page.comparison.rows[row]));
            class_table(runs, tables);
            tables += "</details>";
        }
    if (tables.empty())
        return;
    markup::open_section(out, "classes", "Classes",
                         "Test items of each class, and as which class they were found, over all "
                         "seeds.");
    out += tables + "</section>";
}

} // namespace senteval::report::sections
