// columns.hpp -- files of columns as users describe them.
#pragma once

#include "tasks/readers/reading.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace senteval::tasks {

/// A column is its number, from 1, or its name in the header line.
struct ColumnFormat {
    text::Encoding encoding = text::Encoding::utf8;
    bool header = false;
    std::string first;
    std::string second; ///< empty: single sentences
    std::string target; ///< label or score
    bool scored = false;
    bool binary = false;              ///< anything but two classes is an error
    std::vector<std::string> classes; ///< empty: the labels of the first file, sorted as strings
};

bool is_column_number(std::string_view column);

/// One item per line; the parts "all" and "test" are tested. Labels that are none of the classes are
/// an error.
Source column_source(std::vector<PartFile> files, ColumnFormat format);

} // namespace senteval::tasks
