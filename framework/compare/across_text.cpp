#include "compare/across_text.hpp"

#include "compare/alike_tasks.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace senteval::compare {
namespace {

std::string in_digits(double p)
{
    return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p);
}

/// A line for each row at its mean rank; a column of bars for each group that is not told apart.
std::string diagram(const Comparison& comparison, const AcrossTasks& across, std::size_t columns)
{
    constexpr std::size_t before = 9; // the rank
    const std::size_t bars_width = 2 * across.groups.size();
    const std::size_t room = columns - std::min(columns - 1, before + bars_width);
    std::size_t width = 0;
    for (const std::size_t row : across.rows)
        width = std::max(width, report::display_width(comparison.rows[row]));
    width = std::min(width, room);
    std::string out;
    for (std::size_t at = 0; at < across.rows.size(); ++at) {
        std::string bars;
        for (const auto& [first, last] : across.groups)
            bars += at >= first && at <= last ? " |" : "  ";
        std::string rank = fmt::format("  {:5.2f}  ", across.mean_ranks[at]);
        for (const std::string& part : report::folded(comparison.rows[across.rows[at]], width)) {
            std::string line = rank + report::padded(part, width) + bars;
            while (line.ends_with(' '))
                line.pop_back();
            out += line + '\n';
            rank = std::string(before, ' ');
        }
    }
    return out;
}

/// One line or more, the first from column 2, the others from column 4.
std::string paragraph(const std::string& text, std::size_t columns)
{
    return "  " + report::wrapped(text, columns, 4, report::LongWords::broken) + '\n';
}

/// Which test the p-value of the pair is of.
std::string_view test_of(const AcrossPair& pair)
{
    return pair.p_value > pair.p_wilcoxon ? "Friedman's, of all encoders; Wilcoxon's is smaller"
                                          : "Wilcoxon, Holm";
}

std::string
pair_text(const Comparison& comparison, const AcrossTasks& across, const AcrossPair& pair)
{
    const bool with_best = pair.first == across.rows.front();
    std::string text =
        fmt::format("{} against {}: better on {} of {} tasks", comparison.rows[pair.first],
                    comparison.rows[pair.second], pair.better_on, across.tasks.size());
    text += fmt::format(", on at least {} by their own tests", pair.replicated_on);
    text += fmt::format("; p {} ({})", in_digits(pair.p_value), test_of(pair));
    if (with_best && across.in_points)
        text += fmt::format(
            "; practically better {:.2f}, equivalent {:.2f}, worse {:.2f} "
            "(Bayesian signed ranks of this pair alone, by which no verdict goes; {:g} {})",
            pair.bayesian.first, pair.bayesian.equivalent, pair.bayesian.second, across.rope,
            across.rope == 1 ? "point" : "points");
    return text;
}

/// "BOREP against GloVe"
std::string with_other(const LeftOut& one)
{
    return one.against.empty() ? one.name : fmt::format("{} against {}", one.name, one.against);
}

} // namespace

std::string left_out_in_words(const AcrossTasks& across)
{
    std::vector<std::string> names;
    for (const LeftOut& one : across.left_out)
        names.push_back(one.reason.empty() ? one.name
                                           : fmt::format("{} ({})", with_other(one), one.reason));
    return fmt::format("{}", fmt::join(names, ", "));
}

namespace {

/// Of some of the tasks.
std::vector<std::string> starred(const AcrossTasks& across, std::vector<std::string> names)
{
    for (std::string& name : names)
        for (std::size_t task = 0; task < across.tasks.size(); ++task)
            if (across.tasks[task] == name && across.doubtful[task]) {
                name += '*';
                break;
            }
    return names;
}

} // namespace

std::vector<std::string> starred_tasks(const AcrossTasks& across)
{
    return starred(across, across.tasks);
}

