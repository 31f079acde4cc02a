#include "compare/judge.hpp"

#include "results/uninformative.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace senteval::compare {
namespace {

using Names = std::vector<std::string>;

/// Tasks that share what is said of them, in the order of their first.
class ByText {
public:
    void add(const std::string& text, const std::string& task)
    {
        const auto at = std::ranges::find(found_, text, &std::pair<std::string, Names>::first);
        auto& tasks = at == found_.end() ? found_.emplace_back(text, Names()).second : at->second;
        if (tasks.empty() || tasks.back() != task)
            tasks.push_back(task);
    }

    [[nodiscard]] const std::vector<std::pair<std::string, Names>>& found() const { return found_; }

private:
    std::vector<std::pair<std::string, Names>> found_;
};

/// A table, and the results that it shows.
class Notes {
public:
    Notes(const Results& results, const Comparison& table) : results_(&results), table_(&table) {}

    std::vector<Note> all()
    {
        notes_ = results_->notes();
        add_data_warnings();
        for (std::size_t row = 0; row < results_->rows().size(); ++row) {
            add_training_overlap(row);
            add_coverage(row);
            add_uninformative(row);
            add_early_stops(row);
            add_encoder_warnings(row);
        }
        if (!table_->tested)
            return std::move(notes_);
        add_dimensions();
        add_other_items();
        add_small_training_sets();
        add_imports();
        add_without_metric();
        return std::move(notes_);
    }

private:
    [[nodiscard]] const Runs& runs(std::size_t row, const TaskComparison& task) const
    {
        static const Runs no_results;
        const std::size_t at = index_of(*results_, task.task);
        return at < results_->tasks().size() ? results_->rows()[row].tasks[at] : no_results;
    }

    void add(std::string text) { notes_.push_back({std::move(text)}); }

    void add_data_warnings()
    {
        ByText found;
        for (const TaskComparison& task : table_->tasks) {
            Names warnings;
            for (const Entry& entry : task.entries)
                add_distinct(entry.data_warnings, warnings);
            if (warnings.empty())
                continue;
            // Data of the user's own was never claimed to be published.
            const bool is_known = results_->known(task.task).is_published;
            found.add(fmt::format("{}{}", is_known ? "not the published data: " : "",
                                  fmt::join(warnings, "; ")),
                      task.task);
        }
        for (const auto& [text, tasks] : found.found())
            notes_.push_back({text, tasks, true});
    }

    void add_training_overlap(std::size_t row)
    {
        Names parts;
        for (const TaskComparison& task : table_->tasks)
            if (const std::string& overlap = task.entries[row].trained_on; !overlap.empty())
                parts.push_back(fmt::format("{} of {}", overlap, task.task));
        const std::string& label = results_->rows()[row].label;
        if (!parts.empty())
            add(fmt::format("†: {} was trained on sentences of test items ({}): its scores there "
                            "are no scores on unseen text.",
                            label, fmt::join(parts, ", ")));
    }

    void add_coverage(std::size_t row)
    {
        Names parts;
        for (const TaskComparison& task : table_->tasks)
            if (const Runs& cells = runs(row, task); !cells.empty())
                if (const auto share = results::low_coverage(cells.front()->result))
                    parts.push_back(fmt::format("{:.1f} % of {}", 100 * *share, task.task));
        const std::string& label = results_->rows()[row].label;
        if (!parts.empty())
            add(fmt::format("{} knows few of the words ({}): these scores say little about it.",
                            label, fmt::join(parts, ", ")));
    }

    void add_uninformative(std::size_t row)
    {
        ByText found;
        for (const TaskComparison& task : table_->tasks)
            for (const results::Cell* cell : runs(row, task))
                if (!cell->result.uninformative.empty())
                    found.add(cell->result.uninformative, task.task);
        const std::string& label = results_->rows()[row].label;
        for (const auto& [why, tasks] : found.found())
            add(fmt::format("{} on {}: {}: the result says nothing about it.", label,
                            fmt::join(tasks, ", "), why));
    }

