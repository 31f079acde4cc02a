#include "compare/comparison.hpp"

#include "core/error.hpp"
#include "core/names.hpp"
#include "report/table.hpp"
#include "stats/multiple.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

namespace senteval::compare {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// The row with the highest value; nothing where no row has one. A row without items can be tested
/// against none: it is the best only where no row has items.
std::optional<std::size_t> best_of(const std::vector<Entry>& entries)
{
    std::optional<std::size_t> best;
    const auto rank = [&](std::size_t row) {
        return std::pair(entries[row].score.items > 0, entries[row].score.value);
    };
    for (std::size_t row = 0; row < entries.size(); ++row)
        if (!std::isnan(entries[row].score.value) && (!best || rank(row) > rank(*best)))
            best = row;
    return best;
}

bool has_metric(const Results& results, std::size_t task, const std::string& metric)
{
    return std::any_of(results.rows().begin(), results.rows().end(), [&](const Row& row) {
        return !row.tasks[task].empty() &&
               report::metric(row.tasks[task].front()->document.at("metrics"), metric).has_value();
    });
}

double median(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty())
        return nan;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

TaskComparison compare_task(const Results& results,
                            std::size_t task,
                            const std::string& metric,
                            std::optional<std::size_t> baseline,
                            const stats::Resampling& resampling)
{
    TaskComparison comparison{results.tasks()[task], metric, {}, nan};
    const auto& rows = results.rows();
    for (const Row& row : rows) {
        Entry entry;
        entry.score = score_of(row.tasks[task], metric, resampling);
        comparison.entries.push_back(entry);
    }
    const auto best = best_of(comparison.entries);
    const auto reference = baseline ? baseline : best;
    std::vector<double> detectable;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        Entry& entry = comparison.entries[row];
        entry.is_best = best == row;
        entry.is_reference = reference == row;
        entry.difference = {nan, {nan, nan}, nan, nan, ""};
        if (reference && *reference != row)
            entry.difference = difference_of(rows[row].tasks[task], rows[*reference].tasks[task],
                                             metric, resampling);
        detectable.push_back(entry.difference.detectable);
    }
    comparison.detectable = median(std::move(detectable));
    return comparison;
}

/// Holm over all comparisons of the table, then the ties.
void adjust(std::vector<TaskComparison>& tasks)
{
    constexpr double level = 0.05;
    std::vector<double> p_values;
    for (const TaskComparison& task : tasks)
        for (const Entry& entry : task.entries)
            p_values.push_back(entry.difference.p_value);
    const auto adjusted = stats::holm(p_values);
    std::size_t at = 0;
    for (TaskComparison& task : tasks)
        for (Entry& entry : task.entries) {
            entry.p_adjusted = adjusted[at++];
            entry.tied =
                entry.is_best || (!std::isnan(entry.p_adjusted) && entry.p_adjusted >= level);
        }
}

void warn_of_dimensions(const Results& results, std::vector<std::string>& warnings)
{
    std::set<std::size_t> dimensions;
    for (const Row& row : results.rows())
        if (row.dimension > 0)
            dimensions.insert(row.dimension);
    if (dimensions.size() > 1)
        warnings.push_back(fmt::format(
            "The encoders have different dimensions ({}). Scores of trained classifiers grow with "
            "the "
            "dimension: compare at equal size (--equal-dimension) before calling one better.",
            fmt::join(dimensions, ", ")));
}

void warn_of_data(const Results& results, std::vector<std::string>& warnings)
{
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        std::set<std::string> files;
        for (const Row& row : results.rows())
            for (const run::Cell* cell : row.tasks[task])
                if (!is_imported(*cell))
                    files.insert(cell->document.at("data").at("files").dump());
        if (files.size() > 1)
            warnings.push_back(
                fmt::format("{}: the results were made from different data files and are "
                            "not tested against each other.",
                            results.tasks()[task]));
    }
}

