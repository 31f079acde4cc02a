#include "compare/warnings.hpp"

#include "compare/scoring.hpp"
#include "data/manifest.hpp"
#include "run/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace senteval::compare {
namespace {

/// The results' tasks that the table shows: with --metric those that have it.
std::vector<std::size_t> shown_tasks(const Results& results, const Comparison& table)
{
    std::vector<std::size_t> shown;
    for (std::size_t task = 0; task < results.tasks().size(); ++task)
        if (std::ranges::count(table.tasks, results.tasks()[task], &TaskComparison::task) > 0)
            shown.push_back(task);
    return shown;
}

/// Of the rows for which something that is shown was trained.
void warn_of_dimensions(const Results& results,
                        const Comparison& table,
                        std::vector<std::string>& warnings)
{
    std::set<std::size_t> dimensions;
    for (const std::size_t task : shown_tasks(results, table))
        for (const Row& row : results.rows()) {
            const Runs& runs = row.tasks[task];
            if (row.dimension > 0 && !runs.empty() && is_trained(*runs.front()))
                dimensions.insert(row.dimension);
        }
    if (dimensions.size() > 1)
        warnings.push_back(fmt::format(
            "The encoders have different dimensions ({}). Scores of trained classifiers grow with "
            "the dimension: compare at equal size (--equal-dimension) before calling one better.",
            fmt::join(dimensions, ", ")));
}

void warn_of_data(const Results& results,
                  const Comparison& table,
                  std::vector<std::string>& warnings)
{
    for (const std::size_t task : shown_tasks(results, table)) {
        std::set<std::string> files;
        for (const Row& row : results.rows())
            for (const run::Cell* cell : row.tasks[task])
                if (!is_imported(*cell))
                    files.insert(cell->document.at("data").at("files").dump());
        if (files.size() > 1)
            warnings.push_back(
                fmt::format("{}: there are results of different data (other files, or another "
                            "--limit), which are not tested against each other.",
                            results.tasks()[task]));
    }
}

void warn_of_imports(const Results& results,
                     const Comparison& table,
                     std::vector<std::string>& warnings)
{
    std::set<std::string> labels;
    for (const std::size_t task : shown_tasks(results, table))
        for (const Row& row : results.rows())
            if (std::ranges::any_of(row.tasks[task],
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
        found; // what is said, tasks: those alike share it
    for (const TaskComparison& task : table.tasks) {
        std::vector<std::string> doubts;
        for (const Entry& entry : task.entries)
            add_distinct(entry.doubts, doubts);
        if (doubts.empty())
            continue;
        // Data of the user's own was never claimed to be published.
        const bool is_known = data::builtin_manifest().for_task(task.task) != nullptr;
        const std::string text = fmt::format("{}{}", is_known ? "not the published data: " : "",
                                             fmt::join(doubts, "; "));
        const auto same = std::find_if(found.begin(), found.end(),
                                       [&](const auto& one) { return one.first == text; });
        if (same == found.end())
            found.emplace_back(text, task.task + "*");
        else
            same->second += ", " + task.task + "*";
    }
    std::vector<std::string> warnings;
    warnings.reserve(found.size());
    for (const auto& [doubts, tasks] : found)
        warnings.push_back(fmt::format("{}: {}", tasks, doubts));
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

void warn_of_coverage(const Results& results,
                      const Comparison& table,
                      std::vector<std::string>& warnings)
{
    const std::vector<std::size_t> shown = shown_tasks(results, table);
    for (const Row& row : results.rows()) {
        std::vector<std::string> tasks;
        for (const std::size_t task : shown)
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

void warn_of_uninformative(const Results& results,
                           const Comparison& table,
                           std::vector<std::string>& warnings)
{
    const std::vector<std::size_t> shown = shown_tasks(results, table);
    for (const Row& row : results.rows()) {
        std::vector<std::pair<std::string, std::string>> found; // why, tasks
        for (const std::size_t task : shown)
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

void warn_of_encoders(const Results& results,
                      const Comparison& table,
                      std::vector<std::string>& warnings)
{
    constexpr std::size_t most = 3;
    const std::vector<std::size_t> shown = shown_tasks(results, table);
    for (const Row& row : results.rows()) {
        std::vector<std::string> told;
        for (const std::size_t task : shown)
            for (const run::Cell* cell : row.tasks[task])
                add_distinct(cell->document.at("run").value("warnings", std::vector<std::string>()),
                             told);
        if (told.empty())
            continue;
        const std::size_t more = told.size() - std::min(told.size(), most);
        told.resize(told.size() - more);
        warnings.push_back(fmt::format("{} warned: {}{}.", row.label, fmt::join(told, "; "),
                                       more == 0 ? "" : fmt::format("; and {} times more", more)));
    }
}

namespace {

/// All that an encoder is but for its library; empty where nothing is known of it.
std::string identity_beside_library(const Row& row)
{
    const auto runs = std::find_if(row.tasks.begin(), row.tasks.end(),
                                   [](const Runs& any) { return !any.empty(); });
    const run::Cell& cell = *runs->front();
    if (is_imported(cell))
        return {};
    const core::Json& encoder = cell.document.at("encoder");
    core::Json files = encoder.value("files", core::Json::object());
    if (files.erase("library") == 0)
        return {};
    core::Json parameters = encoder.value("parameters", core::Json::object());
    for (const auto& [name, fingerprint] : files.items())
        parameters.erase(name); // wherever the file lies
    return core::Json::array({encoder.at("id"), encoder.value("version", ""), parameters, files,
                              encoder.value("stated", core::Json()), row.projection, row.variant})
        .dump();
}

/// Sets of rows that hang together by the pairs.
std::vector<std::vector<std::size_t>>
sets_of(const std::vector<std::pair<std::size_t, std::size_t>>& pairs)
{
    std::vector<std::vector<std::size_t>> sets;
    const auto with = [&](std::size_t row) {
        return std::find_if(sets.begin(), sets.end(), [&](const auto& set) {
            return std::find(set.begin(), set.end(), row) != set.end();
        });
    };
    for (const auto& [a, b] : pairs) {
        if (with(a) == sets.end())
            sets.push_back({a});
        const auto first = with(a);
        const auto second = with(b);
        if (second == sets.end()) {
            first->push_back(b);
        } else if (first != second) {
            first->insert(first->end(), second->begin(), second->end());
            sets.erase(second);
        }
    }
    for (auto& set : sets)
        std::sort(set.begin(), set.end());
    return sets;
}

std::string in_quotes(const std::vector<std::size_t>& rows, const std::vector<std::string>& labels)
{
    std::string text;
    for (const std::size_t row : rows)
        text += fmt::format("{}'{}'",
                            row == rows.front()  ? ""
                            : row == rows.back() ? " and "
                                                 : ", ",
                            labels[row]);
    return text;
}

} // namespace

void warn_of_builds(const Results& results, std::vector<std::string>& warnings)
{
    std::map<std::string, std::vector<std::size_t>> rows;
    std::vector<std::string> labels;
    for (const Row& row : results.rows()) {
        if (const std::string identity = identity_beside_library(row); !identity.empty())
            rows[identity].push_back(labels.size());
        labels.push_back(row.label);
    }
    for (const auto& [identity, same] : rows)
        if (same.size() > 1)
            warnings.push_back(
                fmt::format("{} are one encoder by name, version, parameters and files: "
                            "they differ in the build of its library alone.",
                            in_quotes(same, labels)));
}

void warn_of_same_scores(const Comparison& table, std::vector<std::string>& warnings)
{
    std::map<std::vector<std::size_t>, std::vector<std::string>> tasks;
    for (const TaskComparison& task : table.tasks)
        for (const auto& rows : sets_of(task.same_scores))
            tasks[rows].push_back(task.task);
    for (const auto& [rows, names] : tasks)
        warnings.push_back(
            fmt::format("{} have the same scores on {}: they predict the same of every "
                        "item, but for rounding, so that none of them is better there.",
                        in_quotes(rows, table.rows), fmt::join(names, ", ")));
}

/// Where there are rows that cannot be compared with each other, and more than one of each kind.
void warn_of_sets(const Comparison& table, std::vector<std::string>& warnings)
{
    for (const TaskComparison& task : table.tasks) {
        if (task.why_sets.empty())
            continue;
        std::map<std::size_t, std::vector<std::string>> sets; // by what is best in them
        for (std::size_t row = 0; row < task.entries.size(); ++row)
            if (const Entry& entry = task.entries[row];
                entry.verdict != Verdict::missing && entry.verdict != Verdict::not_comparable)
                sets[entry.against].push_back(table.rows[row]);
        std::vector<std::string> names;
        names.reserve(sets.size());
        for (const auto& [best, rows] : sets)
            names.push_back(fmt::format("{}", fmt::join(rows, ", ")));
        if (table.baseline.empty())
            warnings.push_back(fmt::format(
                "{}: not all rows can be compared with each other ({}): each of these sets has a "
                "best of its own, to which its differences are: {}.",
                task.task, task.why_sets, fmt::join(names, " | ")));
    }
}

std::vector<std::string> warnings_of(const Results& results, const Comparison& table)
{
    std::vector<std::string> warnings = warnings_of_doubts(table);
    warn_of_training(results, table, warnings);
    warn_of_coverage(results, table, warnings);
    warn_of_uninformative(results, table, warnings);
    warn_of_encoders(results, table, warnings);
    warn_of_dimensions(results, table, warnings);
    warn_of_data(results, table, warnings);
    warn_of_sets(table, warnings);
    warn_of_imports(results, table, warnings);
    warn_of_builds(results, warnings);
    warn_of_same_scores(table, warnings);
    warn_of_normalisation(results, table.tasks, warnings);
    warn_of_averages(table, warnings);
    warn_of_gaps(results, table, warnings);
    warn_of_metric(results, table, warnings);
    return warnings;
}

} // namespace senteval::compare
