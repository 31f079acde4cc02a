#include "compare/stack.hpp"

#include "base/error.hpp"
#include "stats/statistic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

namespace senteval::compare {
namespace {

using results::Cell;

/// A row of the results on the task.
struct Source {
    const Cell* cell = nullptr;
    std::vector<double> values; ///< by query, in points
    StackRow row;
    std::vector<std::size_t>
        parts; ///< numbers of rows: what it is made of, or is to be within a margin of
    bool is_shallower = false; ///< it is compared with the largest depth
};

const base::Json& stack_of(const Cell& cell)
{
    static const base::Json none = base::Json::object();
    const auto at = cell.result.details.find("stack");
    return at == cell.result.details.end() ? none : *at;
}

/// What tells a row from others: its encoder, and its chunks.
std::string name_of(const Cell& cell)
{
    return cell.result.encoder.fingerprint + cell.result.protocol.projection();
}

bool is_step(const Cell& cell)
{
    return !stack_of(cell).empty() || cell.result.details.contains("chunks");
}

std::vector<double> values_of(const Cell& cell, const std::string& metric)
{
    const auto& further = cell.items.outcomes.further;
    const auto series = std::ranges::find(further, metric, &results::Series::name);
    if (series == further.end())
        throw base::UsageError("--stack: {} has no values of '{}' by query", cell.result.task.name,
                               metric);
    std::vector<double> points;
    for (const double value : series->predictions)
        points.push_back(100 * value);
    return points;
}

struct Paired {
    double mean = 0;
    stats::Interval interval{0, 0};
};

Paired paired(std::span<const double> a, std::span<const double> b, std::size_t comparisons)
{
    const auto n = static_cast<double>(a.size());
    std::vector<double> differences;
    for (std::size_t i = 0; i < a.size(); ++i)
        differences.push_back(a[i] - b[i]);
    const stats::Summary all = stats::summarise(differences);
    constexpr double level = 0.05;
    const double t = stats::t_quantile(level / static_cast<double>(comparisons), n - 1);
    const double half = t * all.sd / std::sqrt(n);
    return {all.mean, {all.mean - half, all.mean + half}};
}

class Stacked {
public:
    Stacked(const Results& results, std::size_t task, std::string metric, double margin)
        : metric_(std::move(metric)), margin_(margin)
    {
        for (const Row& row : results.rows())
            if (const Runs& runs = row.tasks[task]; !runs.empty())
                if (const Cell& cell = *runs.front();
                    is_step(cell) || cell.result.protocol.projection().empty())
                    add(cell, row.label);
        for (Source& source : sources_)
            link(source);
    }

    [[nodiscard]] StackTask made()
    {
        StackTask made;
        made.task = sources_.front().cell->result.task.name;
        made.metric =
            results::find_metric(sources_.front().cell->result.task.metrics, metric_)->title;
        made.queries = sources_.front().values.size();
        made.margin = margin_;
        made.has_verdict = made.queries >= fewest_queries;
        for (const Source& source : sources_)
            made.comparisons += source.parts.empty() ? 1 : 2; // its step, and its mark
        --made.comparisons;                                   // the best has no mark to earn
        if (made.has_verdict)
            judge(made.comparisons);
        for (const Source& source : sources_)
            if (const double missed = 100 - source.row.found;
                source.row.depth == 0 && !(missed >= made.missed))
                made.missed = missed;
        for (const std::size_t at : order())
            made.rows.push_back(std::move(sources_[at].row));
        return made;
    }

private:
    void add(const Cell& cell, const std::string& label)
    {
        Source& source = sources_.emplace_back();
        source.cell = &cell;
        source.values = values_of(cell, metric_);
        source.row.label = label;
        source.row.depth = stack_of(cell).value("depth", std::size_t{0});
        source.row.value = stats::summarise(source.values).mean;
        source.row.ms = cell.result.run.ms_a_query;
        if (cell.result.protocol.kind() == "search")
            source.row.found = cell.result.details.contains("found_in_100")
                                   ? cell.result.details.value("found_in_100", 0.0)
                                   : cell.result.metrics.value("recall_at_100", base::nan);
        if (const std::size_t chunks = cell.result.details.value("chunks", std::size_t{0});
            chunks > 0) {
            source.row.chunks = chunks;
            source.row.documents = cell.result.metrics.value("ndocuments", std::size_t{0});
            source.row.bytes = chunks * cell.result.bytes_of_vector();
        }
        numbers_[name_of(cell)] = sources_.size() - 1;
    }

