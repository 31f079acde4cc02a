#include "report/labels.hpp"
#include "report/markup.hpp"
#include "report/sections.hpp"

#include <algorithm>

namespace senteval::report::sections {
namespace {

using markup::append;
using markup::number;
using markup::text;

struct Times {
    std::vector<std::string> phases;
    std::vector<std::vector<double>> seconds; ///< by encoder, by phase
    double longest = 0;
};

Times times_of(const Document& document)
{
    Times times;
    times.seconds.resize(document.encoders.size());
    for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder) {
        auto& sums = times.seconds[encoder];
        for (std::size_t task = 0; task < document.tasks.size(); ++task) {
            for (const auto& [phase, seconds] : document.cell(encoder, task).seconds) {
                const auto at = std::find(times.phases.begin(), times.phases.end(), phase);
                const auto index = static_cast<std::size_t>(at - times.phases.begin());
                if (at == times.phases.end())
                    times.phases.push_back(phase);
                sums.resize(std::max(sums.size(), times.phases.size()));
                sums[index] += seconds;
            }
        }
    }
    for (auto& sums : times.seconds) {
        sums.resize(times.phases.size());
        double total = 0;
        for (const double seconds : sums)
            total += seconds;
        times.longest = std::max(times.longest, total);
    }
    return times;
}

void bars(const Document& document, const Times& times, std::string& out)
{
    std::vector<std::string> names;
    for (const Encoder& encoder : document.encoders)
        names.push_back(encoder.name);
    const double left = markup::RowLabels::width_of(names, 46) + 14;
    const double right = left + 580;
    constexpr double row = 22;
    const markup::RowLabels labels(names, 6, row);
    const double bottom = labels.bottom();
    const markup::Axis axis(0, times.longest, left, right, 6);
    const double zero = axis.at(0);
    markup::open_svg(out, right + 80, bottom + 38, "Seconds by encoder and phase",
                     "The numbers stand in the table below");
    markup::draw_axis(out, {left, right, 4, bottom}, axis, "wall seconds, all tasks together");
    for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder) {
        const double y = labels.middle(encoder) - row / 2;
        labels.draw(out, encoder, zero - 8, "");
        double total = 0;
        for (std::size_t phase = 0; phase < times.phases.size(); ++phase) {
            const double seconds = times.seconds[encoder][phase];
            append(out,
                   "<rect class=\"bar p{}\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" "
                   "height=\"{:.0f}\"/>",
                   phase % 6, axis.at(total), y + 2, axis.at(total + seconds) - axis.at(total),
                   row - 5);
            total += seconds;
        }
        text(out, axis.at(total) + 6, y + 14, "t", number(total, total < 10 ? 2 : 1) + " s");
    }
    append(out, "<path class=\"axis\" d=\"M{:.1f} 4V{:.1f}\"/></svg>", zero, bottom);
}

void table(const Document& document, const Times& times, std::string& out)
{
    out += "<details><summary>Seconds by encoder and phase</summary><div class=\"scroll\" "
           "tabindex=\"0\" role=\"region\" aria-label=\"Seconds\"><table><thead><tr><th "
           "scope=\"col\">Encoder</th>";
    for (const std::string& phase : times.phases)
        append(out, "<th scope=\"col\">{}</th>", markup::escape(phase));
    out += "</tr></thead><tbody>";
    for (std::size_t encoder = 0; encoder < document.encoders.size(); ++encoder) {
        append(out, "<tr><th scope=\"row\">{}</th>",
               markup::row_name(document.encoders[encoder].name));
        for (const double seconds : times.seconds[encoder])
            append(out, "<td>{}</td>", number(seconds, 3));
        out += "</tr>";
    }
    out += "</tbody></table></div></details>";
}

} // namespace

void timing(const Document& document, std::string& out)
{
    const Times times = times_of(document);
    if (!(times.longest > 0))
        return;
    markup::open_section(out, "timing", "Timing",
                         "Wall time of each phase, added up over the tasks.");
    out += "<ul class=\"legend\" aria-hidden=\"true\">";
    for (std::size_t phase = 0; phase < times.phases.size(); ++phase)
        append(out,
               "<li><svg width=\"16\" height=\"13\"><rect class=\"p{}\" x=\".5\" y=\".5\" "
               "width=\"15\" height=\"12\"/><rect class=\"frame\" x=\".5\" y=\".5\" width=\"15\" "
               "height=\"12\"/></svg>{}</li>",
               phase % 6, markup::escape(times.phases[phase]));
    out += "</ul>";
    bars(document, times, out);
    table(document, times, out);
    out += "</section>";
}

} // namespace senteval::report::sections
