#include "compare/warnings.hpp"

#include "run/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace senteval::compare {
namespace {

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

} // namespace

std::vector<std::string> warnings_of_doubts(const Comparison& table)
{
    std::vector<std::pair<std::string, std::string>>
        found; // doubts, tasks: those alike share a warning
    for (const TaskComparison& task : table.tasks) {
        std::vector<std::string> doubts;
        for (const Entry& entry : task.entries)
            add_distinct(entry.doubts, doubts);
        if (doubts.empty())
            continue;
        const std::string text = fmt::format("{}", fmt::join(doubts, "; "));
        const auto same = std::find_if(found.begin(), found.end(),
                                       [&](const auto& one) { return one.first == text; });
        if (same == found.end())
            found.emplace_back(text, task.task + "*");
        else
            same->second += ", " + task.task + "*";
    }
    std::vector<std::string> warnings;
    for (const auto& [doubts, tasks] : found)
        warnings.push_back(fmt::format("{}: not the published data: {}", tasks, doubts));
    return warnings;
}

void warn_of_training(const Results& results,
                      const Comparison& table,
                      std::vector<std::string>& warnings)
{
    for (std::size_t row = 0; row < results.rows().size(); ++row) {
        std::vector<std::string> tasks;
        for (const TaskComparison& task : table.tasks)
            if (row < task.entries.size() && !task.entries[row].trained_on.empty())
                tasks.push_back(fmt::format("{} of {}", task.entries[row].trained_on, task.task));
        if (!tasks.empty())
            warnings.push_back(fmt::format(
                "†: {} was trained on sentences of test items ({}): its scores there are no "
                "scores on unseen text.",
                results.rows()[row].label, fmt::join(tasks, ", ")));
    }
}

void warn_of_coverage(const Results& results, std::vector<std::string>& warnings)
{
    for (const Row& row : results.rows()) {
        std::vector<std::string> tasks;
        for (std::size_t task = 0; task < row.tasks.size(); ++task)
            if (!row.tasks[task].empty())
                if (const auto share = run::low_coverage(row.tasks[task].front()->document))
                    tasks.push_back(
                        fmt::format("{:.1f} % of {}", 100 * *share, results.tasks()[task]));
        if (!tasks.empty())
            warnings.push_back(
                fmt::format("{} knows few of the words ({}): these scores say little "
                            "about it.",
                            row.label, fmt::join(tasks, ", ")));
    }
}

void warn_of_uninformative(const Results& results, std::vector<std::string>& warnings)
{
    for (const Row& row : results.rows()) {
        std::vector<std::pair<std::string, std::string>> found; // why, tasks
        for (std::size_t task = 0; task < row.tasks.size(); ++task)
            for (const run::Cell* cell : row.tasks[task]) {
                const auto why = cell->document.value("uninformative", std::string());
                if (why.empty())
                    continue;
                const auto same = std::find_if(found.begin(), found.end(),
                                               [&](const auto& one) { return one.first == why; });
                if (same == found.end())
                    found.emplace_back(why, results.tasks()[task]);
                else
                    same->second += ", " + results.tasks()[task];
                break; // the other seeds' are as this one's
            }
        for (const auto& [why, tasks] : found)
            warnings.push_back(fmt::format("{} on {}: {}: the result says nothing about it.",
                                           row.label, tasks, why));
    }
}

void warn_of_encoders(const Results& results, std::vector<std::string>& warnings)
{
    constexpr std::size_t shown = 3;
    for (const Row& row : results.rows()) {
        std::vector<std::string> told;
        for (const auto& task : row.tasks)
            for (const run::Cell* cell : task)
                add_distinct(cell->document.at("run").value("warnings", std::vector<std::string>()),
                             told);
        if (told.empty())
            continue;
        const std::size_t more = told.size() - std::min(told.size(), shown);
        told.resize(told.size() - more);
        warnings.push_back(fmt::format("{} warned: {}{}.", row.label, fmt::join(told, "; "),
                                       more == 0 ? "" : fmt::format("; and {} times more", more)));
    }
}

std::vector<std::string> warnings_of(const Results& results, const Comparison& table)
{
    std::vector<std::string> warnings = warnings_of_doubts(table);
    warn_of_training(results, table, warnings);
    warn_of_coverage(results, warnings);
    warn_of_uninformative(results, warnings);
    warn_of_encoders(results, warnings);
    warn_of_dimensions(results, warnings);
    warn_of_data(results, warnings);
    warn_of_imports(results, warnings);
    warn_of_normalisation(results, table.tasks, warnings);
    return warnings;
}

} // namespace senteval::compare
