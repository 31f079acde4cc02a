#include "report/errors.hpp"

#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/terminal.hpp"
#include "measures/named_statistic.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace senteval::report {
namespace {

using results::ItemOutcome;

/// Values minus their mean, over their standard deviation; zero for a constant.
std::vector<double> standardised(const std::vector<ItemOutcome>& rows, double ItemOutcome::*member)
{
    const auto n = static_cast<double>(rows.size());
    double mean = 0;
    for (const ItemOutcome& row : rows)
        mean += row.*member / n;
    double variance = 0;
    for (const ItemOutcome& row : rows)
        variance += (row.*member - mean) * (row.*member - mean) / n;
    std::vector<double> values;
    values.reserve(rows.size());
    for (const ItemOutcome& row : rows)
        values.push_back(variance > 0 ? (row.*member - mean) / std::sqrt(variance) : 0.0);
    return values;
}

/// How wrong each item is; 0 where it is right, or what is predicted is neither class, score nor rank.
std::vector<double> wrongness(const results::Outcomes& outcomes)
{
    std::vector<double> wrong;
    if (outcomes.kind == "class") {
        // Some classifiers give a confidence of 0: wrong is still worse than right.
        for (const ItemOutcome& row : outcomes.rows)
            wrong.push_back(row.gold == row.prediction ? 0.0 : 1.0 + row.score);
        return wrong;
    }
    if (outcomes.kind == "cluster") { // what takes from the agreement of classes and clusters
        std::vector<double> found;
        for (const ItemOutcome& row : outcomes.rows) {
            wrong.push_back(row.gold);
            found.push_back(row.prediction);
        }
        wrong = measures::find_statistic("v-measure")->of(wrong, found).influence;
        for (double& influence : wrong)
            influence = -influence;
        return wrong;
    }
    if (outcomes.kind != "score") {
        for (const ItemOutcome& row : outcomes.rows)
            wrong.push_back(outcomes.kind == "rank"    ? row.prediction - row.gold
                            : outcomes.kind == "value" ? 1 - row.prediction
                                                       : 0.0);
        return wrong;
    }
    const auto gold = standardised(outcomes.rows, &ItemOutcome::gold);
    const auto prediction = standardised(outcomes.rows, &ItemOutcome::prediction);
    for (std::size_t i = 0; i < gold.size(); ++i)
        wrong.push_back(std::abs(prediction[i] - gold[i]));
    return wrong;
}

std::vector<std::size_t> worst_rows(const results::Outcomes& outcomes, std::size_t count)
{
    const auto wrong = wrongness(outcomes);
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < wrong.size(); ++row)
        if (wrong[row] > 0)
            order.push_back(row);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return wrong[a] > wrong[b]; });
    order.resize(std::min(count, order.size()));
    return order;
}

std::string value_text(const results::Outcomes& outcomes, double value)
{
    if (outcomes.kind != "class")
        return fmt::format("{:.3f}", value);
    const auto index = static_cast<std::size_t>(value);
    return index < outcomes.classes.size() ? outcomes.classes[index] : std::to_string(index);
}

/// The document that a search found first for the query of that row, or missed.
std::string document_text(const results::Outcomes& outcomes,
                          const TaskTexts& texts,
                          std::size_t row,
                          const std::string& series)
{
    for (const results::Series& further : outcomes.further)
        if (further.name == series && further.predictions[row] >= 0)
            if (const auto document =
                    texts.document(static_cast<std::uint32_t>(further.predictions[row])))
                return fmt::format("{}: {}", series, *document);
    return {};
}

std::vector<WorstErrors::Item>
with_sentences(const results::Outcomes& outcomes, const TaskTexts& texts, std::size_t count)
{
    std::vector<WorstErrors::Item> rows;
    for (const std::size_t at : worst_rows(outcomes, count)) {
        const ItemOutcome& row = outcomes.rows[at];
        auto [first, second] = texts.item(row.item);
        for (const char* series : {"missed", "found"})
            if (const std::string shown = document_text(outcomes, texts, at, series);
                !shown.empty())
                second += (second.empty() ? "" : "\n") + shown;
        rows.push_back({std::move(first), std::move(second), value_text(outcomes, row.gold),
                        value_text(outcomes, row.prediction) +
                            (outcomes.kind == "class" ? fmt::format(" ({:.2f})", row.score) : "")});
    }
    return rows;
}

} // namespace

std::vector<WorstErrors> worst_errors(const compare::Results& results,
                                      const compare::Comparison& comparison,
                                      const ReadTexts& read,
                                      std::size_t count,
                                      std::vector<std::string>& problems)
{
    std::vector<WorstErrors> all;
    for (const compare::TaskComparison& compared : comparison.tasks) {
        const std::size_t at = compare::index_of(results, compared.task);
        const bool warns = std::ranges::any_of(
            compared.entries, [](const auto& entry) { return !entry.data_warnings.empty(); });
        try {
            std::map<std::size_t, TaskTexts> by_limit;
            for (const compare::Row& row : results.rows()) {
                if (row.tasks[at].empty() || row.tasks[at].front()->items.outcomes.rows.empty())
                    continue;
                const results::Cell& cell = *row.tasks[at].front();
                const std::size_t limit = cell.result.protocol.limit();
                if (!by_limit.contains(limit))
                    by_limit[limit] = read(compared.task, limit);
                const TaskTexts& texts = by_limit[limit];
                if (cell.result.data.files != texts.files)
                    throw base::Error("'{}' was tested on other files than those in '{}'",
                                      row.label, texts.folder);
                all.push_back({compared.task, row.label,
                               with_sentences(cell.items.outcomes, texts, count), warns});
            }
        } catch (const base::UsageError&) {
            throw;
        } catch (const base::Error& e) {
            problems.push_back(
                fmt::format("no errors of {} are shown: {}", compared.task, e.what()));
        }
    }
    return all;
}

std::string errors_to_terminal(const std::vector<WorstErrors>& errors, std::size_t columns)
{
    std::string out;
    const auto add = [&](std::size_t indent, const std::string& text) {
        out += std::string(indent, ' ') +
               base::wrapped(text, columns, indent, base::LongWords::broken) + '\n';
    };
    for (const WorstErrors& block : errors) {
        add(0, fmt::format("{}{}, {}: the worst {}", block.task, block.has_data_warning ? "*" : "",
                           block.encoder, base::counted(block.items.size(), "error")));
        for (const auto& row : block.items) {
            add(2, fmt::format("gold {}, predicted {}", row.gold, row.prediction));
            add(4, row.first);
            if (!row.second.empty())
                add(4, row.second);
        }
        out += '\n';
    }
    return out;
}

base::Json errors_to_json(const std::vector<WorstErrors>& errors)
{
    base::Json all = base::Json::array();
    for (const WorstErrors& block : errors) {
        base::Json items = base::Json::array();
        for (const auto& row : block.items)
            items.push_back({{"first", row.first},
                             {"second", row.second},
                             {"gold", row.gold},
                             {"prediction", row.prediction}});
        all.push_back({{"task", block.task},
                       {"data_warning", block.has_data_warning},
                       {"encoder", block.encoder},
                       {"items", items}});
    }
    return all;
}

} // namespace senteval::report
