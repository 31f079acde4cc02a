// columns.hpp -- files of columns, as the protocols of SentEval read them for tasks of the user's own.
#pragma once

#include "tasks/custom/custom.hpp"
#include "tasks/readers/readers.hpp"

#include <array>
#include <set>
#include <string>
#include <string_view>

namespace senteval::tasks {

/// The keys that are columns. A column is its number, from 1, or its name in the header line; all are different.
inline constexpr std::array<std::string_view, 4> column_keys{"first", "second", "target", "split"};

bool is_column_number(std::string_view column);

/// Reads one item per line; the parts "all" and "test" are tested. An empty label, a label that is none of the classes and a
/// first line that can only be a header are errors; what merely looks wrong becomes a data warning of the dataset. The
/// task has its columns; see with_usual_columns().
Source column_source(const CustomTask& task);

/// The parts that rows of the file 'train' belong to, by the column 'split'.
std::set<std::string> parts_in(const CustomTask& task);

} // namespace senteval::tasks