    /// Of SentEval's own ways with a published set, which are no caution.
    void add_early_stops(std::size_t row)
    {
        for (const TaskComparison& task : table_->tasks)
            if (const Runs& cells = runs(row, task);
                !cells.empty() && cells.front()->result.cautions.empty())
                for (const std::string& warning : cells.front()->result.warnings())
                    add(fmt::format("{} on {}: {}.", results_->rows()[row].label, task.task,
                                    warning));
    }

    void add_encoder_warnings(std::size_t row)
    {
        constexpr std::size_t most = 3;
        Names told;
        for (const TaskComparison& task : table_->tasks)
            for (const results::Cell* cell : runs(row, task))
                add_distinct(cell->result.run.warnings, told);
        if (told.empty())
            return;
        const std::size_t more = told.size() - std::min(told.size(), most);
        told.resize(told.size() - more);
        const Row& of = results_->rows()[row]; // smaller vectors are of the same run
        const std::string label = of.is_variant() ? of.name() : of.label;
        add(fmt::format("{} warned: {}{}.", label, fmt::join(told, "; "),
                        more == 0 ? "" : fmt::format("; and {} times more", more)));
    }

    /// Notes the dimensions of the rows for which something that is shown was trained.
    void add_dimensions()
    {
        std::set<std::size_t> dimensions;
        for (const TaskComparison& task : table_->tasks)
            for (std::size_t row = 0; task.trained && row < table_->rows.size(); ++row)
                if (table_->dimensions[row] > 0 && task.entries[row].has_value() &&
                    !results_->rows()[row].is_variant())
                    dimensions.insert(table_->dimensions[row]);
        if (dimensions.size() > 1)
            add(fmt::format(
                "{} to {} dimensions: more may help by itself (run --equal-dimension {})",
                *dimensions.begin(), *dimensions.rbegin(), *dimensions.begin()));
    }

    void add_other_items()
    {
        Names tasks;
        for (const TaskComparison& task : table_->tasks)
            if (std::ranges::any_of(task.entries, [](const Entry& entry) {
                    return entry.difference.open == Open::other_items;
                }))
                tasks.push_back(task.task);
        if (!tasks.empty())
            add(fmt::format("{}: not all rows were tested on the same items (other data, folds, "
                            "classes or --limit); those that were not are not compared.",
                            fmt::join(tasks, ", ")));
    }

    void add_small_training_sets()
    {
        Names tasks;
        for (const TaskComparison& task : table_->tasks)
            if (task.training_items > 0 && task.training_items < small_training_set &&
                std::ranges::none_of(task.entries,
                                     [](const Entry& entry) { return entry.score.resampled > 0; }))
                tasks.push_back(task.task);
        if (!tasks.empty())
            notes_.push_back(
                {"about this training set alone (run --resample-training)", std::move(tasks)});
    }

    void add_imports()
    {
        Names labels;
        for (std::size_t row = 0; row < results_->rows().size(); ++row)
            for (const TaskComparison& task : table_->tasks)
                if (std::ranges::any_of(runs(row, task), [](const results::Cell* cell) {
                        return cell->result.imported && cell->items.outcomes.rows.empty();
                    }))
                    add_distinct(Names{results_->rows()[row].label}, labels);
        if (!labels.empty())
            add(fmt::format("Imported results ({}) come without the outcomes of their test items: "
                            "they have no intervals and no verdict.",
                            fmt::join(labels, ", ")));
    }

    void add_without_metric()
    {
        Names without;
        for (const std::string& name : results_->tasks())
            if (std::ranges::find(table_->tasks, name, &TaskComparison::task) ==
                table_->tasks.end())
                without.push_back(name);
        if (!without.empty())
            add(fmt::format("Left out: {}, where no encoder has a value of '{}'.",
                            fmt::join(without, ", "), table_->options.metric));
    }

    const Results* results_;
    const Comparison* table_;
    std::vector<Note> notes_;
};

} // namespace

std::vector<Note> notes_of(const Results& results, const Comparison& table)
{
    return Notes(results, table).all();
}

} // namespace senteval::compare