namespace {

/// "a and c, b and d"
std::string pairs_without_bar(const Comparison& comparison)
{
    const AcrossTasks& across = *comparison.across;
    std::vector<std::string> pairs;
    pairs.reserve(across.without_bar.size());
    for (const auto& [a, b] : across.without_bar)
        pairs.push_back(fmt::format("{} and {}", comparison.rows[across.rows[a]],
                                    comparison.rows[across.rows[b]]));
    return fmt::format("{}", fmt::join(pairs, ", "));
}

/// Empty where no task's data is doubtful.
std::string doubts_in_words(const AcrossTasks& across)
{
    std::vector<std::string> starred = starred_tasks(across);
    std::erase_if(starred, [](const std::string& name) { return !name.ends_with('*'); });
    return starred.empty()
               ? ""
               : fmt::format("Perhaps not the published data: {}", fmt::join(starred, ", "));
}

} // namespace

std::vector<std::string> caveats_of(const Comparison& comparison)
{
    const AcrossTasks& across = *comparison.across;
    // The least p of Wilcoxon's test of n tasks is 2 / 2^n, and Holm's the number of pairs times that.
    const auto pairs = static_cast<double>(across.pairs.size());
    const auto fewest = static_cast<std::size_t>(std::ceil(1 + std::log2(pairs / level)));
    std::vector<std::string> caveats;
    if (across.tasks.size() < fewest)
        caveats.push_back(
            fmt::format("{} tasks are too few to tell {} encoders apart over tasks: Wilcoxon's "
                        "test{} needs {}.",
                        across.tasks.size(), across.rows.size(),
                        across.pairs.size() > 1 ? " of all pairs, adjusted by Holm," : "", fewest));
    if (std::string caveat = alike_in_words(across.tasks); !caveat.empty())
        caveats.push_back(std::move(caveat));
    if (!across.without_bar.empty())
        caveats.push_back(fmt::format("Not told apart, and joined by no bar, since an encoder "
                                      "between them is told from one of the two: {}.",
                                      pairs_without_bar(comparison)));
    if (const std::string doubts = doubts_in_words(across); !doubts.empty())
        caveats.push_back(doubts + '.');
    if (!across.without_verdict.empty())
        caveats.push_back(
            fmt::format("No two of these encoders have a verdict of {} own on {}: what is ranked "
                        "there are values that other seeds or training sets may turn round.",
                        across.without_verdict.size() == 1 ? "the task's" : "the tasks'",
                        fmt::join(starred(across, across.without_verdict), ", ")));
    for (std::size_t at = 0; at < across.rows.size(); ++at)
        if (const auto& tasks = across.row_without_verdict[at]; !tasks.empty())
            caveats.push_back(fmt::format("{} has no verdict on {}{}.",
                                          comparison.rows[across.rows[at]],
                                          fmt::join(starred(across, tasks), ", "),
                                          across.without_verdict.empty() ? "" : " either"));
    if (!across.left_out.empty())
        caveats.push_back(fmt::format("Left out: {}.", left_out_in_words(across)));
    return caveats;
}

std::string across_to_text(const Comparison& comparison, std::size_t width)
{
    const AcrossTasks& across = *comparison.across;
    if (across.rows.empty()) {
        std::string none =
            report::wrapped("Across tasks: no two encoders share two tasks on which they can be "
                            "compared.",
                            width, 2) +
            '\n';
        for (const LeftOut& row : across.left_out)
            if (!row.reason.empty())
                none += paragraph(fmt::format("{}: {}", with_other(row), row.reason), width);
        return none;
    }
    std::string out = report::wrapped(fmt::format("Across {} tasks ({})", across.tasks.size(),
                                                  fmt::join(starred_tasks(across), ", ")),
                                      width, 2) +
                      '\n';
    out += paragraph(fmt::format("about {}", across_population), width);
    // Of two there is one pair, which Wilcoxon's test tells apart or not.
    if (across.rows.size() > 2)
        out += paragraph(
            fmt::format("Friedman's test, {} encoders: F {}, p {}; Nemenyi's "
                        "critical difference of mean ranks {:.2f}, by which the bars do not go",
                        across.rows.size(),
                        std::isinf(across.friedman.f)
                            ? "beyond all bounds, since every task ranks them alike"
                            : fmt::format("= {:.2f}", across.friedman.f),
                        in_digits(across.friedman.p_value), across.friedman.critical_difference),
            width);
    out += paragraph(
        fmt::format("mean rank; a bar joins what Wilcoxon's test, adjusted by Holm, "
                    "cannot tell apart{}",
                    across.rows.size() > 2 ? " once Friedman's has found a difference" : ""),
        width);
    out += diagram(comparison, across, width);
    if (!comparison.baseline.empty())
        out += paragraph(fmt::format("against {}, which has the best mean rank; the baseline, {}, "
                                     "is that of each task alone",
                                     comparison.rows[across.rows.front()], comparison.baseline),
                         width);
    const bool all_pairs = std::ranges::any_of(
        comparison.tasks, [](const TaskComparison& task) { return !task.pairs.empty(); });
    for (const AcrossPair& pair : across.pairs)
        if (all_pairs || pair.first == across.rows.front())
            out += paragraph(pair_text(comparison, across, pair), width);
    for (const std::string& caveat : caveats_of(comparison))
        out += paragraph(caveat, width);
    return out;
}

