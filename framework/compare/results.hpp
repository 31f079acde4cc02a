// results.hpp -- the cells of a store, put in order: who was tested on what, under which protocol.
#pragma once

#include "results/metric.hpp"
#include "results/store.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace senteval::compare {

/// A note that a reader needs before believing the order of a table.
struct Note {
    std::string text;
    std::vector<std::string> tasks = {}; ///< that the text is of, where it does not name them
    bool of_data = false;                ///< why the data may not be the published set
};

/// The runs of one row on one task: the same protocol but for the seed, ordered by seed.
using Runs = std::vector<const results::Cell*>;

/// One line of a table: an encoder, under one choice of settings.
struct Row {
    std::string label;   ///< unique; names what distinguishes it where the encoder has several rows
    std::string encoder; ///< label of the encoder, and the projection
    /// "@50 random", "128:int8" (a variant); empty where vectors were scored as they are.
    std::string projection;
    std::string variant; ///< "classifier=mlp", ...; empty where there is one row
    std::map<std::string, std::string> settings; ///< what the variant says, by key
    std::size_t dimension = 0;                   ///< of the vectors that were scored; 0: not known
    std::size_t bytes = 0;                       ///< of a vector
    std::vector<Runs> tasks;     ///< in the order of Results::tasks; empty where there is no result
    std::vector<Runs> resampled; ///< the same on halves of the training part, by number of the half

    /// The name of the encoder, which its versions share.
    [[nodiscard]] std::string name() const;

    [[nodiscard]] bool is_variant() const
    {
        return !projection.empty() && !projection.starts_with('@');
    }
};

/// Facts about a task that its results lack.
struct KnownTask {
    std::string group;         ///< transfer, similarity, ...; empty: none
    bool is_published = false; ///< its data is, and may be told from what the user has
};

/// Encoders of one label are named by what differs (base::distinct_names). Results never mix
/// protocols: where one encoder has results of a task under several settings,
/// each gets a row. A result whose task does not know the setting that tells rows apart (an
/// unsupervised one, and the classifier), or chose between its values, stands in all of them.
class Results {
public:
    explicit Results(std::vector<results::Cell> cells);

    [[nodiscard]] const std::vector<Row>& rows() const noexcept { return rows_; }
    [[nodiscard]] const std::vector<std::string>& tasks() const noexcept { return tasks_; }
    [[nodiscard]] std::vector<const results::Cell*> cells() const; ///< of the rows, each once

    /// Brings the tasks into this order; tasks that are not in it follow.
    void order_tasks(std::span<const std::string> names);

    /// Rows stand by the first of these patterns that matches their label or encoder, then by the earliest date of
    /// their results, then by label.
    void order_rows(std::span<const std::string> patterns);

    /// Puts the rows in this order, by their numbers.
    void place_rows(std::span<const std::size_t> order);

    /// Takes facts about tasks, by name.
    void know_tasks(std::map<std::string, KnownTask> tasks) { known_ = std::move(tasks); }
    [[nodiscard]] KnownTask known(const std::string& task) const;

    /// What a task may be called.
    [[nodiscard]] std::vector<std::string> names_of(std::size_t task) const;

    /// Every metric that some result of the task describes; its headline is the first.
    [[nodiscard]] const std::vector<results::Metric>& metrics(std::size_t task) const
    {
        return metrics_[task];
    }

    /// Takes the costs of encoders, as Store::costs() has them.
    void know_costs(std::vector<results::Cost> costs) { costs_ = std::move(costs); }
    [[nodiscard]] const std::vector<results::Cost>& costs() const noexcept { return costs_; }

    /// Notes on how the results came together.
    [[nodiscard]] std::vector<Note> notes() const;

    /// Keeps the tasks, or rows, whose name matches one of the patterns (see base::matches; tasks by
    /// names_of(), rows by label or encoder), all where there is no pattern. Throws base::UsageError, with the nearest
    /// name, for a pattern that matches none. Rows then stand in the order of the patterns. `lists`: base::names_in().
    void keep_tasks(std::span<const std::string> patterns);
    void keep_encoders(std::span<const std::string> lists);

    /// Parts of a task become one task, their mean: over the parts that all rows have which have some. The task's name says
    /// which these are where they are not all. So do the tasks of which a mean is made, where all are there; an encoder that
    /// has the mean alone, as an imported one may, keeps it. Order and choose tasks and rows before.
    void join_parts(std::span<const results::MeanOfTasks> means = {});

    /// The task that a task, or part, has become a part of, else itself.
    [[nodiscard]] std::string shown_as(const std::string& task) const;

    /// The rows that somebody may mean by a name: of a row, or of an encoder of several rows.
    [[nodiscard]] std::vector<const Row*> rows_called(const std::string& name) const;

private:
    /// The same result found twice, as in a copied store, is one: no second seed. So are all seeds of a deterministic
    /// one.
    void drop_copies();
    /// Drops the results from before a task's files changed: they are no further seeds.
    void drop_other_data();
    void describe_metrics();
    void arrange(const std::vector<std::size_t>& tasks);
    void add_rows_of(const std::vector<const results::Cell*>& encoder, const std::string& label);

    /// Chooses the rows to show from those that were kept, and sorts them: a result is shown once, in the first of
    /// them.
    void show();

    /// Joins the parts of one task, which stand there in tasks_; the store has `stored`. Returns the places of the others
    /// than the first.
    std::set<std::size_t>
    join(const std::string& whole, const std::vector<std::size_t>& parts, std::size_t stored);

    std::vector<results::Cell> cells_;
    std::deque<results::Cell> joined_; ///< means of parts
    std::vector<results::Cost> costs_;
    std::vector<std::string> tasks_;
    std::vector<results::PartOf> parts_;                ///< by task
    std::vector<std::vector<results::Metric>> metrics_; ///< by task
    std::vector<std::string> order_;                    ///< patterns of rows
    std::vector<Row>
        kept_; ///< with all results that concern each, the plainest of an encoder first
    std::vector<Row> rows_; ///< as shown: those of them in which some result stands
    std::vector<Note> notes_;
    std::map<std::string, std::string> shown_as_;
    std::map<std::string, KnownTask> known_;
    std::set<std::string> shown_once_; ///< tasks whose results belong to several rows
};

/// Index of a task that the results have.
std::size_t index_of(const Results& results, const std::string& task);

/// Test items of a task that the encoder of these runs was trained on: "3 of 750"; empty: none, or not known.
std::string training_overlap(const Runs& runs);

/// Why the data of some of the runs may not be the published set: it is a sample, or was cut by --limit.
std::vector<std::string> data_warnings_of(const Runs& runs);

/// The first caution of each code that some of the runs have.
std::vector<results::Caution> cautions_of(const Runs& runs);

/// Appends those of `texts` that are not among `all`.
void add_distinct(std::span<const std::string> texts, std::vector<std::string>& all);

} // namespace senteval::compare