void warn_of_imports(const Results& results, std::vector<std::string>& warnings)
{
    std::set<std::string> labels;
    for (const Row& row : results.rows())
        for (const Runs& runs : row.tasks)
            if (std::any_of(runs.begin(), runs.end(),
                            [](const run::Cell* cell) { return is_imported(*cell); }))
                labels.insert(row.label);
    if (!labels.empty())
        warnings.push_back(fmt::format(
            "Imported results ({}) come without the outcomes of their test items and without a "
            "record of protocol and data: they have no intervals, are not tested, and are not "
            "marked as the best beside results that can be tested.",
            fmt::join(labels, ", ")));
}

/// Where two normalisations of the embeddings put two encoders in opposite order.
void warn_of_normalisation(const Results& results,
                           const std::vector<TaskComparison>& tasks,
                           std::vector<std::string>& warnings)
{
    const auto& rows = results.rows();
    const auto by_encoder_and_variant = [&](const std::string& encoder,
                                            const std::string& variant) {
        const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& row) {
            return row.encoder == encoder && row.variant == variant;
        });
        return at == rows.end() ? std::optional<std::size_t>{}
                                : static_cast<std::size_t>(at - rows.begin());
    };
    std::set<std::string> flipped;
    for (const TaskComparison& task : tasks)
        for (std::size_t a = 0; a < rows.size(); ++a)
            for (std::size_t b = a + 1; b < rows.size(); ++b) {
                if (rows[a].variant != rows[b].variant ||
                    rows[a].variant.find("normalise") == std::string::npos)
                    continue;
                for (const Row& other : rows) {
                    if (other.encoder != rows[a].encoder || other.variant == rows[a].variant)
                        continue;
                    const auto c = by_encoder_and_variant(rows[b].encoder, other.variant);
                    const auto d = static_cast<std::size_t>(&other - rows.data());
                    if (!c)
                        continue;
                    const double before = task.entries[a].score.value - task.entries[b].score.value;
                    const double after = task.entries[d].score.value - task.entries[*c].score.value;
                    if (before * after < 0)
                        flipped.insert(fmt::format("{} ({} and {})", task.task, rows[a].encoder,
                                                   rows[b].encoder));
                }
            }
    if (!flipped.empty())
        warnings.push_back(
            fmt::format("The order depends on how the embeddings are normalised: {}.",
                        fmt::join(flipped, "; ")));
}

std::optional<std::size_t> row_called(const Results& results, const std::string& label)
{
    if (label.empty())
        return std::nullopt;
    std::vector<std::string> labels;
    for (const Row& row : results.rows()) {
        if (row.label == label)
            return labels.size();
        labels.push_back(row.label);
    }
    throw core::UsageError("--baseline: there is no row '{}'.{} There are: {}", label,
                           core::did_you_mean(label, labels), fmt::join(labels, ", "));
}

} // namespace

Comparison compare(const Results& results, const Options& options)
{
    Comparison comparison;
    comparison.baseline = options.baseline;
    for (const Row& row : results.rows()) {
        comparison.rows.push_back(row.label);
        comparison.dimensions.push_back(row.dimension);
    }
    const auto baseline = row_called(results, options.baseline);
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        const std::string metric = options.metric.empty()
                                       ? text_at(results.any_cell(task).document, "/task/headline")
                                       : options.metric;
        if (options.metric.empty() || has_metric(results, task, metric))
            comparison.tasks.push_back(
                compare_task(results, task, metric, baseline, options.resampling));
    }
    if (comparison.tasks.empty())
        throw core::UsageError("--metric: no result has the metric '{}'", options.metric);
    adjust(comparison.tasks);
    warn_of_dimensions(results, comparison.warnings);
    warn_of_data(results, comparison.warnings);
    warn_of_imports(results, comparison.warnings);
    warn_of_normalisation(results, comparison.tasks, comparison.warnings);
    return comparison;
}

} // namespace senteval::compare