std::string across_to_latex(const Comparison& comparison)
{
    const AcrossTasks& across = *comparison.across;
    if (across.rows.empty())
        return "";
    report::TextTable table;
    table.push_back({{"encoder"}, {"mean rank"}, {"better on"}, {"at least"}, {"p"}});
    for (std::size_t at = 0; at < across.rows.size(); ++at) {
        table.push_back(
            {{comparison.rows[across.rows[at]]}, {fmt::format("{:.2f}", across.mean_ranks[at])}});
        if (at == 0)
            table.back().resize(5);
        else // pairs with the best come first
            for (const AcrossPair& pair = across.pairs[at - 1];
                 const std::string& text :
                 {fmt::format("{}", pair.better_on), fmt::format("{}", pair.replicated_on),
                  in_digits(pair.p_value)})
                table.back().push_back({text});
    }
    std::string caption = fmt::format(
        "Over {} tasks ({}): {} against each other encoder; the tasks it is better on, at least so "
        "many by their "
        "own tests; {}; about {}.",
        across.tasks.size(), fmt::join(starred_tasks(across), ", "),
        comparison.rows[across.rows.front()],
        across.rows.size() > 2
            ? "p of Wilcoxon's test, adjusted by Holm, or of Friedman's where that is larger"
            : "p of Wilcoxon's test",
        across_population);
    if (across.rows.size() > 2)
        caption +=
            fmt::format(" Friedman's test: p {}; Nemenyi's critical difference {:.2f}.",
                        in_digits(across.friedman.p_value), across.friedman.critical_difference);
    for (const std::string& caveat : caveats_of(comparison))
        caption += ' ' + caveat;
    return report::to_latex(table, caption);
}

namespace {

/// What a line of mean ranks has of the columns of to_csv(), as fields.
struct AcrossLine {
    std::string encoder;
    std::string task;
    std::string value = {};
    std::optional<std::size_t> items = {};
    std::string against = {};
    std::string p_adjusted = {};
    std::optional<bool> best = {};
    std::optional<bool> among_best = {};
    std::string_view verdict = {};
    std::string why_no_verdict = {};
    std::string doubts = {};

    [[nodiscard]] std::string text() const
    {
        const auto flag = [](std::optional<bool> is) {
            return is ? std::string_view(*is ? "1" : "0") : std::string_view();
        };
        return fmt::format("{},{},mean rank,{},,,,,,{},{},,,,,,,{},{},,,,{},{},,{},{},,,{},,,,\n",
                           encoder, task, value, items ? std::to_string(*items) : "", against,
                           p_adjusted, against.empty() ? "" : "tasks", flag(best), flag(among_best),
                           verdict, why_no_verdict, doubts);
    }
};

} // namespace

