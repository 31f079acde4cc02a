// table.hpp -- results as one table, encoders by tasks, for terminals, Markdown and CSV.
#pragma once

#include "core/json.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace senteval::report {

/// One cell: the task's headline metric.
struct Entry {
    std::vector<double> values; ///< one per seed; empty where there is no result
    bool failed = false;
    bool best = false; ///< the highest of its column
};

/// Rows are encoders, once for each classifier they are tried with, columns tasks; both in the order they were first seen.
class Table {
public:
    /// Adds the result documents of a run.
    void add(const core::Json& document);
    void add_failure(const std::string& encoder, const std::string& task);

    [[nodiscard]] const std::vector<std::string>& encoders() const noexcept { return encoders_; }
    [[nodiscard]] const std::vector<std::string>& tasks() const noexcept { return tasks_; }
    [[nodiscard]] const std::vector<std::string>& headlines() const noexcept { return headlines_; }
    [[nodiscard]] Entry entry(std::size_t encoder, std::size_t task) const;

    /// The entry as text: "72.45", "0.5208", "72.65 ±0.25" over seeds, "failed", "-".
    [[nodiscard]] std::string text(std::size_t encoder, std::size_t task) const;

private:
    /// The label; where the task has a result under other settings already, with the difference.
    /// Only seeds share a row.
    std::string row_name(const core::Json& document);
    std::size_t row(const std::string& encoder);
    std::size_t column(const std::string& task);
    Entry& at(std::size_t row, std::size_t column);

    std::vector<std::string> encoders_;
    std::vector<std::string> tasks_;
    std::vector<std::string> headlines_; ///< metric shown, by task
    std::vector<std::vector<Entry>> entries_;
    std::map<std::pair<std::string, std::string>, core::Json> settings_; ///< by label and task
};

/// The number that a metrics path such as "all.pearson.wmean" names; nothing where it is not one.
std::optional<double> metric(const core::Json& metrics, const std::string& path);

/// A metric with the digits it is usually given: two for percentages, four for correlations.
std::string format_metric(double value, const std::string& path);

/// Columns that a terminal uses for UTF-8 text without wide characters.
std::size_t display_width(const std::string& text);

/// Quoted where CSV asks for it.
std::string csv_field(const std::string& text);

struct TerminalStyle {
    bool bold = false;       ///< mark the best of each task by bold print
    std::size_t width = 100; ///< the table is turned round where it would be wider
};

std::string to_terminal(const Table& table, TerminalStyle style);
std::string to_markdown(const Table& table);
std::string to_csv(const Table& table);

} // namespace senteval::report