    void link(Source& source)
    {
        const base::Json& stack = stack_of(*source.cell);
        if (source.row.chunks > 0) {
            if (const auto whole = numbers_.find(source.cell->result.encoder.fingerprint);
                whole != numbers_.end())
                source.parts = {whole->second};
            return;
        }
        const auto deepest = std::ranges::max_element(sources_, {}, [&](const Source& other) {
            const base::Json& own = stack_of(*other.cell);
            const bool is_sibling = source.row.depth > 0 && other.row.depth > 0 &&
                                    own.at("parts") == stack.at("parts") &&
                                    own.at("reranker") == stack.at("reranker");
            return is_sibling ? other.row.depth : 0;
        });
        source.is_shallower = source.row.depth > 0 && deepest->row.depth > source.row.depth;
        if (source.is_shallower)
            source.parts = {static_cast<std::size_t>(deepest - sources_.begin())};
        else
            for (const base::Json& part : stack.value("parts", base::Json::array()))
                if (const auto at = numbers_.find(part.get<std::string>()); at != numbers_.end())
                    source.parts.push_back(at->second);
    }

    void judge(std::size_t comparisons)
    {
        const Source& best = *std::ranges::max_element(
            sources_, {}, [](const Source& source) { return source.row.value; });
        for (Source& source : sources_) {
            StackRow& row = source.row;
            const auto mark = paired(source.values, best.values, comparisons);
            row.is_best = &source == &best || mark.interval.high >= 0;
            row.is_cheaper =
                &source != &best && row.is_best && row.ms && best.row.ms && *row.ms < *best.row.ms;
            row.is_gain = !source.parts.empty();
            for (const std::size_t part : source.parts) {
                const auto step = paired(source.values, sources_[part].values, comparisons);
                row.is_gain = row.is_gain && step.interval.low > 0;
                if (row.over.empty() || step.mean < row.difference) {
                    row.over = sources_[part].row.label;
                    row.difference = step.mean;
                    row.interval = step.interval;
                }
            }
        }
        for (Source& source : sources_)
            source.row.is_within = source.is_shallower && is_within(source);
    }

    /// Depths are tested from the largest on, and the first that fails ends it.
    [[nodiscard]] bool is_within(const Source& source) const
    {
        return margin_ > 0 && std::ranges::all_of(sources_, [&](const Source& other) {
                   return !other.is_shallower || other.parts != source.parts ||
                          other.row.depth < source.row.depth ||
                          (other.row.interval.low > -margin_ && other.row.interval.high < margin_);
               });
    }

    /// First stages as they come, behind each what is reranked of it.
    [[nodiscard]] std::vector<std::size_t> order() const
    {
        std::vector<std::size_t> all;
        for (std::size_t first = 0; first < sources_.size(); ++first) {
            if (sources_[first].row.depth > 0)
                continue;
            all.push_back(first);
            std::vector<std::size_t> own;
            for (std::size_t at = 0; at < sources_.size(); ++at)
                if (sources_[first].row.chunks == 0 && sources_[at].row.depth > 0 &&
                    stack_of(*sources_[at].cell).at("parts").at(0) ==
                        sources_[first].cell->result.encoder.fingerprint)
                    own.push_back(at);
            std::ranges::stable_sort(own, std::greater(), [&](std::size_t at) {
                return std::pair(stack_of(*sources_[at].cell).at("reranker").get<std::string>(),
                                 sources_[at].row.depth);
            });
            all.insert(all.end(), own.begin(), own.end());
        }
        return all;
    }

    std::string metric_;
    double margin_;
    std::vector<Source> sources_;
    std::map<std::string, std::size_t> numbers_; ///< of rows, by fingerprint
};

} // namespace

std::vector<StackTask> stacks_of(const Results& results, const std::string& metric, double margin)
{
    std::vector<StackTask> all;
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        const bool has_steps = std::ranges::any_of(results.rows(), [&](const Row& row) {
            return !row.tasks[task].empty() && is_step(*row.tasks[task].front());
        });
        if (has_steps)
            all.push_back(Stacked(results, task,
                                  metric.empty() ? results.metrics(task).front().path : metric,
                                  margin)
                              .made());
    }
    return all;
}

} // namespace senteval::compare