std::string across_to_csv(const Comparison& comparison)
{
    const AcrossTasks& across = *comparison.across;
    const std::string task = fmt::format("(over {} tasks)", across.tasks.size());
    const auto label = [&](std::size_t row) { return report::csv_field(comparison.rows[row]); };
    const std::string doubts = report::csv_field(doubts_in_words(across));
    std::string out;
    for (std::size_t at = 0; at < across.rows.size(); ++at) {
        AcrossLine line{.encoder = label(across.rows[at]), .task = task};
        line.value = fmt::format("{}", across.mean_ranks[at]);
        line.items = across.tasks.size();
        line.doubts = doubts;
        if (const auto& tasks = across.row_without_verdict[at]; !tasks.empty())
            line.why_no_verdict = report::csv_field(
                fmt::format("no verdict of its own on {}", fmt::join(tasks, ", ")));
        line.best = across.mean_ranks[at] == across.mean_ranks.front();
        line.verdict = name_of(Verdict::reference);
        line.among_best = true;
        if (at > 0) { // pairs with the best come first
            const double p = across.pairs[at - 1].p_value;
            line.against = label(across.rows.front());
            line.p_adjusted = fmt::format("{}", p);
            line.among_best = p > level;
            line.verdict = name_of(p > level ? Verdict::tied : Verdict::worse);
        }
        out += line.text();
    }
    for (const AcrossPair& pair : across.pairs) {
        AcrossLine line{.encoder = label(pair.first), .task = task};
        line.items = across.tasks.size();
        line.against = label(pair.second);
        line.p_adjusted = fmt::format("{}", pair.p_value);
        line.verdict = name_of(pair.p_value > level ? Verdict::tied : Verdict::better);
        line.doubts = doubts;
        out += line.text();
    }
    for (const LeftOut& one : across.left_out)
        if (one.is_row) {
            AcrossLine line{.encoder = report::csv_field(one.name), .task = task};
            line.verdict = name_of(Verdict::not_comparable);
            line.why_no_verdict = report::csv_field(one.reason);
            out += line.text();
        }
    return out;
}

core::Json across_to_json(const Comparison& comparison)
{
    const AcrossTasks& across = *comparison.across;
    const auto label = [&](std::size_t row) { return comparison.rows[row]; };
    core::Json encoders = core::Json::array();
    for (std::size_t at = 0; at < across.rows.size(); ++at)
        encoders.push_back({{"encoder", label(across.rows[at])},
                            {"mean_rank", across.mean_ranks[at]},
                            {"without_verdict", across.row_without_verdict[at]}});
    core::Json pairs = core::Json::array();
    for (const AcrossPair& pair : across.pairs) {
        core::Json json = {{"first", label(pair.first)},  {"second", label(pair.second)},
                           {"p", pair.p_value},           {"p_wilcoxon_holm", pair.p_wilcoxon},
                           {"better_on", pair.better_on}, {"replicated_on", pair.replicated_on}};
        if (pair.first == across.rows.front() && across.in_points)
            json.update({{"practically_better", pair.bayesian.first},
                         {"practically_equivalent", pair.bayesian.equivalent},
                         {"practically_worse", pair.bayesian.second}});
        pairs.push_back(std::move(json));
    }
    core::Json left_out = core::Json::array();
    for (const LeftOut& one : across.left_out)
        left_out.push_back({{one.is_row ? "encoder" : "task", one.name}, {"reason", one.reason}});
    core::Json doubtful = core::Json::array();
    for (std::size_t task = 0; task < across.tasks.size(); ++task)
        if (across.doubtful[task])
            doubtful.push_back(across.tasks[task]);
    core::Json groups = core::Json::array();
    for (const auto& [first, last] : across.groups) {
        core::Json group = core::Json::array();
        for (std::size_t at = first; at <= last; ++at)
            group.push_back(label(across.rows[at]));
        groups.push_back(std::move(group));
    }
    return {{"tasks", across.tasks},
            {"population", across_population},
            {"doubtful_tasks", doubtful},
            {"tasks_of_the_same_sources", alike_tasks(across.tasks)},
            {"tasks_without_verdict", across.without_verdict},
            {"encoders", encoders},
            {"friedman_f", across.rows.empty() ? core::nan : across.friedman.f}, // null
            {"friedman_p", across.rows.empty() ? core::nan : across.friedman.p_value},
            {"critical_difference",
             across.rows.empty() ? core::nan : across.friedman.critical_difference},
            {"pairs", pairs},
            {"groups", groups},
            {"rope", across.rope},
            {"left_out", left_out}};
}

} // namespace senteval::compare
