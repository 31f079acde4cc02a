// sections.hpp -- the parts of the report, each appended to a page that has content for it, and how they read a comparison.
#pragma once

#include "report/html.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace senteval::report {

/// Most rows of a plot: the best ones; the leaderboard has all.
inline constexpr std::size_t most_plotted = 40;

/// Consecutive tasks of one group.
struct TaskGroup {
    std::string name;
    std::size_t first = 0;
    std::size_t end = 0; ///< one past the last
};

std::vector<TaskGroup> groups_of(const compare::Comparison& comparison);

/// Rows that have a value, or failed, on the task, from the best down.
std::vector<std::size_t> by_value(const compare::TaskComparison& task);

/// The row of the results; nullptr where they have none of that label.
const compare::Row* row_of(const Page& page, std::size_t row);

/// Runs of a row on a task; empty where there are none.
compare::Runs runs_of(const Page& page, std::size_t row, const std::string& task);

namespace sections {

void leaderboard(const Page& page, std::string& out);
void scores(const Page& page, std::string& out);
void differences(const Page& page, std::string& out);
void heat_map(const Page& page, std::string& out);
void dimensions(const Page& page, std::string& out);
void costs(const Page& page, std::string& out);
void losses(const Page& page, std::string& out);
void curve(const Page& page, std::string& out);
void task_correlations(const Page& page, std::string& out);
void seeds(const Page& page, std::string& out);
void slices(const Page& page, std::string& out);
void classes(const Page& page, std::string& out);
void worst_errors(const Page& page, std::string& out);
void published(const Page& page, std::string& out);
void provenance(const Page& page, std::string& out);

} // namespace sections

} // namespace senteval::report
